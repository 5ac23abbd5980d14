package io.ecfs.client.update;

import io.ecfs.client.location.PatchedBytes;
import io.ecfs.client.location.Stretch;
import io.ecfs.layout.GroupId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Chooses which bytes of a file are written once more, into its newest patch group, so that the groups that have them
 * now can be dropped. <em>Cleaning</em> moves what is live of the groups of which least is, so that no more than the
 * spare share of the file's bytes is dead; it costs what {@link io.ecfs.patch.CleaningCost} says. <em>Merging</em>
 * writes regions of many pieces in order, so that the map stays small and reads in order are fast. One call at a time.
 */
final class Compactor {
    /** Bytes of a file that are merged together. */
    static final long REGION = 8L << 20;

    /** Most pieces that are moved at once. */
    private static final int MOST_PIECES = 4096;

    /** Patch groups from which on the smallest are moved together: a file has a bound of them. */
    private static final int MANY_GROUPS = 256;

    /** A region with more pieces a stripe is merged when it is read in order. */
    private static final int MOST_PIECES_OF_A_STRIPE = 64;

    private final PatchedBytes patches;
    private final UpdatedLayout layout;
    private final double spare;
    private final long mapBytes;
    private final ArrayDeque<Move> backlog = new ArrayDeque<>();
    private long backlogBytes;
    private long regionRead = -1;

    private enum Reason {
        CLEAN,
        /** The map is too large, or the file is to be an ordinary one again. */
        MERGE,
        /** The region is read in order. */
        READ
    }

    /** @param group that has the bytes; empty: the extents. What is elsewhere by then is not moved */
    private record Move(Stretch stretch, Optional<GroupId> group, Reason reason) {
        boolean merges() {
            return reason != Reason.CLEAN;
        }
    }

    /**
     * @param spare dead bytes that are tolerated, as a share of the live ones
     * @param mapBytes memory of the map from which on regions are merged
     */
    Compactor(PatchedBytes patches, UpdatedLayout layout, double spare, long mapBytes) {
        this.patches = patches;
        this.layout = layout;
        this.spare = spare;
        this.mapBytes = mapBytes;
    }

    /** Bytes that are to be moved, at most. */
    long backlogBytes() {
        return backlogBytes;
    }

    /**
     * Bytes that must be moved by now.
     *
     * @param written by users since the last move
     * @param room that the newest group has left; all is to be moved when it is full
     */
    long owed(long written, long room) {
        return (long) ((double) written * backlogBytes / Math.max(1, room));
    }

    /** Chooses anew, when a group was sealed and nothing is left of the choice before. */
    void plan() {
        regionRead = -1; // what was sealed may have scattered it
        if (backlog.stream().anyMatch(move -> move.reason() != Reason.READ)) {
            return;
        }
        clean();
        if (layout.patchGroups() > MANY_GROUPS) {
            layout.leastLive(layout.patchGroups() / 2).forEach(this::empty);
        }
        if (patches.mapBytes() > mapBytes) {
            merge(patches.crowded(REGION));
        }
    }

    private void clean() {
        List<UpdatedLayout.Holder> holders = new ArrayList<>(layout.holders());
        long total = holders.stream().mapToLong(UpdatedLayout.Holder::length).sum();
        long live = holders.stream().mapToLong(UpdatedLayout.Holder::live).sum();
        long excess = total - (long) (live * (1 + spare));
        holders.sort(Comparator.comparingDouble(UpdatedLayout.Holder::liveShare));
        for (UpdatedLayout.Holder holder : holders) {
            if (excess <= 0 || holder.dead() == 0) {
                return;
            }
            excess -= holder.dead();
            empty(holder);
        }
    }

    /** Has all that is live of a group moved. */
    private void empty(UpdatedLayout.Holder holder) {
        holder.stretches().forEach(stretch -> add(new Move(stretch, holder.patch(), Reason.CLEAN)));
    }

    /** Returns whether there are so many groups that their number must become smaller before the file is closed. */
    boolean crowded() {
        return layout.patchGroups() > 2 * MANY_GROUPS;
    }

    /** Chooses all regions of more than one piece. */
    void mergeAll() {
        merge(layout.fragmented(REGION));
    }

    /**
     * Chooses the region of a position, at which the file is read in order, if it is of very many pieces and nothing
     * else is to be moved: users' writes pay for one such region at a time.
     */
    void readInOrder(long position) {
        long region = position / REGION;
        if (region == regionRead || position >= patches.length() || !backlog.isEmpty()) {
            return;
        }
        regionRead = region;
        Stretch stretch = new Stretch(region * REGION, Math.min((region + 1) * REGION, patches.length()));
        if (patches.isScattered(stretch, MOST_PIECES_OF_A_STRIPE)) {
            add(new Move(stretch, Optional.empty(), Reason.READ));
        }
    }

    private void merge(List<Stretch> regions) {
        regions.forEach(region -> add(new Move(region, Optional.empty(), Reason.MERGE)));
    }

    private void add(Move move) {
        backlog.add(move);
        backlogBytes += move.stretch().bytes();
    }

    /** The next stretches to move, about so many bytes, as far as their bytes are still where they were. */
    List<Stretch> take(long bytes) {
        List<Stretch> taken = new ArrayList<>();
        long count = 0;
        while (count < bytes && taken.size() < MOST_PIECES && !backlog.isEmpty()) {
            Move move = backlog.remove();
            backlogBytes -= move.stretch().bytes();
            Stretch stretch = move.stretch().first(move.merges() ? Long.MAX_VALUE : bytes - count);
            List<Stretch> left = left(move, stretch);
            int room = MOST_PIECES - taken.size();
            if (left.size() > room) {
                stretch = new Stretch(stretch.from(), left.get(room).from());
                left = left.subList(0, room);
            }
            if (stretch.to() < move.stretch().to()) {
                addFirst(new Move(new Stretch(stretch.to(), move.stretch().to()), move.group(), move.reason()));
            }
            count += left.stream().mapToLong(Stretch::bytes).sum();
            taken.addAll(left);
        }
        return Stretch.joined(taken);
    }

    private List<Stretch> left(Move move, Stretch stretch) {
        return move.merges()
                ? layout.written(stretch)
                : move.group()
                        .map(group -> patches.inGroup(stretch, group))
                        .orElseGet(() -> patches.uncovered(stretch));
    }

    private void addFirst(Move move) {
        backlog.addFirst(move);
        backlogBytes += move.stretch().bytes();
    }

    /** Forgets what is left to be moved. */
    void stop() {
        backlog.clear();
        backlogBytes = 0;
    }
}
