package io.ecfs.namenode.namespace;

import io.ecfs.dispatch.HandlerTable;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.AbandonFile;
import io.ecfs.message.namespace.NamespaceRequest.AddGroup;
import io.ecfs.message.namespace.NamespaceRequest.CompleteFile;
import io.ecfs.message.namespace.NamespaceRequest.Create;
import io.ecfs.message.namespace.NamespaceRequest.CreateWithoutGroup;
import io.ecfs.message.namespace.NamespaceRequest.LeaveOut;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.message.namespace.NamespaceRequest.SealGroup;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.GroupOwner;
import io.ecfs.namenode.namespace.inode.Attributes;
import io.ecfs.namenode.namespace.inode.Inherited;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.namespace.inode.Lease;
import io.ecfs.namenode.namespace.inode.Leases;
import io.ecfs.namenode.namespace.path.PathResolution;
import io.ecfs.namenode.namespace.path.Permissions;
import java.util.List;
import java.util.Optional;

/**
 * Writing a file, from create to close (HDFS: FSDirWriteFileOp). Life of a file:
 *
 * <pre>
 *   create --&gt; open, group allocated --AddGroup / SealGroup--&gt; open --CompleteFile--&gt; closed
 *                        |                                         ^
 *                        +--takeover--&gt; open, in recovery --finish-+
 * </pre>
 */
final class FileCalls {
    static final HandlerTable<Mutation, Scope, CommandResult> HANDLERS =
            HandlerTable.<Mutation, Scope, CommandResult>builder()
                    .on(NamespaceRequest.Create.class, FileCalls::create)
                    .on(NamespaceRequest.CreateWithoutGroup.class, FileCalls::createWithoutGroup)
                    .on(NamespaceRequest.AddGroup.class, FileCalls::addGroup)
                    .on(NamespaceRequest.SealGroup.class, FileCalls::sealGroup)
                    .on(NamespaceRequest.LeaveOut.class, FileCalls::leaveOut)
                    .on(NamespaceRequest.CompleteFile.class, FileCalls::complete)
                    .on(NamespaceRequest.AbandonFile.class, FileCalls::abandon)
                    .on(NamespaceRequest.RecoverLease.class, LeaseRecovery::recoverLease)
                    .build();

    private FileCalls() {}

    static CommandResult create(Scope scope, Create call) throws EcfsException {
        return create(scope, call, true);
    }

    static CommandResult createWithoutGroup(Scope scope, CreateWithoutGroup call) throws EcfsException {
        return create(scope, call.create(), false);
    }

    private static CommandResult create(Scope scope, Create call, boolean withGroup) throws EcfsException {
        TreeCalls.checkMode(call.mode());
        PathResolution resolved = scope.resolve(call.path());
        Inherited inherited = resolved.inherited(scope.identity());
        Policy policy = call.policy().orElse(inherited.policy());
        Inode directory;
        if (resolved.exists()) {
            Optional<CommandResult> instead = replace(scope, call, resolved);
            if (instead.isPresent()) {
                return instead.get();
            }
            directory = resolved.parent();
        } else {
            List<String> parents =
                    resolved.missing().subList(0, resolved.missing().size() - 1);
            if (!parents.isEmpty() && !call.createParents()) {
                resolved.directoryForMissing();
            }
            // As in HDFS: such parents are like the directory in which the first of them is made.
            int mode = resolved.last().attributes().mode() & ~Attributes.STICKY;
            directory = TreeCalls.makeMissing(scope, resolved, parents, mode | TreeCalls.PARENT_BITS);
        }
        Inode file = TreeCalls.add(
                scope, directory, call.path().name(), call.mode(), new Inode.File(policy, true, List.of()));
        if (!withGroup) {
            Leases.put(scope.transaction(), scope.lease(file.id(), Optional.empty()));
            return new CommandResult.Status(NamespaceView.status(file, call.path(), inherited));
        }
        GroupFacts group = scope.allocate(new GroupOwner.File(file.id()), policy);
        Leases.put(scope.transaction(), scope.lease(file.id(), Optional.of(group.group())));
        return new CommandResult.Created(NamespaceView.status(file, call.path(), inherited), group);
    }

