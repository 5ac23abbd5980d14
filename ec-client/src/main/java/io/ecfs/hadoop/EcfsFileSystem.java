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
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.NamespaceReply;
import io.ecfs.message.NamespaceRequest;
import io.ecfs.message.NamespaceRequest.ChangeAcl;
import io.ecfs.message.XAttr;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.InvalidPathHandleException;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.SafeMode;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.impl.AbstractFSBuilderImpl;
import org.apache.hadoop.fs.impl.FileSystemMultipartUploaderBuilder;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.apache.hadoop.fs.impl.PathCapabilitiesSupport;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Progressable;
import org.apache.hadoop.util.functional.RemoteIterators;

/**
 * ECFS behind Hadoop's {@link FileSystem} (compare HDFS's DistributedFileSystem). What HDFS calls a block is a group here; the
 * replication of every file is 1, as for HDFS's erasure-coded files. Safe for use by several threads.
 */
public final class EcfsFileSystem extends FileSystem implements LeaseRecoverable, SafeMode {
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
        return new FSDataInputStream(new HadoopInput(client, reader(path).stream(), statistics));
    }

    private FileReader reader(Path path) throws IOException {
        return HadoopFailures.look(client.open(filePath(path)), path);
    }

    @Override
    protected CompletableFuture<FSDataInputStream> openFileWithOptions(Path path, OpenFileParameters parameters)
            throws IOException {
        AbstractFSBuilderImpl.rejectUnknownMandatoryKeys(
                parameters.getMandatoryKeys(),
                Options.OpenFileOptions.FS_OPTION_OPENFILE_STANDARD_OPTIONS,
                "for " + path);
        FileStatus known = parameters.getStatus();
        if (known != null && !known.getPath().getName().equals(path.getName())) {
            throw new IllegalArgumentException("the status of " + known.getPath() + " was given to open " + path);
        }
        statistics.incrementReadOps(1);
        return HadoopFailures.looking(client.elsewhere(client.open(filePath(path))), path)
                .thenApply(file -> new FSDataInputStream(new HadoopInput(client, file.stream(), statistics)));
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
            FilePath path = wanted.check(HadoopFailures.look(client.status(new InodeId(wanted.inode())), shown));
            FileReader file = HadoopFailures.look(client.open(path), shown);
            if (file.status().inode().value() == wanted.inode()) {
                wanted.check(file.status());
                return new FSDataInputStream(new HadoopInput(client, file.stream(), statistics));
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
        return create(path, masked(permission), flags(overwrite), true, Optional.empty(), progress);
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
        return create(path, masked(permission), flags, true, Optional.empty(), progress);
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
        return create(path, masked(permission), flags, false, Optional.empty(), progress);
    }

    @Override
    public EcfsCreate createFile(Path path) {
        return new EcfsCreate(this, makeQualified(path)).create().overwrite(true);
    }

    private static EnumSet<CreateFlag> flags(boolean overwrite) {
        return overwrite ? EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE) : EnumSet.of(CreateFlag.CREATE);
    }

    /**
     * As Hadoop's flags say: a file must be there to be overwritten or appended to without {@code CREATE}.
     *
     * @param mode permission bits after the umask
     * @param policy empty: the directory's
     */
    FSDataOutputStream create(
            Path path,
            int mode,
            EnumSet<CreateFlag> flags,
            boolean createParents,
            Optional<Policy> policy,
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
                flags.contains(CreateFlag.SYNC_BLOCK));
        try {
            EcfsOutputStream stream = HadoopFailures.await(client.create(filePath(path), options), path);
            return new FSDataOutputStream(new HadoopOutput(stream, progress == null ? () -> {} : progress), statistics);
        } catch (EcfsException e) {
            if (e.code() == ErrorCode.IS_A_DIRECTORY) {
                throw (IOException) new FileAlreadyExistsException(path + " is a directory").initCause(e);
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
        Optional<io.ecfs.message.FileStatus> moved = find(source, from);
        if (moved.isEmpty() || source.isRoot()) {
            return false;
        }
        Optional<io.ecfs.message.FileStatus> existing = find(target, to);
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
    public FileSystemMultipartUploaderBuilder createMultipartUploader(Path base) {
        return new FileSystemMultipartUploaderBuilder(this, base);
    }

    @Override
    public BulkDelete createBulkDelete(Path path) {
        return new BulkDeletes(client, makeQualified(path), this::filePath);
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

    /** Page by page; the first page is asked for here, so that a missing path shows at once. */
    @Override
    public RemoteIterator<FileStatus> listStatusIterator(Path path) throws IOException {
        statistics.incrementReadOps(1);
        FilePath directory = filePath(path);
        return new Listing(
                path,
                after -> HadoopFailures.look(client.list(directory, after, NamespaceRequest.ListStatus.MAX_PAGE), path),
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
        return hadoopStatus(HadoopFailures.look(client.status(filePath(path)), path));
    }

    private FileStatus hadoopStatus(io.ecfs.message.FileStatus status) {
        return EcfsFileStatus.of(status, uri);
    }

    private Optional<io.ecfs.message.FileStatus> find(FilePath path, Path shown) throws IOException {
        try {
            return Optional.of(HadoopFailures.look(client.status(path), shown));
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
    public BlockLocation[] getFileBlockLocations(FileStatus file, long start, long length) throws IOException {
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
    public void access(Path path, FsAction action) throws IOException {
        statistics.incrementReadOps(1);
        HadoopFailures.look(client.checkAccess(filePath(path), Acls.bits(action)), path);
    }

    @Override
    public void modifyAclEntries(Path path, List<AclEntry> entries) throws IOException {
        changeAcl(path, ChangeAcl.Change.MODIFY, entries);
    }

    @Override
    public void removeAclEntries(Path path, List<AclEntry> entries) throws IOException {
        changeAcl(path, ChangeAcl.Change.REMOVE, entries);
    }

    @Override
    public void removeDefaultAcl(Path path) throws IOException {
        changeAcl(path, ChangeAcl.Change.REMOVE_DEFAULT, List.of());
    }

    @Override
    public void removeAcl(Path path) throws IOException {
        changeAcl(path, ChangeAcl.Change.REMOVE_ALL, List.of());
    }

    @Override
    public void setAcl(Path path, List<AclEntry> entries) throws IOException {
        changeAcl(path, ChangeAcl.Change.SET, entries);
    }

    private void changeAcl(Path path, ChangeAcl.Change change, List<AclEntry> entries) throws IOException {
        statistics.incrementWriteOps(1);
        HadoopFailures.await(client.changeAcl(filePath(path), change, Acls.ours(entries)), path);
    }

    @Override
    public AclStatus getAclStatus(Path path) throws IOException {
        statistics.incrementReadOps(1);
        return Acls.status(HadoopFailures.look(client.acl(filePath(path)), path));
    }

    @Override
    public void setXAttr(Path path, String name, byte[] value, EnumSet<XAttrSetFlag> flags) throws IOException {
        statistics.incrementWriteOps(1);
        XAttr attribute = new XAttr(name, value == null ? new byte[0] : value);
        boolean create = flags.contains(XAttrSetFlag.CREATE);
        boolean replace = flags.contains(XAttrSetFlag.REPLACE);
        HadoopFailures.await(client.setXAttr(filePath(path), attribute, create, replace), path);
    }

    @Override
    public byte[] getXAttr(Path path, String name) throws IOException {
        return getXAttrs(path, List.of(name)).get(name);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path) throws IOException {
        statistics.incrementReadOps(1);
        Map<String, byte[]> found = new LinkedHashMap<>();
        HadoopFailures.look(client.xattrs(filePath(path)), path).forEach(a -> found.put(a.name(), a.value()));
        return found;
    }

    /** As HDFS: an attribute that is not there is an error. */
    @Override
    public Map<String, byte[]> getXAttrs(Path path, List<String> names) throws IOException {
        Map<String, byte[]> found = getXAttrs(path);
        if (!found.keySet().containsAll(names)) {
            throw new IOException("At least one of the attributes provided was not found: " + path + " has "
                    + found.keySet() + ", wanted are " + names);
        }
        found.keySet().retainAll(names);
        return found;
    }

    @Override
    public List<String> listXAttrs(Path path) throws IOException {
        return List.copyOf(getXAttrs(path).keySet());
    }

    @Override
    public void removeXAttr(Path path, String name) throws IOException {
        statistics.incrementWriteOps(1);
        HadoopFailures.await(client.removeXAttr(filePath(path), name), path);
    }

    @Override
    public ContentSummary getContentSummary(Path path) throws IOException {
        statistics.incrementReadOps(1);
        return new TreeSums(client, path).of(filePath(path), getFileStatus(path).isDirectory());
    }

    @Override
    public QuotaUsage getQuotaUsage(Path path) throws IOException {
        statistics.incrementReadOps(1);
        return new TreeSums(client, path)
                .usage(filePath(path), getFileStatus(path).isDirectory());
    }

    /** Space is in bytes of chunks. Hadoop's {@code QUOTA_DONT_SET} leaves a bound and {@code QUOTA_RESET} takes it away. */
    @Override
    public void setQuota(Path path, long names, long space) throws IOException {
        statistics.incrementWriteOps(1);
        HadoopFailures.await(client.setQuota(filePath(path), bound(names), bound(space)), path);
    }

    private static Optional<Long> bound(long value) {
        return value == Long.MAX_VALUE ? Optional.empty() : Optional.of(value);
    }

    /** The state after it. What a starting namenode waits for cannot be skipped, so that forcing is as leaving. */
    @Override
    public boolean setSafeMode(SafeModeAction action, boolean isChecked) throws IOException {
        Path root = new Path("/");
        if (action != SafeModeAction.GET) {
            HadoopFailures.await(client.setSafeMode(action == SafeModeAction.ENTER), root);
        }
        return HadoopFailures.await(client.safeMode(), root).on();
    }

    @Override
    public boolean recoverLease(Path path) throws IOException {
        return HadoopFailures.look(client.recoverLease(filePath(path)), path);
    }

    @Override
    public boolean isFileClosed(Path path) throws IOException {
        io.ecfs.message.FileStatus status = HadoopFailures.look(client.status(filePath(path)), path);
        if (status.directory()) {
            throw new FileNotFoundException("Path is not a file: " + path);
        }
        return !status.open();
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
                    CommonPathCapabilities.FS_LIST_CORRUPT_FILE_BLOCKS,
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

    @Override
    protected void checkPath(Path path) {
        super.checkPath(path);
    }

    /** A call that the leader answers after all that came before: whoever calls it sees what others did before. */
    @Override
    public void msync() throws IOException {
        HadoopFailures.await(client.status(FilePath.ROOT), new Path("/"));
    }

    /** Files below the path that cannot be read, because too few chunks of a group are left. */
    @Override
    public RemoteIterator<Path> listCorruptFileBlocks(Path path) throws IOException {
        return new CorruptFiles(client, filePath(path), path, this::makeQualified);
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
