package io.ecfs.hadoop;

import io.ecfs.client.ClusterUri;
import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.Identity;
import io.ecfs.client.base.Await;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.read.FileReader;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.config.ConfigReader;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.message.FileStatus;
import io.ecfs.message.NamespaceReply;
import io.ecfs.message.NamespaceRequest;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.impl.PathCapabilitiesSupport;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Progressable;

/**
 * ECFS behind Hadoop's {@link FileSystem} (compare HDFS's DistributedFileSystem). What HDFS calls a block is a group here; the
 * replication of every file is 1, as for HDFS's erasure-coded files. Safe for use by several threads.
 */
public final class EcfsFileSystem extends FileSystem implements LeaseRecoverable {
    /** Prefix of Hadoop settings that become settings of {@link ClientConfig}. */
    public static final String CLIENT_SETTINGS = "fs.ecfs.client.";

    private static final Set<ErrorCode> RENAME_IS_FALSE = EnumSet.of(
            ErrorCode.NOT_FOUND,
            ErrorCode.ALREADY_EXISTS,
            ErrorCode.PARENT_NOT_DIRECTORY,
            ErrorCode.NOT_A_DIRECTORY,
            ErrorCode.IS_A_DIRECTORY,
            ErrorCode.NOT_EMPTY,
            ErrorCode.INVALID_ARGUMENT);

    private URI uri;
    private EcfsClient client;
    private String user;
    private Path workingDirectory;

    /** For Hadoop, which calls {@link #initialize} next. */
    public EcfsFileSystem() {}

    /** A file system over a client, which it closes with itself. */
    EcfsFileSystem(EcfsClient client) {
        this.client = client;
    }

    @Override
    public String getScheme() {
        return ClusterUri.SCHEME;
    }

    @Override
    public void initialize(URI name, Configuration configuration) throws IOException {
        super.initialize(name, configuration);
        setConf(configuration);
        uri = URI.create(name.getScheme() + "://" + name.getAuthority());
        UserGroupInformation caller = UserGroupInformation.getCurrentUser();
        user = caller.getShortUserName();
        if (client == null) {
            client = EcfsClient.connect(
                    ClusterUri.of(uri),
                    clientConfig(configuration),
                    new Identity(user, Arrays.asList(caller.getGroupNames())));
        }
        workingDirectory = getHomeDirectory();
    }

    private static ClientConfig clientConfig(Configuration configuration) {
        List<String> settings = configuration.getPropsWithPrefix(CLIENT_SETTINGS).entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .toList();
        return ConfigReader.read(ClientConfig.class, "Hadoop's " + CLIENT_SETTINGS + "*", "", settings);
    }

    @Override
    public URI getUri() {
        return uri;
    }

    /** None: there are no delegation tokens, and an authority may name several hosts. */
    @Override
    public String getCanonicalServiceName() {
        return null;
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
        statistics.incrementReadOps(1);
        return new FSDataInputStream(new HadoopInput(reader(path).stream(), statistics));
    }