    /** Makes room for a new file where one exists. Empty when there is room; otherwise the answer to give instead. */
    private static Optional<CommandResult> replace(Scope scope, Create call, PathResolution resolved)
            throws EcfsException {
        Inode existing = resolved.last();
        resolved.file();
        scope.checkRemovable(resolved);
        scope.permissions().check(existing, Permissions.Access.WRITE, call.path());
        Optional<Lease> lease = Leases.find(scope.transaction(), existing.id());
        if (lease.isPresent() && !mayTakeOver(scope, lease.get(), call.overwrite())) {
            throw new EcfsException(
                    ErrorCode.LEASE_CONFLICT,
                    call.path() + " is open: " + lease.get().holderInWords()
                            + (lease.get().recovering() ? ", try again" : ""));
        }
        if (call.overwrite()) {
            Deletions.unlink(scope, resolved.parent(), existing);
            return Optional.empty();
        }
        if (lease.isPresent()) {
            boolean closed = LeaseRecovery.takeOver(scope.transaction(), lease.get(), scope.now());
            return Optional.of(new CommandResult.Recovery(existing.id(), closed));
        }
        throw new EcfsException(ErrorCode.ALREADY_EXISTS, call.path() + " exists");
    }

    static boolean mayTakeOver(Scope scope, Lease lease, boolean overwrite) {
        boolean own = scope.holds(lease);
        boolean expired = scope.call().expiredHolder().equals(Optional.of(lease.holder()));
        return overwrite ? own || expired || lease.recovering() : !own && expired && !lease.recovering();
    }

    static CommandResult addGroup(Scope scope, AddGroup call) throws EcfsException {
        OpenFile writing = OpenFile.of(scope, call.file());
        writing.seal(call.previous());
        GroupFacts group = scope.allocate(writing.groupOwner(), writing.policy());
        writing.goOn(Optional.of(group.group()), scope.now());
        return new CommandResult.Allocated(group);
    }

    static CommandResult sealGroup(Scope scope, SealGroup call) throws EcfsException {
        OpenFile writing = OpenFile.of(scope, call.file());
        writing.seal(Optional.of(call.sealed()));
        return new CommandResult.Status(writing.goOn(Optional.empty(), scope.now()));
    }

    static CommandResult leaveOut(Scope scope, LeaveOut call) throws EcfsException {
        OpenFile.of(scope, call.file()).leaveOut(call.group(), call.indexes());
        return new CommandResult.Done();
    }

    /** Sent again when its answer is long forgotten, it finds the file as it left it and is answered as before. */
    static CommandResult complete(Scope scope, CompleteFile call) throws EcfsException {
        Optional<FileStatus> completed = OpenFile.completed(scope.transaction(), call.file(), call.last());
        if (completed.isPresent() && completed.get().owner().equals(scope.user())) {
            return new CommandResult.Status(completed.get());
        }
        OpenFile writing = OpenFile.of(scope, call.file());
        writing.sealLast(call.last(), call.unused());
        return new CommandResult.Status(writing.close(scope.now()));
    }

    static CommandResult abandon(Scope scope, AbandonFile call) throws EcfsException {
        Inode inode = OpenFile.of(scope, call.file()).inode();
        if (((Inode.File) inode.body()).updating()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "file " + inode.id() + " is open for update and had its bytes before: complete it, or release its"
                            + " lease");
        }
        InodeId parent = inode.parent()
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "pack " + inode.id() + " may have bytes of closed files: close it, or leave it to recovery"));
        Deletions.unlink(scope, Inodes.get(scope.transaction(), parent), inode);
        return new CommandResult.Done();
    }
}
