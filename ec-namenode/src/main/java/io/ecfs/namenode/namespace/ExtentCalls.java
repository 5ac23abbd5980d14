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
import io.ecfs.namenode.cluster.Counter;
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
        Optional<Lease> lease = Leases.find(scope.transaction(), inode.id());
        if (lease.isPresent()) {
            if (FileCalls.mayTakeOver(scope, lease.get(), false)) {
                boolean closed = LeaseRecovery.takeOver(scope.transaction(), lease.get(), scope.now());
                return new CommandResult.Recovery(inode.id(), closed);
            }
            throw open(call.path(), lease.get());
        }
        GroupFacts group = scope.allocate(new GroupOwner.File(inode.id()), file.policy());
        Leases.put(scope.transaction(), scope.lease(inode.id(), Optional.of(group.group())));
        Inode opened = inode.withBody(file.with(true));
        Inodes.put(scope.transaction(), opened);
        return new CommandResult.Created(
                NamespaceView.status(opened, call.path(), resolved.inherited(scope.identity())), group);
    }

    static CommandResult truncate(Scope scope, Truncate call) throws EcfsException {
        PathResolution resolved = scope.resolve(call.path());
        Inode.File file = resolved.file();
        scope.permissions().check(resolved.last(), Permissions.Access.WRITE, call.path());
        requireClosed(scope.transaction(), resolved.last(), call.path());
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
        List<Extent> cut = new ArrayList<>();
        for (Extent extent : file.extents()) {
            if (extent.fileOffset() >= call.length()) {
                cut.add(extent);
            } else {
                long length = Math.min(extent.length(), call.length() - extent.fileOffset());
                remaining.add(extent.first(length));
                long dropped = extent.length() - length;
                packed(scope.transaction(), extent)
                        .filter(group -> dropped > 0)
                        .ifPresent(group -> PackedGroups.cut(scope.transaction(), group, dropped));
            }
        }
        drop(scope.transaction(), resolved.last(), cut, remaining);
        return new CommandResult.Status(keep(scope, resolved.last(), call.path(), remaining, call.length()));
    }

    /** Queues groups that a file no longer has like those of a deleted file, a bounded number at a time. */
    private static void drop(Transaction transaction, Inode inode, List<Extent> cut, List<Extent> remaining) {
        // A group with other bytes of the file goes with the last of them.
        List<Extent> gone = cut.stream()
                .filter(extent -> packed(transaction, extent).isPresent()
                        || remaining.stream().noneMatch(other -> other.group().equals(extent.group())))
                .toList();
        if (!gone.isEmpty()) {
            InodeId id = new InodeId(Counter.LAST_INODE.next(transaction));
            long from = gone.get(0).fileOffset();
            List<Extent> moved =
                    gone.stream().map(e -> e.at(e.fileOffset() - from)).toList();
            Inode.File body = new Inode.File(((Inode.File) inode.body()).policy(), false, moved);
            Inodes.put(transaction, new Inode(id, Optional.empty(), inode.name(), inode.attributes(), body));
            Counter.FILES.add(transaction, 1);
            for (Extent extent : gone) {
                packed(transaction, extent)
                        .ifPresent(group -> PackedGroups.move(transaction, group.group(), inode.id(), remaining, id));
            }
            Deletions.pend(transaction, Inodes.get(transaction, id));
        }
    }

    static CommandResult concat(Scope scope, Concat call) throws EcfsException {
        Transaction transaction = scope.transaction();
        PathResolution target = scope.resolve(call.path());
        Inode.File file = target.file();
        scope.permissions().check(target.last(), Permissions.Access.WRITE, call.path());
        requireClosed(transaction, target.last(), call.path());
        requireDistinct(call);
        List<Extent> extents = new ArrayList<>(file.extents());
        long end = file.length();
        for (FilePath path : call.sources()) {
            PathResolution resolved = scope.resolve(path);
            Inode.File source = resolved.file();
            scope.checkRemovable(resolved);
            scope.permissions().check(resolved.last(), Permissions.Access.READ, path);
            requireClosed(transaction, resolved.last(), path);
            if (source.extents().isEmpty()) {
                throw new EcfsException(
                        ErrorCode.INVALID_ARGUMENT, path + " is empty: there is nothing to move to " + call.path());
            }
            for (Extent extent : source.extents()) {
                extents.add(extent.at(end));
                end = Math.addExact(end, extent.length());
                give(
                        transaction,
                        extent.group(),
                        resolved.last().id(),
                        target.last().id());
            }
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

    private static Optional<GroupFacts> packed(Transaction transaction, Extent extent) {
        return Groups.find(transaction, extent.group()).filter(PackedGroups::packed);
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
