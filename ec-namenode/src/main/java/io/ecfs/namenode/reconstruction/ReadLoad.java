package io.ecfs.namenode.reconstruction;

import io.ecfs.message.DatanodeId;
import java.util.Collection;
import java.util.TreeMap;

/**
 * How much rebuilding has read of late from each datanode, as far as it was planned; what was planned longer ago counts
 * less and less. Owner thread: the namenode's event thread.
 */
final class ReadLoad {
    /** What is left of a load after a tick: half after some seven. */
    private static final double KEPT = 0.9;

    private static final double NOTHING = 1;

    private final TreeMap<DatanodeId, Double> bytes = new TreeMap<>();

    void tick() {
        bytes.replaceAll((datanode, load) -> load * KEPT);
        bytes.values().removeIf(load -> load < NOTHING);
    }

    void planned(DatanodeId datanode, double read) {
        bytes.merge(datanode, read, Double::sum);
    }

    /**
     * Returns whether to copy a chunk from the one that has it, where others could tell it as well: when they are not
     * less busy than it. A copy reads least, but all of it from one disk; so the more is planned, the more of it falls
     * to the others.
     */
    boolean copies(DatanodeId holder, Collection<DatanodeId> others) {
        double mean = others.stream().mapToDouble(this::of).average().orElse(Double.MAX_VALUE);
        return of(holder) <= mean;
    }

    private double of(DatanodeId datanode) {
        return bytes.getOrDefault(datanode, 0.0);
    }
}