    private FileReader reader(Path path) throws IOException {
        try {
            return HadoopFailures.await(client.open(filePath(path)), path);
        } catch (EcfsException e) {
            if (e.code() == ErrorCode.IS_A_DIRECTORY) {
                throw (IOException) new FileNotFoundException(path + " is a directory").initCause(e);
            }
            throw e;
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
        return create(path, permission, overwrite, true, false, progress);
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
        return create(path, permission, flags, true, progress);
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
        return create(path, permission, flags, false, progress);
    }

    private FSDataOutputStream create(
            Path path, FsPermission permission, EnumSet<CreateFlag> flags, boolean createParents, Progressable progress)
            throws IOException {
        if (flags.contains(CreateFlag.APPEND)) {
            return append(path, 0, progress);
        }
        boolean sync = flags.contains(CreateFlag.SYNC_BLOCK);
        return create(path, permission, flags.contains(CreateFlag.OVERWRITE), createParents, sync, progress);
    }

    private FSDataOutputStream create(
            Path path,
            FsPermission permission,
            boolean overwrite,
            boolean createParents,
            boolean sync,
            Progressable progress)
            throws IOException {
        statistics.incrementWriteOps(1);
        int mode = masked(permission == null ? FsPermission.getFileDefault() : permission);
        try {
            EcfsOutputStream stream = HadoopFailures.await(
                    client.create(
                            filePath(path), new CreateOptions(mode, overwrite, createParents, Optional.empty(), sync)),
                    path);
            return new FSDataOutputStream(new HadoopOutput(stream, progress == null ? () -> {} : progress), statistics);
        } catch (EcfsException e) {
            if (e.code() == ErrorCode.IS_A_DIRECTORY) {
                throw (IOException) new FileAlreadyExistsException(path + " is a directory").initCause(e);
            }
            throw e;
        }
    }

    /** Permission bits after the user's umask. */
    private int masked(FsPermission permission) {
        return permission.applyUMask(FsPermission.getUMask(getConf())).toShort();
    }

    @Override
    public FSDataOutputStream append(Path path, int bufferSize, Progressable progress) throws IOException {
        statistics.incrementWriteOps(1);
        EcfsOutputStream stream = HadoopFailures.await(client.append(filePath(path), false), path);
        HadoopOutput output = new HadoopOutput(stream, progress == null ? () -> {} : progress);
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

    @Override
    public boolean rename(Path from, Path to) throws IOException {
        statistics.incrementWriteOps(1);
        FilePath source = filePath(from);
        FilePath target = filePath(to);
        Optional<FileStatus> moved = find(source, from);
        if (moved.isEmpty() || source.isRoot()) {
            return false;
        }
        Optional<FileStatus> existing = find(target, to);
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
    protected void rename(Path from, Path to, Options.Rename... options) throws IOException {
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
    public boolean mkdirs(Path path, FsPermission permission) throws IOException {
        statistics.incrementWriteOps(1);
        int mode = masked(permission == null ? FsPermission.getDirDefault() : permission);
        HadoopFailures.await(client.mkdirs(filePath(path), mode, true), path);
        return true;
    }

    @Override
    public org.apache.hadoop.fs.FileStatus[] listStatus(Path path) throws IOException {
        List<org.apache.hadoop.fs.FileStatus> all = new ArrayList<>();
        RemoteIterator<org.apache.hadoop.fs.FileStatus> pages = listStatusIterator(path);
        while (pages.hasNext()) {
            all.add(pages.next());
        }
        return all.toArray(org.apache.hadoop.fs.FileStatus[]::new);
    }

    /** Page by page; the first page is asked for here, so that a missing path shows at once. */
    @Override
    public RemoteIterator<org.apache.hadoop.fs.FileStatus> listStatusIterator(Path path) throws IOException {
        statistics.incrementReadOps(1);
        FilePath directory = filePath(path);
        return new Listing(
                path,
                after ->
                        HadoopFailures.await(client.list(directory, after, NamespaceRequest.ListStatus.MAX_PAGE), path),
                this::hadoopStatus);
    }

    @Override
    public org.apache.hadoop.fs.FileStatus getFileStatus(Path path) throws IOException {
        statistics.incrementReadOps(1);
        return hadoopStatus(HadoopFailures.await(client.status(filePath(path)), path));
    }

    private org.apache.hadoop.fs.FileStatus hadoopStatus(FileStatus status) {
        return new org.apache.hadoop.fs.FileStatus(
                status.length(),
                status.directory(),
                status.directory() ? 0 : 1,
                status.directory() ? 0 : status.policy().groupBytes(),
                status.modifiedMillis(),
                status.accessedMillis(),
                new FsPermission((short) status.mode()),
                status.owner(),
                status.group(),
                null,
                new Path(uri.getScheme(), uri.getAuthority(), status.path().text()),
                org.apache.hadoop.fs.FileStatus.attributes(false, false, !status.directory(), false));
    }

    private Optional<FileStatus> find(FilePath path, Path shown) throws IOException {
        try {
            return Optional.of(HadoopFailures.await(client.status(path), shown));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    /** One location for each stretch of the file that lies in one group, with all datanodes of its chunks. */
    @Override
    public BlockLocation[] getFileBlockLocations(Path path, long start, long length) throws IOException {
        if (start < 0 || length < 0) {
            throw new IllegalArgumentException("range of " + path + " is negative: " + start + ", " + length);
        }
        statistics.incrementReadOps(1);
        return new Blocks(client, path, filePath(path)).locate(start, length);
    }

    @Override
    public BlockLocation[] getFileBlockLocations(org.apache.hadoop.fs.FileStatus file, long start, long length)
            throws IOException {
        return file == null ? null : getFileBlockLocations(file.getPath(), start, length);
    }

    /** CRC32C of the content, whatever its layout: equal content has equal checksums, also to HDFS's COMPOSITE-CRC32C. */
    @Override
    public FileChecksum getFileChecksum(Path path, long length) throws IOException {
        statistics.incrementReadOps(1);
        return ContentChecksum.of(reader(path), length);
    }

    @Override
    public FileChecksum getFileChecksum(Path path) throws IOException {
        return getFileChecksum(path, Long.MAX_VALUE);
    }

    @Override
    public FsStatus getStatus(Path path) throws IOException {
        statistics.incrementReadOps(1);
        NamespaceReply.Space space = HadoopFailures.await(client.space(), path == null ? new Path("/") : path);
        return new FsStatus(space.capacityBytes(), space.usedBytes(), space.freeBytes());
    }

    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
        statistics.incrementWriteOps(1);
        HadoopFailures.await(client.setMode(filePath(path), permission.toShort()), path);
    }

    @Override
    public void setOwner(Path path, String owner, String group) throws IOException {
        statistics.incrementWriteOps(1);
        HadoopFailures.await(
                client.setOwner(filePath(path), Optional.ofNullable(owner), Optional.ofNullable(group)), path);
    }

    @Override
    public void setTimes(Path path, long modified, long accessed) throws IOException {
        statistics.incrementWriteOps(1);
        HadoopFailures.await(client.setTimes(filePath(path), time(modified), time(accessed)), path);
    }

    /** Hadoop's -1 leaves a time as it is. */
    private static Optional<Long> time(long millis) {
        return millis < 0 ? Optional.empty() : Optional.of(millis);
    }

    @Override
    public boolean recoverLease(Path path) throws IOException {
        return HadoopFailures.await(client.recoverLease(filePath(path)), path);
    }

    @Override
    public boolean isFileClosed(Path path) throws IOException {
        return !HadoopFailures.await(client.status(filePath(path)), path).open();
    }

    @Override
    public boolean hasPathCapability(Path path, String capability) throws IOException {
        return switch (PathCapabilitiesSupport.validatePathCapabilityArgs(makeQualified(path), capability)) {
            case CommonPathCapabilities.FS_APPEND,
                    CommonPathCapabilities.FS_CHECKSUMS,
                    CommonPathCapabilities.FS_CONCAT,
                    CommonPathCapabilities.FS_PERMISSIONS,
                    CommonPathCapabilities.FS_TRUNCATE,
                    CommonPathCapabilities.LEASE_RECOVERABLE -> true;
            default -> super.hasPathCapability(path, capability);
        };
    }

    @Override
    public Path getHomeDirectory() {
        return makeQualified(new Path("/user/" + user));
    }

    @Override
    public void setWorkingDirectory(Path directory) {
        Path absolute = absolute(directory);
        filePath(absolute);
        workingDirectory = makeQualified(absolute);
    }

    @Override
    public Path getWorkingDirectory() {
        return workingDirectory;
    }

    @Override
    public void close() throws IOException {
        try {
            super.close();
        } finally {
            if (client != null) {
                client.close();
            }
        }
    }

    private Path absolute(Path path) {
        return path.isAbsolute() ? path : new Path(workingDirectory, path);
    }

    private FilePath filePath(Path path) {
        checkPath(path);
        String text = absolute(path).toUri().getPath();
        try {
            return new FilePath(text);
        } catch (IllegalArgumentException e) {
            InvalidPathException invalid = new InvalidPathException(text, e.getMessage());
            invalid.initCause(e);
            throw invalid;
        }
    }
}
