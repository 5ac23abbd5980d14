package io.ecfs.namenode.namespace;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.namespace.RefusedFile;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.group.Allocation;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.GroupOwner;
import io.ecfs.namenode.group.Groups;
import io.ecfs.namenode.group.PackedGroups;
import io.ecfs.namenode.group.RewritePiece;
import io.ecfs.namenode.group.Rewrites;
import io.ecfs.namenode.group.Sealing;
import io.ecfs.namenode.namespace.inode.Attributes;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.namespace.inode.Leases;
import io.ecfs.namenode.namespace.path.Paths;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Extents that move to another group. A datanode fills the group in between; readers and writers of the files see the
 * old extents until the commit, and the new ones from then on.
 *
 * <pre>
 *   BeginRewrite --&gt; open group, row of the pieces --CommitRewrite--&gt; sealed; extents that are still as they were
 *                         |                                          lie in it; old groups without live bytes gone
 *                         `--AbortRewrite--&gt; group and row gone
 * </pre>
 *
 * A file that was changed, deleted, or given other rights than the others of its group meanwhile keeps its extents, and
 * so does one that would use more than before of a full quota.
 */
final class ExtentSwap {
    private ExtentSwap() {}

    /**
     * The bytes of one file that move.
     *
     * @param moved the new extent of each old one
     * @param after the extents of the file then
     */
    private record Swap(Inode inode, Map<Extent, Extent> moved, List<Extent> after) {
        static Swap none(Inode inode) {
            return new Swap(inode, Map.of(), file(inode).extents());
        }

        Swap with(Extent old, Extent now) {
            Map<Extent, Extent> all = new LinkedHashMap<>(moved);
            all.put(old, now);
            return new Swap(inode, all, replaced(after, old, now));
        }
    }

    /** The extents with these bytes, which are in one of them, in another place. */
    private static List<Extent> replaced(List<Extent> extents, Extent old, Extent now) {
        List<Extent> after = new ArrayList<>();
        for (Extent extent : extents) {
            if (extent.contains(old)) {
                long before = old.fileOffset() - extent.fileOffset();
                long behind = extent.fileEnd() - old.fileEnd();
                if (before > 0) {
                    after.add(extent.part(0, before));
                }
                after.add(now);
                if (behind > 0) {
                    after.add(extent.part(before + old.length(), behind));
                }
            } else {
                after.add(extent);
            }
        }
        return after;
    }

    static CommandResult begin(Transaction transaction, Command.BeginRewrite command) throws EcfsException {
        long length = 0;
        Optional<Attributes> rights = Optional.empty();
        for (RewritePiece piece : command.pieces()) {
            Inode inode = present(transaction, piece)
                    .orElseThrow(() -> new EcfsException(
                            ErrorCode.FILE_CHANGED, piece.file() + " was deleted or has not " + piece.extent()));
            if (Groups.find(transaction, piece.extent().group())
                    .filter(group -> !group.open())
                    .isEmpty()) {
                throw new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        piece.extent() + " of " + piece.file() + " is not in a sealed group");
            }
            if (!grantAlike(inode, rights)) {
                throw new EcfsException(
                        ErrorCode.FILE_CHANGED,
                        piece.file() + " grants other rights than "
                                + command.pieces().get(0));
            }
            rights = Optional.of(inode.attributes());
            length = Math.addExact(length, piece.extent().length());
        }
        if (length > command.policy().groupBytes()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT, length + " bytes are more than a group under " + command.policy());
        }
        GroupFacts group = Allocation.allocate(
                transaction,
                owner(transaction, command.pieces()),
                command.policy(),
                command.candidates(),
                command.stamp());
        Rewrites.put(transaction, group.group(), command.pieces());
        return new CommandResult.Allocated(group);
    }

    private static GroupOwner owner(Transaction transaction, List<RewritePiece> pieces) {
        InodeId first = pieces.get(0).file();
        return pieces.stream().allMatch(piece -> piece.file().equals(first))
                ? new GroupOwner.File(first)
                : new GroupOwner.Pack(new InodeId(Counter.LAST_INODE.next(transaction)));
    }

    static CommandResult commit(Transaction transaction, Command.CommitRewrite command) throws EcfsException {
        GroupId id = command.word().group();
        List<RewritePiece> pieces = pieces(transaction, id);
        GroupFacts open = group(transaction, id);
        long length =
                pieces.stream().mapToLong(piece -> piece.extent().length()).sum();
        if (command.word().length() != length) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "group " + id + " was filled with " + command.word().length() + " bytes, its extents have "
                            + length);
        }
        List<Swap> swaps = swaps(transaction, id, pieces);
        Rewrites.delete(transaction, id);
        if (swaps.isEmpty()) {
            Sealing.drop(transaction, open);
            return new CommandResult.Committed(List.of());
        }
        if (open.owner() instanceof GroupOwner.Pack pack) {
            for (Swap swap : swaps) {
                for (Extent extent : swap.moved().values()) {
                    PackedGroups.add(transaction, pack, swap.inode().id(), extent);
                }
            }
        }
        Sealing.byWriter(transaction, group(transaction, id), command.word());
        // Quotas charge a file by groups that are still there: all files change before a group goes.
        List<Swap> done = new ArrayList<>();
        List<RefusedFile> refused = new ArrayList<>();
        for (Swap swap : swaps) {
            try {
                QuotaGuard.within(transaction, () -> put(transaction, swap, open.policy()));
                done.add(swap);
            } catch (EcfsException e) {
                refused.add(new RefusedFile(swap.inode().id(), e.code(), e.getMessage()));
                swap.moved().values().forEach(extent -> leave(transaction, swap.inode(), extent, List.of()));
            }
        }
        for (Swap swap : done) {
            swap.moved().keySet().forEach(old -> leave(transaction, swap.inode(), old, swap.after()));
        }
        return new CommandResult.Committed(refused);
    }

    static CommandResult abort(Transaction transaction, Command.AbortRewrite command) throws EcfsException {
        pieces(transaction, command.group());
        Rewrites.delete(transaction, command.group());
        Sealing.drop(transaction, group(transaction, command.group()));
        return new CommandResult.Done();
    }

    static CommandResult adopt(Transaction transaction, Command.AdoptPolicy command) throws EcfsException {
        Inode inode = linked(transaction, command.file())
                .filter(found -> adopts(transaction, found, file(found).extents(), command.policy()))
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.FILE_CHANGED,
                        command.file() + " was deleted, is open, or has bytes that are not under " + command.policy()));
        Inodes.put(
                transaction,
                inode.withBody(file(inode).with(command.policy(), file(inode).extents())));
        return new CommandResult.Done();
    }

    private static List<Swap> swaps(Transaction transaction, GroupId group, List<RewritePiece> pieces) {
        Map<InodeId, Swap> swaps = new LinkedHashMap<>();
        Optional<Attributes> rights = Optional.empty();
        long offset = 0;
        for (RewritePiece piece : pieces) {
            Extent moved = piece.in(group, offset);
            offset += piece.extent().length();
            Optional<Swap> swap = Optional.ofNullable(swaps.get(piece.file()))
                    .or(() -> linked(transaction, piece.file()).map(Swap::none))
                    .filter(found -> has(found.after(), piece));
            if (swap.isPresent() && grantAlike(swap.get().inode(), rights)) {
                rights = Optional.of(swap.get().inode().attributes());
                swaps.put(piece.file(), swap.get().with(piece.extent(), moved));
            }
        }
        return new ArrayList<>(swaps.values());
    }

    private static boolean grantAlike(Inode inode, Optional<Attributes> others) {
        return others.map(inode.attributes()::grantsAs).orElse(true);
    }

    private static Inode put(Transaction transaction, Swap swap, Policy policy) {
        Inode.File file = file(swap.inode());
        Inode changed = swap.inode()
                .withBody(
                        adopts(transaction, swap.inode(), swap.after(), policy)
                                ? file.with(policy, swap.after())
                                : file.with(file.open(), swap.after(), file.length()));
        Inodes.put(transaction, changed);
        return changed;
    }

    /** Returns whether these extents of a file that nobody writes all lie in groups of the policy. */
    private static boolean adopts(Transaction transaction, Inode inode, List<Extent> extents, Policy policy) {
        return Leases.find(transaction, inode.id()).isEmpty()
                && extents.stream()
                        .allMatch(extent ->
                                group(transaction, extent.group()).policy().equals(policy));
    }

    /** A file does not refer to bytes any more; {@code others} are those that it has. */
    private static void leave(Transaction transaction, Inode inode, Extent bytes, List<Extent> others) {
        Optional<GroupFacts> group = Groups.find(transaction, bytes.group());
        if (group.isEmpty()) {
            return;
        }
        if (PackedGroups.packed(group.get())) {
            PackedGroups.remove(transaction, group.get(), inode.id(), bytes, others);
        } else if (others.stream().noneMatch(other -> other.group().equals(bytes.group()))) {
            Sealing.drop(transaction, group.get());
        }
    }

    private static Optional<Inode> present(Transaction transaction, RewritePiece piece) {
        return linked(transaction, piece.file()).filter(inode -> has(file(inode).extents(), piece));
    }

    private static boolean has(List<Extent> extents, RewritePiece piece) {
        return extents.stream().anyMatch(extent -> extent.contains(piece.extent()));
    }

    private static Optional<Inode> linked(Transaction transaction, InodeId file) {
        return Inodes.find(transaction, file)
                .filter(inode -> !inode.isDirectory()
                        && !inode.isPack()
                        && Paths.find(transaction, inode).isPresent());
    }

    private static Inode.File file(Inode inode) {
        return (Inode.File) inode.body();
    }

    private static List<RewritePiece> pieces(Transaction transaction, GroupId group) throws EcfsException {
        return Rewrites.find(transaction, group)
                .orElseThrow(() -> new EcfsException(ErrorCode.NOT_FOUND, "no rewrite fills group " + group));
    }

    private static GroupFacts group(Transaction transaction, GroupId group) {
        return Groups.find(transaction, group)
                .orElseThrow(() -> new IllegalStateException("group " + group + " has no row"));
    }
}
