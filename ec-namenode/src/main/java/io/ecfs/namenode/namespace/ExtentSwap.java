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
import io.ecfs.namenode.group.RewriteLayout;
import io.ecfs.namenode.group.RewritePiece;
import io.ecfs.namenode.group.Rewrites;
import io.ecfs.namenode.group.Sealing;
import io.ecfs.namenode.namespace.inode.Attributes;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.namespace.inode.Leases;
import io.ecfs.namenode.namespace.path.Paths;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
 * so does one that would use more than before of a full quota. So do files with patches, and those that are open for
 * update: their updater replaces their layout.
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
        static Swap of(Inode inode, Map<Extent, Extent> wanted) {
            Map<Extent, Extent> moved = new LinkedHashMap<>();
            List<Extent> after = new ArrayList<>();
            List<Extent> olds = wanted.keySet().stream()
                    .sorted(Comparator.comparingLong(Extent::fileOffset))
                    .toList();
            int next = 0;
            for (Extent extent : file(inode).extents()) {
                long at = extent.fileOffset();
                for (; next < olds.size() && olds.get(next).fileOffset() < extent.fileEnd(); next++) {
                    Extent old = olds.get(next);
                    if (old.fileOffset() >= at && extent.contains(old)) {
                        keep(extent, at, old.fileOffset(), after);
                        after.add(wanted.get(old));
                        moved.put(old, wanted.get(old));
                        at = old.fileEnd();
                    }
                }
                keep(extent, at, extent.fileEnd(), after);
            }
            return new Swap(inode, moved, after);
        }

        private static void keep(Extent extent, long from, long to, List<Extent> after) {
            if (from == extent.fileOffset() && to == extent.fileEnd()) {
                after.add(extent);
            } else if (from < to) {
                after.add(extent.part(from - extent.fileOffset(), to - from));
            }
        }
    }

    static CommandResult begin(Transaction transaction, Command.BeginRewrite command) throws EcfsException {
        List<RewritePiece> present = present(transaction, command.pieces());
        if (present.size() != command.pieces().size()) {
            List<RewritePiece> gone = new ArrayList<>(command.pieces());
            gone.removeAll(Set.copyOf(present));
            throw new EcfsException(
                    ErrorCode.FILE_CHANGED,
                    gone.get(0) + " and " + (gone.size() - 1)
                            + " others: the file was deleted, has these bytes elsewhere, or grants other rights");
        }
        long length = RewriteLayout.of(command.policy(), command.pieces()).length();
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
        return RewriteLayout.shared(pieces)
                ? new GroupOwner.Pack(new InodeId(Counter.LAST_INODE.next(transaction)))
                : new GroupOwner.File(pieces.get(0).file());
    }

    static CommandResult commit(Transaction transaction, Command.CommitRewrite command) throws EcfsException {
        GroupId id = command.word().group();
        List<RewritePiece> pieces = pieces(transaction, id);
        GroupFacts open = group(transaction, id);
        RewriteLayout layout = RewriteLayout.of(open.policy(), pieces);
        if (command.word().length() != layout.length()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "group " + id + " was filled with " + command.word().length() + " bytes, its extents take "
                            + layout.length());
        }
        List<Swap> swaps = swaps(transaction, id, pieces, layout);
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

    private static List<Swap> swaps(
            Transaction transaction, GroupId group, List<RewritePiece> pieces, RewriteLayout layout) {
        Map<InodeId, Map<Extent, Extent>> wanted = new LinkedHashMap<>();
        for (int i = 0; i < pieces.size(); i++) {
            RewritePiece piece = pieces.get(i);
            wanted.computeIfAbsent(piece.file(), file -> new LinkedHashMap<>())
                    .put(piece.extent(), piece.in(group, layout.begins().get(i)));
        }
        List<Swap> swaps = new ArrayList<>();
        Optional<Attributes> rights = Optional.empty();
        for (Map.Entry<InodeId, Map<Extent, Extent>> file : wanted.entrySet()) {
            Optional<Swap> swap = linked(transaction, file.getKey())
                    .map(inode -> Swap.of(inode, file.getValue()))
                    .filter(found -> !found.moved().isEmpty());
            if (swap.isPresent() && grantAlike(swap.get().inode(), rights)) {
                rights = Optional.of(swap.get().inode().attributes());
                swaps.add(swap.get());
            }
        }
        return swaps;
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

    /** Those of the pieces that files still have, in sealed groups; all of files that grant the same rights. */
    static List<RewritePiece> present(View view, List<RewritePiece> pieces) {
        List<RewritePiece> present = new ArrayList<>();
        Map<InodeId, Optional<Inode>> files = new HashMap<>();
        Map<GroupId, Long> lengths = new HashMap<>();
        Optional<Attributes> rights = Optional.empty();
        for (RewritePiece piece : pieces) {
            Optional<Inode> file = files.computeIfAbsent(piece.file(), id -> linked(view, id));
            long length = lengths.computeIfAbsent(
                    piece.extent().group(),
                    id -> Groups.find(view, id).map(GroupFacts::length).orElse(GroupFacts.OPEN_LENGTH));
            boolean there = piece.extent().groupOffset() + piece.extent().length() <= length;
            if (there
                    && file.isPresent()
                    && grantAlike(file.get(), rights)
                    && has(file(file.get()).extents(), piece)) {
                rights = Optional.of(file.get().attributes());
                present.add(piece);
            }
        }
        return present;
    }

    private static boolean has(List<Extent> extents, RewritePiece piece) {
        return extents.stream().anyMatch(extent -> extent.contains(piece.extent()));
    }

    /** A file with a path whose bytes may be moved. */
    private static Optional<Inode> linked(View view, InodeId file) {
        return Inodes.find(view, file)
                .filter(inode -> !inode.isDirectory()
                        && !inode.isPack()
                        && file(inode).movable()
                        && Paths.find(view, inode).isPresent());
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
