package io.ecfs.namenode.rebalance;

import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Optional;

/**
 * Memory of recent moves, so that nothing moves back and forth: a chunk that left a datanode does not come back within
 * an hour unless the load of one of the two has changed by much, and never within ten minutes; and a group rests after
 * a move until its effect can be seen. A move changes loads before datanodes report it; until they do, it is added
 * here. Bounded: the oldest is forgotten. Times are monotonic milliseconds.
 */
final class MoveMemory {
    /** Least time until a chunk moves back without a change of load. */
    public static final Duration BACK = Duration.ofHours(1);

    /** Pause between two moves of chunks of one group. */
    public static final Duration REST = Duration.ofSeconds(30);

    /** Pause of a group whose evaluation found nothing to gain. */
    static final Duration FINE = Duration.ofMinutes(1);

    /** A load has changed when it differs by this part of the mean. */
    static final double CHANGE = 0.5;

    /**
     * Least time until a chunk moves back in any case: moves change loads, and readers choose differently after a move.
     */
    static final Duration BACK_AT_ALL = Duration.ofMinutes(10);

    /** Time until a move shows in the loads that datanodes report. */
    static final Duration SHOWS = Duration.ofSeconds(20);

    private static final int MOST = 20_000;

    /** One each half a minute for an hour are 120. */
    private static final int MOST_OF_A_GROUP = 120;

    private final LinkedHashMap<GroupId, ArrayDeque<Left>> moved = new LinkedHashMap<>();
    private final LinkedHashMap<GroupId, Long> fine = new LinkedHashMap<>();
    private final LinkedHashMap<Relocation, Long> unseen = new LinkedHashMap<>();

    /**
     * @param loadFrom of the datanode that was left, and {@code loadTo} of the new one, as they were then; NaN: not
     *     known
     */
    private record Left(long atMillis, int index, DatanodeId from, double loadFrom, double loadTo) {}

    /** Records a move that has begun. */
    public void began(Relocation move, Optional<MoverSite> from, Optional<MoverSite> to, long nowMillis) {
        double loadFrom = from.map(MoverSite::load).orElse(1.0);
        double loadTo = to.map(MoverSite::load).orElse(1.0);
        left(move.group(), new Left(nowMillis, move.index(), move.from(), loadFrom, loadTo));
        unseen.put(move, nowMillis);
    }

    /**
     * Records a chunk that left a datanode under an earlier leader; such moves come oldest first, and before all
     * others.
     */
    public void earlier(GroupId group, int index, DatanodeId from, long atMillis) {
        left(group, new Left(atMillis, index, from, Double.NaN, Double.NaN));
    }

    private void left(GroupId group, Left latest) {
        ArrayDeque<Left> of = moved.remove(group);
        ArrayDeque<Left> lefts = of == null ? new ArrayDeque<>() : of;
        lefts.removeIf(left -> latest.atMillis() - left.atMillis() >= BACK.toMillis());
        if (lefts.size() == MOST_OF_A_GROUP) {
            lefts.remove();
        }
        lefts.add(latest);
        moved.put(group, lefts);
        while (moved.size() > MOST) {
            moved.remove(moved.keySet().iterator().next());
        }
    }

    /** Records a failed move: loads stay as they are. The group rests all the same. */
    public void failed(Relocation move) {
        unseen.remove(move);
    }

    /** Excludes a group for a while because no move of it gains anything. */
    public void nothingToGain(GroupId group, long nowMillis) {
        fine.remove(group);
        fine.put(group, nowMillis);
        while (fine.size() > MOST) {
            fine.remove(fine.keySet().iterator().next());
        }
    }

    /** Returns whether a group is excluded now: a chunk of it has just moved, or its last evaluation found no gain. */
    public boolean rests(GroupId group, long nowMillis) {
        Long found = fine.get(group);
        ArrayDeque<Left> lefts = moved.get(group);
        return (found != null && nowMillis - found < FINE.toMillis())
                || (lefts != null && lefts.stream().anyMatch(left -> nowMillis - left.atMillis() < REST.toMillis()));
    }

    /** Returns whether a move would bring a chunk back too soon. */
    public boolean forbids(GroupId group, int index, MoverSite from, MoverSite to, long nowMillis) {
        ArrayDeque<Left> lefts = moved.get(group);
        return lefts != null
                && lefts.stream()
                        .anyMatch(left -> left.index() == index
                                && left.from().equals(to.datanode())
                                && nowMillis - left.atMillis() < BACK.toMillis()
                                && (nowMillis - left.atMillis() < BACK_AT_ALL.toMillis()
                                        || !(changed(left.loadFrom(), to.load())
                                                || changed(left.loadTo(), from.load()))));
    }

    /** An unknown load has not changed. */
    private static boolean changed(double before, double now) {
        return Math.abs(before - now) >= CHANGE;
    }

    /**
     * Returns whether a move would be made for the sake of loads alone though the chunk has moved within the hour:
     * readers choose differently after each move, so loads never come to rest, but the cost of reads does.
     * @param leastAccess that a second move of the chunk has to save reads
     */
    public boolean refuses(Relocation move, double leastAccess, long nowMillis) {
        ArrayDeque<Left> lefts = moved.get(move.group());
        return lefts != null
                && move.access() < leastAccess
                && lefts.stream()
                        .anyMatch(
                                left -> left.index() == move.index() && nowMillis - left.atMillis() < BACK.toMillis());
    }

    /** A datanode with its loads as recent moves will have changed them. */
    public MoverSite foreseen(MoverSite site, long nowMillis) {
        unseen.values().removeIf(at -> nowMillis - at >= SHOWS.toMillis());
        double load = site.load();
        for (Relocation move : unseen.keySet()) {
            load += move.to().equals(site.datanode()) ? move.loadMoved() : 0;
            load -= move.from().equals(site.datanode()) ? move.loadMoved() : 0;
        }
        return site.withLoad(load);
    }
}
