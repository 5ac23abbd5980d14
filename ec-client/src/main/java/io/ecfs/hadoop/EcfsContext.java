package io.ecfs.hadoop;

import io.ecfs.client.ClusterUri;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.AbstractFileSystem;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * ECFS behind Hadoop's {@code FileContext}: {@link EcfsFileSystem} with permissions that the context has masked
 * already. It shares the cached file system of its user, and so one client.
 *
 * <p>Set {@code fs.AbstractFileSystem.ecfs.impl} to this class: Hadoop does not find it by itself.
 */
public final class EcfsContext extends AbstractFileSystem {
    private final EcfsFileSystem files;

    /** For Hadoop, which finds this constructor by reflection. */
    public EcfsContext(URI uri, Configuration configuration) throws IOException, URISyntaxException {
        super(standIn(uri), ClusterUri.SCHEME, false, -1);
        files = (EcfsFileSystem) FileSystem.get(uri, configuration);
        statistics = getStatistics(files.getUri());
    }

    /**
     * Hadoop makes a host of the authority, which a list cannot be. A list is left out there, and {@link #getUri} has
     * the whole.
     */
    private static URI standIn(URI uri) {
        String authority = uri.getAuthority();
        return authority != null && authority.indexOf(',') >= 0 ? URI.create(uri.getScheme() + ":///") : uri;
    }

    /** As {@link EcfsFileSystem#getUri}: the logical name or the list, whole and without a port of its own. */
    @Override
    public URI getUri() {
        return files.getUri();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EcfsContext context && getUri().equals(context.getUri());
    }

    @Override
    public int hashCode() {
        return getUri().hashCode();
    }

    @Override
    public int getUriDefaultPort() {
        return -1;
    }

    @Override
    public void checkPath(Path path) {
        files.checkPath(path);
    }

    @Override
    @Deprecated // in Hadoop
    @SuppressWarnings("InlineMeSuggester") // only Hadoop calls it
    public FsServerDefaults getServerDefaults() throws IOException {
        return getServerDefaults(new Path("/"));
    }

    @Override
    public FsServerDefaults getServerDefaults(Path path) throws IOException {
        return files.getServerDefaults(path);
    }

    @Override
    public Path getHomeDirectory() {
        return files.getHomeDirectory();
    }

    @Override
    public FSDataOutputStream createInternal(
            Path path,
            EnumSet<CreateFlag> flags,
            FsPermission absolute,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            Options.ChecksumOpt checksum,
            boolean createParent)
            throws IOException {
        return files.create(
                path, absolute.toShort(), flags, createParent, Optional.empty(), Optional.empty(), progress);
    }

    @Override
    public void mkdir(Path path, FsPermission absolute, boolean createParent) throws IOException {
        files.mkdirs(path, absolute.toShort(), createParent);
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        return files.delete(path, recursive);
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
        return files.open(path, bufferSize);
    }

    @Override
    public boolean truncate(Path path, long length) throws IOException {
        return files.truncate(path, length);
    }

    @Override
    public boolean setReplication(Path path, short replication) throws IOException {
        return files.setReplication(path, replication);
    }

    @Override
    public void renameInternal(Path from, Path to) throws IOException {
        renameInternal(from, to, false);
    }

    @Override
    @SuppressWarnings("deprecation") // in Hadoop, whose FileContext still means it
    public void renameInternal(Path from, Path to, boolean overwrite) throws IOException {
        files.rename(from, to, overwrite ? Options.Rename.OVERWRITE : Options.Rename.NONE);
    }

    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
        files.setPermission(path, permission);
    }

    @Override
    public void setOwner(Path path, String owner, String group) throws IOException {
        files.setOwner(path, owner, group);
    }

    @Override
    public void setTimes(Path path, long modified, long accessed) throws IOException {
        files.setTimes(path, modified, accessed);
    }

    @Override
    public FileChecksum getFileChecksum(Path path) throws IOException {
        return files.getFileChecksum(path);
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        return files.getFileStatus(path);
    }

    @Override
    public void msync() throws IOException {
        files.msync();
    }

    @Override
    public void access(Path path, FsAction action) throws IOException {
        files.access(path, action);
    }

    @Override
    public BlockLocation[] getFileBlockLocations(Path path, long start, long length) throws IOException {
        return files.getFileBlockLocations(path, start, length);
    }

    @Override
    public FsStatus getFsStatus() throws IOException {
        return files.getStatus();
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        return files.listStatus(path);
    }

    @Override
    public RemoteIterator<FileStatus> listStatusIterator(Path path) throws IOException {
        return files.listStatusIterator(path);
    }

    @Override
    public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path) throws IOException {
        return files.listLocatedStatus(path);
    }

    @Override
    public RemoteIterator<Path> listCorruptFileBlocks(Path path) throws IOException {
        return files.listCorruptFileBlocks(path);
    }

    /** Ignored: every byte is always verified. */
    @Override
    public void setVerifyChecksum(boolean verify) {}

    @Override
    public void modifyAclEntries(Path path, List<AclEntry> entries) throws IOException {
        files.modifyAclEntries(path, entries);
    }

    @Override
    public void removeAclEntries(Path path, List<AclEntry> entries) throws IOException {
        files.removeAclEntries(path, entries);
    }

    @Override
    public void removeDefaultAcl(Path path) throws IOException {
        files.removeDefaultAcl(path);
    }

    @Override
    public void removeAcl(Path path) throws IOException {
        files.removeAcl(path);
    }

    @Override
    public void setAcl(Path path, List<AclEntry> entries) throws IOException {
        files.setAcl(path, entries);
    }

    @Override
    public AclStatus getAclStatus(Path path) throws IOException {
        return files.getAclStatus(path);
    }

    @Override
    public void setXAttr(Path path, String name, byte[] value, EnumSet<XAttrSetFlag> flags) throws IOException {
        files.setXAttr(path, name, value, flags);
    }

    @Override
    public byte[] getXAttr(Path path, String name) throws IOException {
        return files.getXAttr(path, name);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path) throws IOException {
        return files.getXAttrs(path);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path, List<String> names) throws IOException {
        return files.getXAttrs(path, names);
    }

    @Override
    public List<String> listXAttrs(Path path) throws IOException {
        return files.listXAttrs(path);
    }

    @Override
    public void removeXAttr(Path path, String name) throws IOException {
        files.removeXAttr(path, name);
    }

    @Override
    public boolean hasPathCapability(Path path, String capability) throws IOException {
        return files.hasPathCapability(path, capability);
    }
}
