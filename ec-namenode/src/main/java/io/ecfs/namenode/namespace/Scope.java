package io.ecfs.namenode.namespace;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.FilePath;
import io.ecfs.namenode.cluster.ClusterIdentity;
import io.ecfs.namenode.cluster.LevelInForce;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.group.Allocation;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.GroupOwner;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.namespace.inode.Lease;
import io.ecfs.namenode.namespace.path.PathResolution;
import io.ecfs.namenode.namespace.path.Permissions;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import java.util.Optional;

/** One call of a client while it is applied. */
record Scope(Transaction transaction, ClusterIdentity identity, Permissions permissions, Command.Call call) {
    static Scope of(Transaction transaction, ClusterIdentity identity, Command.Call call) {
        return new Scope(transaction, identity, new Permissions(identity, call.caller()), call);
    }

    long now() {
        return call.nowMillis();
    }

    String user() {
        return call.caller().user();
    }

    String client() {
        return call.mutation().request().client();
    }

    /** Returns whether the rules of feature level 2 apply to names and deletes. */
    boolean strict() {
        return LevelInForce.reached(transaction, FeatureLevel.OF_USERS);
    }

    /** Returns whether the caller's client holds this lease: with its user, or for the superuser. */
    boolean holds(Lease lease) {
        return lease.heldBy(client(), user())
                || (permissions.superuser() && lease.holder().equals(client()));
    }

    /** A lease that the caller's client takes. */
    Lease lease(InodeId file, Optional<GroupId> openGroup) {
        return new Lease(file, client(), Optional.of(user()), now(), false, openGroup);
    }

    /** An open group on the volumes that the leader chose. */
    GroupFacts allocate(GroupOwner owner, Policy policy) throws EcfsException {
        return Allocation.allocate(
                transaction, owner, policy, call.candidates(), call.stamp().orElse(Stamp.NONE));
    }

    PathResolution resolve(FilePath path) throws EcfsException {
        return PathResolution.of(transaction, path, permissions);
    }

    /** Notes that the entries of a directory changed now. */
    void touch(Inode directory) {
        // Read again: the call may have changed the directory since the path was resolved.
        Inode present = Inodes.get(transaction, directory.id());
        Inodes.put(transaction, present.withAttributes(present.attributes().modifiedAt(now())));
    }

    /** Checks that the caller may remove the target, which is not the root, from its directory. */
    void checkRemovable(PathResolution resolved) throws EcfsException {
        FilePath path = resolved.path();
        permissions().check(resolved.parent(), Permissions.Access.WRITE, path);
        permissions().checkSticky(resolved.parent(), resolved.last(), path);
    }
}
