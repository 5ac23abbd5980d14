package io.ecfs.namenode.reconstruction;

import io.ecfs.message.DatanodeId;
import java.util.Collection;
import java.util.TreeMap;

/**
 * Estimate of what rebuilding has read from each datanode lately, by its plans; older plans count less and less. Owner
 * thread: the namenode's event thread.
 */
final class ReadLoad {
    /** Fraction of a load that remains after a tick: half after some seven. */
    private static final double DECAY = 0.9;

    private static final double NOTHING = 1;

    private final TreeMap<DatanodeId, Double> bytes = new TreeMap<>();

    void tick() {
        bytes.replaceAll((datanode, load) -> load * DECAY);
        bytes.values().removeIf(load -> load < NOTHING);
    }

    void planned(DatanodeId datanode, double read) {
        bytes.merge(datanode, read, Double::sum);
    }

    /**
     * Returns whether to copy a chunk from its holder, where the others could provide it as well: when they are not
     * less busy. A copy reads least, but all of it from one disk; so the more is planned, the more of it falls to the
     * others.
     */
    boolean copies(DatanodeId holder, Collection<DatanodeId> others) {
        double mean = others.stream().mapToDouble(this::of).average().orElse(Double.MAX_VALUE);
        return of(holder) <= mean;
    }

    private double of(DatanodeId datanode) {
        return bytes.getOrDefault(datanode, 0.0);
    }
}
