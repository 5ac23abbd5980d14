package io.ecfs.namenode.namespace;

import io.ecfs.dispatch.HandlerTable;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.Append;
import io.ecfs.message.namespace.NamespaceRequest.Concat;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.message.namespace.NamespaceRequest.Truncate;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.GroupOwner;
import io.ecfs.namenode.group.Groups;
import io.ecfs.namenode.group.PackedGroups;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.namespace.inode.Lease;
import io.ecfs.namenode.namespace.inode.Leases;
import io.ecfs.namenode.namespace.path.PathResolution;
import io.ecfs.namenode.namespace.path.Permissions;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Changes of the extents of existing files (HDFS: FSDirAppendOp, FSDirTruncateOp, FSDirConcatOp). No byte of a group is
 * ever rewritten: an append goes on in a group of its own, a truncate shortens the last extent, a concat moves extents.
 */
final class ExtentCalls {
    static final HandlerTable<Mutation, Scope, CommandResult> HANDLERS =
            HandlerTable.<Mutation, Scope, CommandResult>builder()
                    .on(NamespaceRequest.Append.class, ExtentCalls::append)
                    .on(NamespaceRequest.Truncate.class, ExtentCalls::truncate)
                    .on(NamespaceRequest.Concat.class, ExtentCalls::concat)
                    .build();

    private ExtentCalls() {}

    /** Opens the file again. When a lost writer still holds the lease, recovery begins and the caller retries. */
    static CommandResult append(Scope scope, Append call) throws EcfsException {
        PathResolution resolved = scope.resolve(call.path());
        Inode inode = resolved.last();
        Inode.File file = resolved.file();
        scope.permissions().check(inode, Permissions.Access.WRITE, call.path());
        requireNoPatches(file, call.path());
        Optional<CommandResult> recovery = takeOver(scope, inode, call.path());
        if (recovery.isPresent()) {
            return recovery.get();
        }
        GroupFacts group = scope.allocate(new GroupOwner.File(inode.id()), file.policy());
        Leases.put(scope.transaction(), scope.lease(inode.id(), Optional.of(group.group())));
        Inode opened = inode.withBody(file.openedToAppend());
        Inodes.put(scope.transaction(), opened);
        return new CommandResult.Created(
                NamespaceView.status(opened, call.path(), resolved.inherited(scope.identity())), group);
    }

    /**
     * Takes a file from a writer that is gone. Empty when no client has it open; otherwise the answer to give.
     *
     * @throws EcfsException {@code LEASE_CONFLICT} when a client writes it
     */
    static Optional<CommandResult> takeOver(Scope scope, Inode inode, FilePath path) throws EcfsException {
        Optional<Lease> lease = Leases.find(scope.transaction(), inode.id());
        if (lease.isEmpty()) {
            return Optional.empty();
        }
        if (!FileCalls.mayTakeOver(scope, lease.get(), false)) {
            throw open(path, lease.get());
        }
        boolean closed = LeaseRecovery.takeOver(scope.transaction(), lease.get(), scope.now());
        return Optional.of(new CommandResult.Recovery(inode.id(), closed));
    }

