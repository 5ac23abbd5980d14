package io.ecfs.namenode.namespace;

import io.ecfs.dispatch.HandlerTable;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.InodeId;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.CommitFiles;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.message.namespace.NamespaceRequest.OpenPack;
import io.ecfs.message.namespace.PackedFile;
import io.ecfs.message.namespace.RefusedFile;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.GroupOwner;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.namespace.inode.Leases;
import io.ecfs.namenode.store.KeyValueStore.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Small files that share groups. A pack is an inode without a name, open for as long as its client fills it, so that
 * its groups are allocated, sealed and recovered as those of every open file:
 *
 * <pre>
 *   create without a group --&gt; open, no bytes --CommitFiles--&gt; closed, extents in groups of the pack
 *   OpenPack --&gt; open, group allocated --AddGroup, SealGroup--&gt; open --CompleteFile, or recovery--&gt; gone
 *                                                                  (its groups stay while files have bytes in them)
 * </pre>
 */
final class PackCalls {
    static final HandlerTable<Mutation, Scope, CommandResult> HANDLERS =
            HandlerTable.<Mutation, Scope, CommandResult>builder()
                    .on(NamespaceRequest.OpenPack.class, PackCalls::open)
                    .on(NamespaceRequest.CommitFiles.class, PackCalls::commit)
                    .build();

    private PackCalls() {}

    static CommandResult open(Scope scope, OpenPack call) throws EcfsException {
        OpenFile like = OpenFile.of(scope, call.like());
        if (like.inode().isPack()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT, "a pack is opened for files, and " + call.like() + " is a pack");
        }
        Inode pack = new Inode(
                new InodeId(Counter.LAST_INODE.next(scope.transaction())),
                Optional.empty(),
                "",
                like.inode().attributes().modifiedAt(scope.now()),
                new Inode.File(like.policy(), true, List.of()));
        Inodes.put(scope.transaction(), pack);
        GroupFacts group = scope.allocate(new GroupOwner.Pack(pack.id()), like.policy());
        Leases.put(scope.transaction(), scope.lease(pack.id(), Optional.of(group.group())));
        return new CommandResult.Created(OpenFile.of(scope, pack.id()).status(), group);
    }

    /** Each file by itself: one that is refused, or over its quota, keeps nothing from the others. */
    static CommandResult commit(Scope scope, CommitFiles call) throws EcfsException {
        Inode pack = OpenFile.of(scope, call.pack()).inode();
        if (!pack.isPack()) {
            throw new EcfsException(ErrorCode.INVALID_ARGUMENT, call.pack() + " is a file and no pack");
        }
        List<RefusedFile> refused = new ArrayList<>();
        for (PackedFile file : call.files()) {
            try (Savepoint before = scope.transaction().savepoint()) {
                QuotaGuard.within(scope.transaction(), () -> {
                    OpenFile.of(scope, file.file()).commit(pack, file, scope.now());
                    return null;
                });
                before.release();
            } catch (EcfsException e) {
                refused.add(new RefusedFile(file.file(), e.code(), e.getMessage()));
            }
        }
        return new CommandResult.Committed(refused);
    }
}
