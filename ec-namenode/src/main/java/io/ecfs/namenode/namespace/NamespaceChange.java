package io.ecfs.namenode.namespace;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.InodeId;
import io.ecfs.message.namespace.NamespaceRequest.AbandonFile;
import io.ecfs.message.namespace.NamespaceRequest.AddGroup;
import io.ecfs.message.namespace.NamespaceRequest.Append;
import io.ecfs.message.namespace.NamespaceRequest.ChangeAcl;
import io.ecfs.message.namespace.NamespaceRequest.CompleteFile;
import io.ecfs.message.namespace.NamespaceRequest.Concat;
import io.ecfs.message.namespace.NamespaceRequest.Create;
import io.ecfs.message.namespace.NamespaceRequest.Delete;
import io.ecfs.message.namespace.NamespaceRequest.LeaveOut;
import io.ecfs.message.namespace.NamespaceRequest.Mkdirs;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.message.namespace.NamespaceRequest.RecoverLease;
import io.ecfs.message.namespace.NamespaceRequest.RemoveXAttr;
import io.ecfs.message.namespace.NamespaceRequest.Rename;
import io.ecfs.message.namespace.NamespaceRequest.SealGroup;
import io.ecfs.message.namespace.NamespaceRequest.SetMode;
import io.ecfs.message.namespace.NamespaceRequest.SetOwner;
import io.ecfs.message.namespace.NamespaceRequest.SetPolicy;
import io.ecfs.message.namespace.NamespaceRequest.SetQuota;
import io.ecfs.message.namespace.NamespaceRequest.SetTimes;
import io.ecfs.message.namespace.NamespaceRequest.SetXAttr;
import io.ecfs.message.namespace.NamespaceRequest.Truncate;
import io.ecfs.namenode.cluster.ClusterIdentity;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import java.util.Optional;

/** What commands do to files and directories. When one throws, its writes must be dropped by whoever began the transaction. */
public final class NamespaceChange {
    private static final int ROOT_MODE = 0755;

    private NamespaceChange() {}

    /** Makes the root directory of a new cluster. */
    public static void format(Transaction transaction, ClusterIdentity identity) {
        Attributes attributes = new Attributes(
                ROOT_MODE,
                identity.owner(),
                ClusterIdentity.SUPERGROUP,
                identity.formattedMillis(),
                identity.formattedMillis());
        InodeId root = new InodeId(Counter.LAST_INODE.next(transaction));
        Inodes.put(
                transaction,
                new Inode(root, Optional.empty(), "", attributes, new Inode.Directory(DirectorySettings.NONE)));
        Counter.DIRECTORIES.add(transaction, 1);
    }

    /** @throws EcfsException why the call is refused */
    public static CommandResult call(Transaction transaction, ClusterIdentity identity, Command.Call call)
            throws EcfsException {
        return QuotaGuard.within(transaction, guarded -> apply(Scope.of(guarded, identity, call), call));
    }

    private static CommandResult apply(Scope scope, Command.Call call) throws EcfsException {
        Mutation mutation = call.mutation();
        if (mutation instanceof Create m) {
            return FileCalls.create(scope, m);
        } else if (mutation instanceof AddGroup m) {
            return FileCalls.addGroup(scope, m);
        } else if (mutation instanceof SealGroup m) {
            return FileCalls.sealGroup(scope, m);
        } else if (mutation instanceof LeaveOut m) {
            return FileCalls.leaveOut(scope, m);
        } else if (mutation instanceof CompleteFile m) {
            return FileCalls.complete(scope, m);
        } else if (mutation instanceof AbandonFile m) {
            return FileCalls.abandon(scope, m);
        } else if (mutation instanceof Append m) {
            return ExtentCalls.append(scope, m);
        } else if (mutation instanceof Truncate m) {
            return ExtentCalls.truncate(scope, m);
        } else if (mutation instanceof Concat m) {
            return ExtentCalls.concat(scope, m);
        } else if (mutation instanceof RecoverLease m) {
            return LeaseRecovery.recoverLease(scope, m);
        } else if (mutation instanceof Mkdirs m) {
            return TreeCalls.mkdirs(scope, m);
        } else if (mutation instanceof Rename m) {
            return RenameCall.rename(scope, m);
        } else if (mutation instanceof Delete m) {
            return TreeCalls.delete(scope, m);
        } else if (mutation instanceof SetMode m) {
            return AttributeCalls.setMode(scope, m);
        } else if (mutation instanceof SetOwner m) {
            return AttributeCalls.setOwner(scope, m);
        } else if (mutation instanceof SetTimes m) {
            return AttributeCalls.setTimes(scope, m);
        } else if (mutation instanceof SetPolicy m) {
            return AttributeCalls.setPolicy(scope, m);
        } else if (mutation instanceof ChangeAcl m) {
            return AttributeCalls.changeAcl(scope, m);
        } else if (mutation instanceof SetQuota m) {
            return AttributeCalls.setQuota(scope, m);
        } else if (mutation instanceof SetXAttr m) {
            return XAttrCalls.set(scope, m);
        } else if (mutation instanceof RemoveXAttr m) {
            return XAttrCalls.remove(scope, m);
        }
        throw new IllegalStateException("no rule for " + mutation.getClass().getSimpleName());
    }

    /** @throws EcfsException {@code NOT_FOUND}, or {@code LEASE_CONFLICT} when another holds the lease by now */
    public static CommandResult beginRecovery(Transaction transaction, Command.BeginRecovery command)
            throws EcfsException {
        return LeaseRecovery.begin(transaction, command);
    }

    /** @throws EcfsException when the file is not in recovery or the group is not as said */
    public static CommandResult finishRecovery(Transaction transaction, Command.FinishRecovery command)
            throws EcfsException {
        return LeaseRecovery.finish(transaction, command);
    }

    /**
     * Turns deleted files into garbage, at most {@code budget} rows of them. Returns how many deletions are left.
     *
     * @param upTo the last deletion that may be purged; 0: all
     */
    public static long purge(Transaction transaction, int budget, long upTo) {
        return Deletions.purge(transaction, budget, upTo);
    }
}
