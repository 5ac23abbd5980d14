package io.ecfs.namenode.namespace;

import io.ecfs.dispatch.HandlerTable;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.message.namespace.NamespaceRequest.OpenUpdate;
import io.ecfs.message.namespace.NamespaceRequest.ReplaceLayout;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.namespace.inode.Leases;
import io.ecfs.namenode.namespace.path.PathResolution;
import io.ecfs.namenode.namespace.path.Paths;
import io.ecfs.namenode.namespace.path.Permissions;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import java.util.List;
import java.util.Optional;

/**
 * Files that are updated in place. No byte of a group is overwritten: what is written over the extents of a file goes
 * to patch groups, which are allocated, sealed and recovered as the groups of every open file. The facts know groups,
 * not writes: the client that holds the lease replaces the layout when it has compacted.
 *
 * <pre>
 *   OpenUpdate --&gt; open, version + 1 --AddGroup, SealGroup--&gt; one patch more --CompleteFile--&gt; closed
 *                        ^                                        |      \--recovery--------^
 *                        +-- ReplaceLayout: version + 1 ----------+
 * </pre>
 */
final class UpdateCalls {
    static final HandlerTable<Mutation, Scope, CommandResult> HANDLERS =
            HandlerTable.<Mutation, Scope, CommandResult>builder()
                    .on(NamespaceRequest.OpenUpdate.class, UpdateCalls::open)
                    .on(NamespaceRequest.ReplaceLayout.class, UpdateCalls::replace)
                    .build();

    private UpdateCalls() {}

    static CommandResult open(Scope scope, OpenUpdate call) throws EcfsException {
        PathResolution resolved = scope.resolve(call.path());
        Inode inode = resolved.last();
        Inode.File file = resolved.file();
        scope.permissions().check(inode, Permissions.Access.WRITE, call.path());
        scope.permissions().check(inode, Permissions.Access.READ, call.path());
        Optional<CommandResult> recovery = ExtentCalls.takeOver(scope, inode, call.path());
        if (recovery.isPresent()) {
            return recovery.get();
        }
        Leases.put(scope.transaction(), scope.lease(inode.id(), Optional.empty()));
        Inode opened = inode.withBody(file.openedToUpdate(call.nonce()));
        Inodes.put(scope.transaction(), opened);
        return new CommandResult.Updating(
                NamespaceView.status(opened, call.path(), resolved.inherited(scope.identity())),
                file(opened).version(),
                PatchFacts.of(scope.transaction(), file).listed(file.patches()));
    }

    static CommandResult replace(Scope scope, ReplaceLayout call) throws EcfsException {
        Transaction transaction = scope.transaction();
        Inode inode = OpenFile.of(scope, call.file()).inode();
        Inode.File before = file(inode);
        if (!before.updating()) {
            throw refused(call, "is not open for update: open it by OpenUpdate");
        }
        if (call.version() != before.version()) {
            throw new EcfsException(
                    ErrorCode.FILE_CHANGED,
                    "file " + call.file() + " has version " + before.version() + ", its layout of version "
                            + call.version() + " is not replaced: locate it again");
        }
        PatchFacts patched = PatchFacts.of(transaction, before);
        List<Inode.Patch> patches = patched.left(before.patches(), call);
        List<Extent> extents = call.extents().orElse(before.extents());
        check(patched, before, call, extents);
        Inode.File after = before.replaced(extents, call.length(), patches);
        Inode changed = inode.withBody(after);
        if (after.length() != before.length()) {
            changed = changed.withAttributes(inode.attributes().modifiedAt(scope.now()));
        }
        Inodes.put(transaction, changed); // quotas charge a file by groups that are still there
        patched.record(transaction, inode.id(), extents, call.patches());
        DroppedBytes.drop(transaction, inode, extents, patches);
        return new CommandResult.Updating(
                NamespaceView.status(changed, Paths.find(transaction, inode).orElseThrow(), after.policy()),
                after.version(),
                call.patches());
    }

    /** Each must have bytes that the file has by now: in the extent that is there, or in one of its patch groups. */
    private static void check(PatchFacts patched, Inode.File before, ReplaceLayout call, List<Extent> extents)
            throws EcfsException {
        List<Extent> olds = before.extents();
        int next = 0;
        long end = 0;
        for (Extent extent : extents) {
            if (extent.fileOffset() < end) {
                throw refused(call, "has extents that overlap, or are not in file order: " + extent);
            }
            end = extent.fileEnd();
            while (next < olds.size() && olds.get(next).fileEnd() <= extent.fileOffset()) {
                next++;
            }
            boolean same = next < olds.size() && olds.get(next).contains(extent);
            if (!same && !patched.contain(extent)) {
                throw refused(call, "has neither an extent nor a sealed patch group with the bytes of " + extent);
            }
        }
        if (call.length() < end || call.length() > ReplaceLayout.MOST_BYTES) {
            throw refused(
                    call,
                    "cannot have " + call.length() + " bytes: its extents end at " + end + ", and it has at most "
                            + ReplaceLayout.MOST_BYTES);
        }
    }

    static EcfsException refused(ReplaceLayout call, String reason) {
        return new EcfsException(ErrorCode.INVALID_ARGUMENT, "file " + call.file() + " " + reason);
    }

    private static Inode.File file(Inode inode) {
        return (Inode.File) inode.body();
    }
}
