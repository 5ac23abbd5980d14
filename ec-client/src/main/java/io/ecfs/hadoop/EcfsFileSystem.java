package io.ecfs.hadoop;

import io.ecfs.client.EcfsClient;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.wire.Await;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.impl.FileSystemMultipartUploaderBuilder;
import org.apache.hadoop.fs.impl.PathCapabilitiesSupport;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.functional.RemoteIterators;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * ECFS behind Hadoop's {@link FileSystem} (compare HDFS's DistributedFileSystem). What HDFS calls a block is a group
 * here; the replication of every file is 1, as for HDFS's erasure-coded files. Safe for use by several threads. Hadoop
 * requires all calls in one class; here they are in layers by subject, and this one has those on names.
 *
 * <pre>
 *   ClientFileSystem     the client, paths
 *   AttributeFileSystem  permissions, owners, times, attributes, sums, quotas
 *   StreamFileSystem     open, create, append, truncate, concat, leases, checksums
 *   EcfsFileSystem       names: renaming, deleting, listing; where bytes lie
 *   RecoverableFileSystem, BulkFileSystem   interfaces that newer Hadoops have
 * </pre>
 *
 * This class works with every Hadoop from 3.3.4 on, and is the one that ServiceLoader finds. When it is loaded it makes
 * the richest of its subclasses that this Hadoop has the interfaces of the default of {@code fs.ecfs.impl}
 * ({@link NewerHadoop}).
 */
public sealed class EcfsFileSystem extends StreamFileSystem permits RecoverableFileSystem {
    private static final Logger LOG = LoggerFactory.getLogger(EcfsFileSystem.class);

    private static final Set<ErrorCode> RENAME_IS_FALSE = EnumSet.of(
            ErrorCode.NOT_FOUND,
            ErrorCode.ALREADY_EXISTS,
            ErrorCode.PARENT_NOT_DIRECTORY,
            ErrorCode.NOT_A_DIRECTORY,
            ErrorCode.IS_A_DIRECTORY,
            ErrorCode.NOT_EMPTY,
            ErrorCode.INVALID_ARGUMENT);

    static {
        NewerHadoop.prefer();
    }

    /** Constructor for Hadoop, which calls {@link #initialize} next. */
    public EcfsFileSystem() {}

    /** A file system over a client, which it closes with itself. {@link #initialize} is called next. */
    public EcfsFileSystem(EcfsClient client) {
        this.client = client;
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
        statistics.incrementWriteOps(1);
        FilePath source = filePath(from);
        FilePath target = filePath(to);
        Optional<io.ecfs.message.namespace.FileStatus> moved = find(source, from);
        if (moved.isEmpty() || source.isRoot()) {
            return false;
        }
        Optional<io.ecfs.message.namespace.FileStatus> existing = find(target, to);
        if (existing.isPresent() && source.equals(target)) {
            return !moved.get().directory();
        }
        if (existing.isPresent() && existing.get().directory()) {
            target = target.child(source.name());
        } else if (existing.isPresent()) {
            return false;
        }
        try {
            Await.result(client.rename(source, target, false));
            return true;
        } catch (EcfsException e) {
            if (RENAME_IS_FALSE.contains(e.code())) {
                LOG.debug("event=rename_refused from={} to={} reason=\"{}\"", source, target, e.getMessage());
                return false;
            }
            throw HadoopFailures.translated(e, from);
        }
    }

    @Override
    @Deprecated // in Hadoop, whose FileContext still calls it
    public void rename(Path from, Path to, Options.Rename... options) throws IOException {
        statistics.incrementWriteOps(1);
        boolean overwrite = Arrays.asList(options).contains(Options.Rename.OVERWRITE);
        HadoopFailures.await(client.rename(filePath(from), filePath(to), overwrite), from);
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        statistics.incrementWriteOps(1);
        FilePath target = filePath(path);
        if (target.isRoot()) {
            if (!recursive && listStatusIterator(path).hasNext()) {
                throw new PathIsNotEmptyDirectoryException(path.toString());
            }
            return false;
        }
        try {
            HadoopFailures.await(client.delete(target, recursive), path);
            return true;
        } catch (FileNotFoundException e) {
            LOG.debug("event=delete_of_nothing path={} reason=\"{}\"", target, e.getMessage());
            return false;
        }
    }

    @Override
    public FileSystemMultipartUploaderBuilder createMultipartUploader(Path base) {
        return new FileSystemMultipartUploaderBuilder(this, base);
    }

