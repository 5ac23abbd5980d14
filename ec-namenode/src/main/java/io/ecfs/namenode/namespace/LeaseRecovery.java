package io.ecfs.namenode.namespace;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.InodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.NamespaceRequest.RecoverLease;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.namespace.inode.Lease;
import io.ecfs.namenode.namespace.inode.Leases;
import io.ecfs.namenode.namespace.path.PathResolution;
import io.ecfs.namenode.namespace.path.Paths;
import io.ecfs.namenode.namespace.path.Permissions;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import java.util.Optional;

/**
 * Takes open files from writers that are gone (HDFS: lease recovery). From the takeover on the old holder is refused,
 * so the open group cannot change while the leader finds out how much of it k chunks hold.
 */
final class LeaseRecovery {
    private LeaseRecovery() {}

    /**
     * Begins recovery at once, whichever client holds the lease (HDFS: recoverLease with force). The caller needs the
     * right to write the file.
     */
    static CommandResult recoverLease(Scope scope, RecoverLease call) throws EcfsException {
        if (call.file().isPresent()) {
            return release(scope, call.path(), call.file().get());
        }
        PathResolution resolved = scope.resolve(call.path());
        resolved.file();
        scope.permissions().check(resolved.last(), Permissions.Access.WRITE, call.path());
        Optional<Lease> lease = Leases.find(scope.transaction(), resolved.last().id());
        boolean closed = lease.isEmpty() || takeOver(scope.transaction(), lease.get(), scope.now());
        return new CommandResult.Recovery(resolved.last().id(), closed);
    }

    /**
     * Releases the lease of the calling writer: by now the path may name another file, or another client may hold the
     * lease.
     */
    private static CommandResult release(Scope scope, FilePath path, InodeId file) throws EcfsException {
        Optional<Lease> lease = Leases.find(scope.transaction(), file);
        if (lease.isEmpty()) {
            throw new EcfsException(
                    ErrorCode.NOT_FOUND, "file " + file + ", written as " + path + ", is closed or deleted by now");
        }
        if (!scope.holds(lease.get())) {
            throw new EcfsException(
                    ErrorCode.LEASE_CONFLICT,
                    "file " + file + ", written as " + path + " by " + scope.client() + ", is not its any more: "
                            + lease.get().holderInWords());
        }
        return new CommandResult.Recovery(file, takeOver(scope.transaction(), lease.get(), scope.now()));
    }

    static CommandResult begin(Transaction transaction, Command.BeginRecovery command) throws EcfsException {
        Optional<Lease> lease = Leases.find(transaction, command.file());
        Optional<Inode> inode = Inodes.find(transaction, command.file());
        if (inode.flatMap(i -> Paths.find(transaction, i)).isEmpty()) {
            throw new EcfsException(ErrorCode.NOT_FOUND, "file " + command.file() + " was deleted or never existed");
        }
        if (lease.isPresent() && !lease.get().holder().equals(command.holder())) {
            throw new EcfsException(ErrorCode.LEASE_CONFLICT, "file " + command.file() + " has another writer by now");
        }
        boolean closed = lease.isEmpty() || takeOver(transaction, lease.get(), command.nowMillis());
        return new CommandResult.Recovery(command.file(), closed);
    }

    static CommandResult finish(Transaction transaction, Command.FinishRecovery command) throws EcfsException {
        OpenFile writing = OpenFile.inRecovery(transaction, command.file());
        writing.sealRecovered(command.last());
        return new CommandResult.Status(writing.close(command.nowMillis()));
    }

    /**
     * Fences the holder. A file without an open group has nothing to recover: it is closed at once, and the result is
     * true.
     */
    static boolean takeOver(Transaction transaction, Lease lease, long nowMillis) throws EcfsException {
        if (lease.recovering()) {
            return false;
        }
        Lease taken = lease.inRecovery(nowMillis);
        Leases.put(transaction, taken);
        if (taken.openGroup().isEmpty()) {
            OpenFile.inRecovery(transaction, lease.file()).close(nowMillis);
            return true;
        }
        return false;
    }
}