    /** @throws EcfsException {@code INVALID_ARGUMENT} for a file with patches */
    static void requireNoPatches(Inode.File file, FilePath path) throws EcfsException {
        if (!file.patches().isEmpty()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    path + " was updated and has " + file.patches().size()
                            + " patches: compact it first ('ecfs admin compact " + path + "')");
        }
    }

    static CommandResult truncate(Scope scope, Truncate call) throws EcfsException {
        PathResolution resolved = scope.resolve(call.path());
        Inode.File file = resolved.file();
        scope.permissions().check(resolved.last(), Permissions.Access.WRITE, call.path());
        requireClosed(scope.transaction(), resolved.last(), call.path());
        requireNoPatches(file, call.path());
        boolean before = call.from().isPresent() && call.from().get() != file.length();
        if (before && call.length() == file.length()) {
            return new CommandResult.Status(NamespaceView.status(resolved.last(), call.path(), file.policy()));
        } else if (before) {
            throw new EcfsException(
                    ErrorCode.FILE_CHANGED,
                    call.path() + " is not cut from " + call.from().get() + " to " + call.length()
                            + " bytes: it has become " + file.length() + " bytes long");
        }
        if (call.length() < 0 || call.length() > file.length()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    call.path() + " of " + file.length() + " bytes cannot be truncated to " + call.length());
        }
        List<Extent> remaining = new ArrayList<>();
        for (Extent extent : file.extents()) {
            if (extent.fileOffset() < call.length()) {
                remaining.add(extent.first(Math.min(extent.length(), call.length() - extent.fileOffset())));
            }
        }
        DroppedBytes.drop(scope.transaction(), resolved.last(), remaining, file.patches());
        return new CommandResult.Status(keep(scope, resolved.last(), call.path(), remaining, call.length()));
    }

    static CommandResult concat(Scope scope, Concat call) throws EcfsException {
        Transaction transaction = scope.transaction();
        PathResolution target = scope.resolve(call.path());
        Inode.File file = target.file();
        scope.permissions().check(target.last(), Permissions.Access.WRITE, call.path());
        requireClosed(transaction, target.last(), call.path());
        requireNoPatches(file, call.path());
        requireDistinct(call);
        List<Extent> extents = new ArrayList<>(file.extents());
        long end = file.length();
        for (FilePath path : call.sources()) {
            PathResolution resolved = scope.resolve(path);
            Inode.File source = resolved.file();
            scope.checkRemovable(resolved);
            scope.permissions().check(resolved.last(), Permissions.Access.READ, path);
            requireClosed(transaction, resolved.last(), path);
            requireNoPatches(source, path);
            if (source.length() == 0) {
                throw new EcfsException(
                        ErrorCode.INVALID_ARGUMENT, path + " is empty: there is nothing to move to " + call.path());
            }
            for (Extent extent : source.extents()) {
                extents.add(extent.at(Math.addExact(end, extent.fileOffset())));
                give(
                        transaction,
                        extent.group(),
                        resolved.last().id(),
                        target.last().id());
            }
            end = Math.addExact(end, source.length());
            Inode emptied = resolved.last().withBody(new Inode.File(source.policy(), false, List.of()));
            Inodes.put(transaction, emptied);
            Deletions.unlink(scope, resolved.parent(), emptied);
        }
        return new CommandResult.Status(
                keep(scope, Inodes.get(transaction, target.last().id()), call.path(), extents, end));
    }

    /** All that a file has in a group is another's from now on. */
    private static void give(Transaction transaction, GroupId id, InodeId from, InodeId to) {
        GroupFacts group = Groups.find(transaction, id).orElseThrow();
        if (PackedGroups.packed(group)) {
            PackedGroups.move(transaction, id, from, List.of(), to);
        } else {
            Groups.put(transaction, group.of(to));
        }
    }

    private static void requireDistinct(Concat call) throws EcfsException {
        Set<FilePath> seen = new HashSet<>();
        seen.add(call.path());
        for (FilePath source : call.sources()) {
            if (!seen.add(source)) {
                throw new EcfsException(
                        ErrorCode.INVALID_ARGUMENT, source + " is named twice in a concat to " + call.path());
            }
        }
        if (call.sources().isEmpty()) {
            throw new EcfsException(ErrorCode.INVALID_ARGUMENT, "nothing to concat to " + call.path());
        }
    }

    private static void requireClosed(Transaction transaction, Inode inode, FilePath path) throws EcfsException {
        Optional<Lease> lease = Leases.find(transaction, inode.id());
        if (lease.isPresent()) {
            throw open(path, lease.get());
        }
    }

    private static EcfsException open(FilePath path, Lease lease) {
        return new EcfsException(
                ErrorCode.LEASE_CONFLICT,
                path + " is open: " + lease.holderInWords() + (lease.recovering() ? ", try again" : ""));
    }

    private static FileStatus keep(Scope scope, Inode inode, FilePath path, List<Extent> extents, long length) {
        Inode.File file = (Inode.File) inode.body();
        Inode changed = inode.withBody(file.with(false, extents, length))
                .withAttributes(inode.attributes().modifiedAt(scope.now()));
        Inodes.put(scope.transaction(), changed);
        return NamespaceView.status(changed, path, file.policy());
    }
}