    @Override
    public boolean mkdirs(Path path, FsPermission permission) throws IOException {
        statistics.incrementWriteOps(1);
        mkdirs(path, masked(permission == null ? FsPermission.getDirDefault() : permission), true);
        return true;
    }

    /** @param mode permission bits after the umask */
    void mkdirs(Path path, int mode, boolean createParents) throws IOException {
        HadoopFailures.await(client.mkdirs(filePath(path), mode, createParents), path);
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        List<FileStatus> all = new ArrayList<>();
        RemoteIterator<FileStatus> pages = listStatusIterator(path);
        while (pages.hasNext()) {
            all.add(pages.next());
        }
        return all.toArray(FileStatus[]::new);
    }

    /** One page of a directory; see {@link NamespaceRequest.ListStatus}. */
    public NamespaceReply.Listing listPage(Path path, String startAfter, int limit) throws IOException {
        statistics.incrementReadOps(1);
        return HadoopFailures.awaitLookup(client.list(filePath(path), startAfter, limit), path);
    }

    /** Lists page by page; the first page is requested here, so that a missing path fails at once. */
    @Override
    public RemoteIterator<FileStatus> listStatusIterator(Path path) throws IOException {
        statistics.incrementReadOps(1);
        FilePath directory = filePath(path);
        return new Listing(
                path,
                after -> HadoopFailures.awaitLookup(
                        client.list(directory, after, NamespaceRequest.ListStatus.MAX_PAGE), path),
                this::hadoopStatus);
    }

    @Override
    protected RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path, PathFilter filter) throws IOException {
        return RemoteIterators.mappingRemoteIterator(
                RemoteIterators.filteringRemoteIterator(
                        listStatusIterator(path), entry -> filter.accept(entry.getPath())),
                entry -> ((EcfsFileStatus) entry)
                        .located(entry.isFile() ? getFileBlockLocations(entry, 0, entry.getLen()) : null));
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        statistics.incrementReadOps(1);
        return hadoopStatus(HadoopFailures.awaitLookup(client.status(filePath(path)), path));
    }

    /** Hadoop's form of a status. */
    public EcfsFileStatus hadoopStatus(io.ecfs.message.namespace.FileStatus status) {
        return EcfsFileStatus.of(status, getUri());
    }

    /** One location for each part of the range that lies in one group, with the datanodes that have its bytes. */
    @Override
    public BlockLocation[] getFileBlockLocations(Path path, long start, long length) throws IOException {
        if (start < 0 || length < 0) {
            throw new IllegalArgumentException("range of " + path + " is negative: " + start + ", " + length);
        }
        statistics.incrementReadOps(1);
        return new Blocks(client, path, filePath(path)).locate(start, length);
    }

    @Override
    public BlockLocation[] getFileBlockLocations(FileStatus file, long start, long length) throws IOException {
        return file == null ? null : getFileBlockLocations(file.getPath(), start, length);
    }

    @Override
    public FsStatus getStatus(Path path) throws IOException {
        statistics.incrementReadOps(1);
        NamespaceReply.Space space = HadoopFailures.await(client.space(), path == null ? new Path("/") : path);
        return new FsStatus(space.capacityBytes(), space.usedBytes(), space.freeBytes());
    }

    @Override
    public boolean hasPathCapability(Path path, String capability) throws IOException {
        return switch (PathCapabilitiesSupport.validatePathCapabilityArgs(makeQualified(path), capability)) {
            case CommonPathCapabilities.FS_APPEND,
                    CommonPathCapabilities.FS_CHECKSUMS,
                    CommonPathCapabilities.FS_CONCAT,
                    CommonPathCapabilities.FS_PERMISSIONS,
                    CommonPathCapabilities.FS_TRUNCATE,
                    CommonPathCapabilities.FS_PATHHANDLES,
                    CommonPathCapabilities.FS_MULTIPART_UPLOADER,
                    CommonPathCapabilities.FS_ACLS,
                    CommonPathCapabilities.FS_XATTRS,
                    CommonPathCapabilities.ETAGS_AVAILABLE,
                    CommonPathCapabilities.ETAGS_PRESERVED_IN_RENAME,
                    CommonPathCapabilities.FS_LIST_CORRUPT_FILE_BLOCKS -> true;
            default -> super.hasPathCapability(path, capability);
        };
    }

    /** Files below the path that cannot be read, because too few chunks of a group are left. */
    @Override
    public RemoteIterator<Path> listCorruptFileBlocks(Path path) throws IOException {
        return new CorruptFiles(client, filePath(path), path, this::makeQualified);
    }
}
