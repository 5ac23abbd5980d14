package io.ecfs.hadoop;

import io.ecfs.message.namespace.AclEntry;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply;
import java.util.List;
import org.apache.hadoop.fs.permission.AclEntryScope;
import org.apache.hadoop.fs.permission.AclEntryType;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;

/** Access control lists in Hadoop's words and in ours. */
final class Acls {
    private Acls() {}

    /** @param entries of a removal have no permission */
    static List<AclEntry> ours(List<org.apache.hadoop.fs.permission.AclEntry> entries) {
        return entries.stream()
                .map(e -> new AclEntry(
                        e.getScope() == AclEntryScope.DEFAULT ? AclEntry.Scope.DEFAULT : AclEntry.Scope.ACCESS,
                        AclEntry.Type.valueOf(e.getType().name()),
                        e.getName() == null ? "" : e.getName(),
                        e.getPermission() == null ? 0 : bits(e.getPermission())))
                .toList();
    }

    /** 4 read, 2 write, 1 execute. */
    static int bits(FsAction action) {
        return (action.implies(FsAction.READ) ? 4 : 0)
                | (action.implies(FsAction.WRITE) ? 2 : 0)
                | (action.implies(FsAction.EXECUTE) ? 1 : 0);
    }

    static AclStatus status(NamespaceReply.Acl acl) {
        FileStatus file = acl.status();
        return new AclStatus.Builder()
                .owner(file.owner())
                .group(file.group())
                .stickyBit(new FsPermission((short) file.permissions()).getStickyBit())
                .setPermission(new FsPermission((short) file.permissions()))
                .addEntries(acl.entries().stream().map(Acls::theirs).toList())
                .build();
    }

    private static org.apache.hadoop.fs.permission.AclEntry theirs(AclEntry entry) {
        return new org.apache.hadoop.fs.permission.AclEntry.Builder()
                .setScope(entry.scope() == AclEntry.Scope.DEFAULT ? AclEntryScope.DEFAULT : AclEntryScope.ACCESS)
                .setType(AclEntryType.valueOf(entry.type().name()))
                .setName(entry.name().isEmpty() ? null : entry.name())
                .setPermission(new FsPermission((short) entry.bits()).getOtherAction())
                .build();
    }
}
