package io.ecfs.namenode.rewriting;

import io.ecfs.error.Invariant;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.namenode.command.Command.BeginRewrite;
import io.ecfs.namenode.group.PackedGroups;
import io.ecfs.namenode.group.RewriteLayout;
import io.ecfs.namenode.group.RewritePiece;
import io.ecfs.namenode.namespace.inode.Attributes.Rights;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.state.MetadataView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Puts together what goes to one new group: bytes of one file, or of several small ones that grant the same rights.
 */
final class RewriteBatches {
    /** Kinds of small files of which some wait at the same time. */
    private static final int MOST_KINDS = 64;

    private final Policy policy;
    private final RewriteReason reason;
    private final Deque<List<RewritePiece>> full = new ArrayDeque<>();
    private final Map<Rights, Small> small = new LinkedHashMap<>();

    /** Small files of the same rights. */
    private static final class Small {
        final List<RewritePiece> pieces = new ArrayList<>();
        /** Pieces of the file that was added last, and the end of those before it in the new group. */
        List<RewritePiece> last = new ArrayList<>();

        long lastFrom;
        long length;
    }

    /** @param policy of the new groups */
    RewriteBatches(Policy policy, RewriteReason reason) {
        this.policy = policy;
        this.reason = reason;
    }

    /**
     * Adds extents of a file: of a small one that was packed to a group that others may share.
     *
     * @return rewrites that have a part of them
     */
    int plan(MetadataView view, Inode file, List<Extent> extents) {
        boolean fitsStripe = extents.stream().mapToLong(Extent::length).sum() <= policy.stripeBytes();
        boolean packed = extents.stream()
                .allMatch(extent ->
                        view.group(extent.group()).filter(PackedGroups::packed).isPresent());
        if (!fitsStripe || !packed || extents.size() > BeginRewrite.MAX_PIECES) {
            return add(file.id(), extents);
        }
        addSmall(file, extents);
        return 1;
    }

    /** Adds extents of a file that has groups of its own afterwards; returns how many those are. */
    private int add(InodeId file, List<Extent> extents) {
        int before = full.size();
        List<RewritePiece> batch = new ArrayList<>();
        long bytes = 0;
        for (Extent extent : extents) {
            for (long at = 0; at < extent.length(); ) {
                long part = Math.min(extent.length() - at, policy.groupBytes() - bytes);
                batch.add(new RewritePiece(file, extent.part(at, part)));
                bytes += part;
                at += part;
                if (bytes == policy.groupBytes() || batch.size() == BeginRewrite.MAX_PIECES) {
                    full.add(batch);
                    batch = new ArrayList<>();
                    bytes = 0;
                }
            }
        }
        if (!batch.isEmpty()) {
            full.add(batch);
        }
        return full.size() - before;
    }

    /** Adds the extents of a small file, whose group others may share. */
    private void addSmall(Inode file, List<Extent> extents) {
        Rights rights = file.attributes().rights();
        List<RewritePiece> pieces = extents.stream()
                .map(extent -> new RewritePiece(file.id(), extent))
                .toList();
        Small open = small.get(rights);
        if (open != null && !add(open, pieces)) {
            full.add(small.remove(rights).pieces);
            open = null;
        }
        if (open == null) {
            if (small.size() >= MOST_KINDS) {
                closeSmall();
            }
            Invariant.check(
                    add(small.computeIfAbsent(rights, each -> new Small()), pieces),
                    "extents of %s that fit a stripe do not fit a group",
                    file.id());
        }
    }

    /** Adds pieces of one file to a group, if they have room there: gaps count. */
    private boolean add(Small to, List<RewritePiece> pieces) {
        boolean again =
                !to.last.isEmpty() && to.last.get(0).file().equals(pieces.get(0).file());
        long from = again ? to.lastFrom : to.length;
        List<RewritePiece> last = again ? new ArrayList<>(to.last) : new ArrayList<>();
        last.addAll(pieces);
        long length = RewriteLayout.packed(policy, from, last).length();
        if (length > policy.groupBytes() || to.pieces.size() + pieces.size() > BeginRewrite.MAX_PIECES) {
            return false;
        }
        to.pieces.addAll(pieces);
        to.last = last;
        to.lastFrom = from;
        to.length = length;
        return true;
    }

    /** No small file follows for now. */
    void closeSmall() {
        small.values().forEach(each -> full.add(each.pieces));
        small.clear();
    }

    /** Drops the rewrites that are complete; returns the bytes of the chunks that they would write. */
    long forecast() {
        long bytes = 0;
        for (List<RewritePiece> pieces = full.poll(); pieces != null; pieces = full.poll()) {
            long length = RewriteLayout.of(policy, pieces).length();
            bytes += new GroupLayout(policy, length).storedBytes();
        }
        return bytes;
    }

    /** The next rewrite that is complete; empty for none. */
    Optional<Need.Rewrite> next() {
        return Optional.ofNullable(full.poll()).map(pieces -> new Need.Rewrite(policy, pieces, reason));
    }

    /** Puts one back that cannot begin now. */
    void putBack(Need.Rewrite rewrite) {
        full.addFirst(rewrite.pieces());
    }
}
