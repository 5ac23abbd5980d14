package io.ecfs.hadoop;

import io.ecfs.message.namespace.NamespaceRequest.ChangeAcl;
import io.ecfs.message.namespace.XAttr;
import java.io.IOException;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The part of {@link EcfsFileSystem} for the attributes of a file or directory: permissions, extended attributes, sums
 * and quotas.
 */
abstract class AttributeFileSystem extends ClientFileSystem {
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
        HadoopFailures.awaitLookup(client.checkAccess(filePath(path), Acls.bits(action)), path);
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
        return Acls.status(HadoopFailures.awaitLookup(client.acl(filePath(path)), path));
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
        HadoopFailures.awaitLookup(client.xattrs(filePath(path)), path).forEach(a -> found.put(a.name(), a.value()));
        return found;
    }

    /** Returns attributes by name; as in HDFS, a missing attribute is an error. */
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
        return new TreeSums(client, path).of(HadoopFailures.awaitLookup(client.status(filePath(path)), path));
    }

    @Override
    public QuotaUsage getQuotaUsage(Path path) throws IOException {
        statistics.incrementReadOps(1);
        return new TreeSums(client, path).usage(HadoopFailures.awaitLookup(client.status(filePath(path)), path));
    }

    /**
     * Space is in bytes of chunks. Hadoop's {@code QUOTA_DONT_SET} leaves a bound and {@code QUOTA_RESET} removes it.
     */
    @Override
    public void setQuota(Path path, long names, long space) throws IOException {
        statistics.incrementWriteOps(1);
        HadoopFailures.await(client.setQuota(filePath(path), bound(names), bound(space)), path);
    }

    private static Optional<Long> bound(long value) {
        return value == Long.MAX_VALUE ? Optional.empty() : Optional.of(value);
    }
}
