package io.ecfs.namenode.namespace;

import io.ecfs.dispatch.HandlerTable;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.InodeId;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.namenode.cluster.ClusterIdentity;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.namespace.inode.Attributes;
import io.ecfs.namenode.namespace.inode.DirectorySettings;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import java.util.Optional;
import java.util.Set;

/**
 * Changes of files and directories by commands. When one throws, the caller drops what the transaction wrote. The
 * handlers of mutations stand in the file of their family.
 */
public final class NamespaceChange {
    private static final int ROOT_MODE = 0755;

    private static final HandlerTable<Mutation, Scope, CommandResult> HANDLERS =
            HandlerTable.<Mutation, Scope, CommandResult>builder()
                    .with(FileCalls.HANDLERS)
                    .with(ExtentCalls.HANDLERS)
                    .with(UpdateCalls.HANDLERS)
                    .with(PackCalls.HANDLERS)
                    .with(TreeCalls.HANDLERS)
                    .with(AttributeCalls.HANDLERS)
                    .with(ConversionCalls.HANDLERS)
                    .with(XAttrCalls.HANDLERS)
                    .build();

    private NamespaceChange() {}

    /** The mutations of files and directories. */
    public static Set<Class<?>> kinds() {
        return HANDLERS.kinds();
    }

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
        return QuotaGuard.within(
                transaction, () -> HANDLERS.handle(Scope.of(transaction, identity, call), call.mutation()));
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

    /** @throws EcfsException {@code FILE_CHANGED}, {@code INVALID_ARGUMENT} or {@code NO_SPACE} */
    public static CommandResult beginRewrite(Transaction transaction, Command.BeginRewrite command)
            throws EcfsException {
        return ExtentSwap.begin(transaction, command);
    }

    /** @throws EcfsException {@code NOT_FOUND}, or {@code INVALID_ARGUMENT} when the group is not as said */
    public static CommandResult commitRewrite(Transaction transaction, Command.CommitRewrite command)
            throws EcfsException {
        return ExtentSwap.commit(transaction, command);
    }

    /** @throws EcfsException {@code NOT_FOUND} */
    public static CommandResult abortRewrite(Transaction transaction, Command.AbortRewrite command)
            throws EcfsException {
        return ExtentSwap.abort(transaction, command);
    }

    /** @throws EcfsException {@code FILE_CHANGED} when the file is gone, open, or has bytes under another policy */
    public static CommandResult adoptPolicy(Transaction transaction, Command.AdoptPolicy command) throws EcfsException {
        return ExtentSwap.adopt(transaction, command);
    }

    /** Records what a leader has done of a conversion. */
    public static CommandResult recordConversion(Transaction transaction, Command.RecordConversion command) {
        return ConversionCalls.record(transaction, command);
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
