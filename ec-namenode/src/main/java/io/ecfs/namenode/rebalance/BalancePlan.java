package io.ecfs.namenode.rebalance;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Compares the fill of each volume with that of all in its pool together, and finds the moves that make it more even.
 * Pure. A volume is out of balance when its share differs from the mean by more than the threshold (HDFS: Balancer);
 * every move that it allows brings the two shares nearer and never past each other, so moves come to an end.
 * @param threshold in [0, 1]
 * @param means share of all volumes of a pool together, by pool
 * @param fills of volumes with room for something
 */
record BalancePlan(double threshold, Map<String, Double> means, Map<VolumeId, Fill> fills) {
    /**
     * @param pool volumes of one pool exchange chunks with each other alone
     * @param used bytes of chunks
     * @param room bytes of chunks and free ones; bytes of other software on the disk do not count
     */
    record Fill(DatanodeId datanode, String pool, double used, double room) {
        /** Of the volumes in no ring. */
        Fill(DatanodeId datanode, double used, double room) {
            this(datanode, "", used, room);
        }

        double share() {
            return used / room;
        }

        Fill plus(long bytes) {
            return new Fill(datanode, pool, Math.max(0, used + bytes), room);
        }
    }

    /** @param all volumes, those without room too */
    static BalancePlan of(double threshold, Map<VolumeId, Fill> all) {
        TreeMap<VolumeId, Fill> fills = new TreeMap<>(all);
        fills.values().removeIf(fill -> !(fill.room() > 0));
        TreeMap<String, Double> used = new TreeMap<>();
        TreeMap<String, Double> means = new TreeMap<>();
        for (Fill fill : fills.values()) {
            used.merge(fill.pool(), fill.used(), Double::sum);
            means.merge(fill.pool(), fill.room(), Double::sum);
        }
        means.replaceAll((pool, room) -> used.get(pool) / room);
        return new BalancePlan(threshold, means, fills);
    }

    /** Share of all volumes of its pool together. */
    double mean(Fill fill) {
        return means.get(fill.pool());
    }

    /** No volume is out of balance. */
    boolean even() {
        return fills.values().stream().allMatch(fill -> Math.abs(fill.share() - mean(fill)) <= threshold);
    }

    /** Volumes to move from, fullest first: the overfull ones, and all above the mean while one is too empty. */
    List<VolumeId> sources(int limit) {
        Set<String> hungry = fills.values().stream()
                .filter(fill -> fill.share() < mean(fill) - threshold)
                .map(Fill::pool)
                .collect(Collectors.toSet());
        return fills.entrySet().stream()
                .filter(entry -> entry.getValue().share()
                        > mean(entry.getValue())
                                + (hungry.contains(entry.getValue().pool()) ? 0 : threshold))
                .sorted(Comparator.comparingDouble(entry -> -entry.getValue().share()))
                .limit(limit)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns whether a move of so many bytes makes the cluster more even. */
    boolean evens(VolumeId from, VolumeId to, long bytes) {
        Fill source = fills.get(from);
        Fill target = fills.get(to);
        if (source == null
                || target == null
                || from.equals(to)
                || !source.pool().equals(target.pool())) {
            return false;
        }
        double mean = mean(source);
        boolean needed = source.share() > mean + threshold || target.share() < mean - threshold;
        return needed
                && source.share() > mean
                && target.share() < mean
                && source.plus(-bytes).share() >= target.plus(bytes).share();
    }

    /** Bytes until a volume is within the threshold: positive to receive, negative to send. */
    long lacks(VolumeId volume) {
        Fill fill = fills.get(volume);
        if (fill == null) {
            return 0;
        }
        double mean = mean(fill);
        double less = (mean - threshold) * fill.room() - fill.used();
        double more = fill.used() - (mean + threshold) * fill.room();
        return less > 0 ? (long) Math.ceil(less) : more > 0 ? -(long) Math.ceil(more) : 0;
    }

    /** Bytes that have to move until no volume is out of balance, at least. */
    long bytesToMove() {
        long come = 0;
        long go = 0;
        for (VolumeId volume : fills.keySet()) {
            long lacks = lacks(volume);
            come += Math.max(0, lacks);
            go += Math.max(0, -lacks);
        }
        return Math.max(come, go);
    }
}
