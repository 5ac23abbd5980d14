package io.ecfs.hadoop;

import io.ecfs.client.CreateOptions;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.InvalidPathHandleException;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.fs.impl.AbstractFSBuilderImpl;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/** The part of {@link EcfsFileSystem} for the bytes of files: open, create, append, truncate, concat. */
abstract class StreamFileSystem extends AttributeFileSystem {
    /** Hadoop's standard options, by constants that the compiler copies: Hadoop 3.3.4 has no set of them. */
    private static final Set<String> OPEN_OPTIONS = Set.of(
            Options.OpenFileOptions.FS_OPTION_OPENFILE_BUFFER_SIZE,
            Options.OpenFileOptions.FS_OPTION_OPENFILE_FOOTER_CACHE,
            Options.OpenFileOptions.FS_OPTION_OPENFILE_LENGTH,
            Options.OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY,
            Options.OpenFileOptions.FS_OPTION_OPENFILE_SPLIT_END,
            Options.OpenFileOptions.FS_OPTION_OPENFILE_SPLIT_START);

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
        statistics.incrementReadOps(1);
        return new FSDataInputStream(new HadoopInput(client, reader(path), statistics));
    }

    private FileReader reader(Path path) throws IOException {
        return HadoopFailures.awaitLookup(client.open(filePath(path)), path);
    }

    @Override
    protected CompletableFuture<FSDataInputStream> openFileWithOptions(Path path, OpenFileParameters parameters)
            throws IOException {
        AbstractFSBuilderImpl.rejectUnknownMandatoryKeys(parameters.getMandatoryKeys(), OPEN_OPTIONS, "for " + path);
        FileStatus known = parameters.getStatus();
        if (known != null && !known.getPath().getName().equals(path.getName())) {
            throw new IllegalArgumentException("the status of " + known.getPath() + " was given to open " + path);
        }
        statistics.incrementReadOps(1);
        return HadoopFailures.lookupFuture(client.elsewhere(client.open(filePath(path))), path)
                .thenApply(file -> new FSDataInputStream(new HadoopInput(client, file, statistics)));
    }

    @Override
    protected PathHandle createPathHandle(FileStatus status, Options.HandleOpt... options) {
        if (!(status instanceof EcfsFileStatus ours) || ours.isDirectory()) {
            throw new UnsupportedOperationException(
                    "a handle is of a file that this file system listed, not of " + status);
        }
        return EcfsPathHandle.of(ours.ours(), options);
    }

    @Override
    public FSDataInputStream open(PathHandle handle, int bufferSize) throws IOException {
        statistics.incrementReadOps(1);
        EcfsPathHandle wanted = EcfsPathHandle.from(handle);
        Path shown = new Path("/.reserved/.inodes/" + wanted.inode());
        try {
            FilePath path = wanted.check(HadoopFailures.awaitLookup(client.status(new InodeId(wanted.inode())), shown));
            FileReader file = HadoopFailures.awaitLookup(client.open(path), shown);
            if (file.status().inode().value() == wanted.inode()) {
                wanted.check(file.status());
                return new FSDataInputStream(new HadoopInput(client, file, statistics));
            }
            throw new InvalidPathHandleException(path + " is another file by now");
        } catch (FileNotFoundException e) {
            throw new InvalidPathHandleException("the file of the handle is gone: " + e.getMessage(), e);
        }
    }

    @Override
    public FSDataOutputStream create(
            Path path,
            FsPermission permission,
            boolean overwrite,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress)
            throws IOException {
        return create(path, masked(permission), flags(overwrite), true, Optional.empty(), Optional.empty(), progress);
    }

    @Override
    public FSDataOutputStream create(
            Path path,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            Options.ChecksumOpt checksum)
            throws IOException {
        return create(path, masked(permission), flags, true, Optional.empty(), Optional.empty(), progress);
    }

    @Override
    @Deprecated // in Hadoop, which still calls it for createNonRecursive and its builders
    public FSDataOutputStream createNonRecursive(
            Path path,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress)
            throws IOException {
        return create(path, masked(permission), flags, false, Optional.empty(), Optional.empty(), progress);
    }

    @Override
    public EcfsCreate createFile(Path path) {
        return new EcfsCreate(this, makeQualified(path)).create().overwrite(true);
    }

    private static EnumSet<CreateFlag> flags(boolean overwrite) {
        return overwrite ? EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE) : EnumSet.of(CreateFlag.CREATE);
    }

    /**
     * Creates or appends by Hadoop's flags: without {@code CREATE} the file must exist.
     *
     * @param mode permission bits after the umask
     * @param policy empty: the directory's
     * @param packed whether it may share a group with others; empty: as the client is configured
     */
    FSDataOutputStream create(
            Path path,
            int mode,
            EnumSet<CreateFlag> flags,
            boolean createParents,
            Optional<Policy> policy,
            Optional<Boolean> packed,
            Progressable progress)
            throws IOException {
        CreateFlag.validate(flags);
        boolean append = flags.contains(CreateFlag.APPEND);
        if (append || !flags.contains(CreateFlag.CREATE)) {
            boolean exists = find(filePath(path), path).isPresent();
            CreateFlag.validate(path, exists, flags);
            if (append && exists) {
                return append(path, 0, progress);
            }
        }
        statistics.incrementWriteOps(1);
        CreateOptions options = new CreateOptions(
                mode,
                flags.contains(CreateFlag.OVERWRITE),
                createParents,
                policy,
                flags.contains(CreateFlag.SYNC_BLOCK),
                packed);
        try {
            EcfsOutputStream stream = HadoopFailures.await(client.create(filePath(path), options), path);
            return new FSDataOutputStream(new HadoopOutput(stream, progress), statistics);
        } catch (EcfsException e) {
            if (e.code() == ErrorCode.IS_A_DIRECTORY) {
                throw HadoopFailures.caused(new FileAlreadyExistsException(path + " is a directory"), e);
            }
            throw e;
        }
    }

    /** Permission bits after the user's umask; of null, those of a new file. */
    int masked(FsPermission permission) {
        return (permission == null ? FsPermission.getFileDefault() : permission)
                .applyUMask(FsPermission.getUMask(getConf()))
                .toShort();
    }

    @Override
    public FSDataOutputStream append(Path path, int bufferSize, Progressable progress) throws IOException {
        statistics.incrementWriteOps(1);
        EcfsOutputStream stream = HadoopFailures.await(client.append(filePath(path), false), path);
        HadoopOutput output = new HadoopOutput(stream, progress);
        return new FSDataOutputStream(output, statistics, stream.position());
    }

    /** @return true: nothing is left to be done in the background */
    @Override
    public boolean truncate(Path path, long length) throws IOException {
        statistics.incrementWriteOps(1);
        HadoopFailures.await(client.truncate(filePath(path), length), path);
        return true;
    }

    @Override
    public void concat(Path target, Path[] sources) throws IOException {
        statistics.incrementWriteOps(1);
        List<FilePath> moved = new ArrayList<>();
        for (Path source : sources) {
            moved.add(filePath(source));
        }
        HadoopFailures.await(client.concat(filePath(target), moved), target);
    }

    /**
     * CRC32C of the content, independent of its layout: equal content has equal checksums, also to HDFS's
     * COMPOSITE-CRC32C.
     */
    @Override
    public FileChecksum getFileChecksum(Path path, long length) throws IOException {
        statistics.incrementReadOps(1);
        return ContentChecksum.of(client, path, reader(path), length);
    }

    @Override
    public FileChecksum getFileChecksum(Path path) throws IOException {
        return getFileChecksum(path, Long.MAX_VALUE);
    }

    /**
     * Begins the recovery of a file whose writer is gone.
     *
     * @return whether the file is closed
     */
    public boolean recoverLease(Path path) throws IOException {
        return HadoopFailures.awaitLookup(client.recoverLease(filePath(path)), path);
    }

    /**
     * Tells whether no writer has the file open.
     *
     * @throws FileNotFoundException also for a directory
     */
    public boolean isFileClosed(Path path) throws IOException {
        io.ecfs.message.namespace.FileStatus status = HadoopFailures.awaitLookup(client.status(filePath(path)), path);
        if (status.directory()) {
            throw new FileNotFoundException("Path is not a file: " + path);
        }
        return !status.open();
    }
}
