package io.ecfs.message;

import java.util.Objects;

/**
 * Throttles of the leader's reconstruction and moves of chunks.
 *
 * @param repairsAtOnce in the whole cluster; 0: nothing is rebuilt and nothing moves. Moves take at most half of them
 * @param repairsPerDatanode with one datanode as their target
 * @param repairBytesPerSecond of sources that one datanode reads for what it rebuilds; 0: no limit
 */
public record Throttles(Throttle repairsAtOnce, Throttle repairsPerDatanode, Throttle repairBytesPerSecond) {
    public Throttles {
        Objects.requireNonNull(repairsAtOnce, "repairsAtOnce");
        Objects.requireNonNull(repairsPerDatanode, "repairsPerDatanode");
        Objects.requireNonNull(repairBytesPerSecond, "repairBytesPerSecond");
    }

    /** As each datanode is configured. */
    public static final long AT_EACH_DATANODE = -1;

    /**
     * @param value in force; {@link #AT_EACH_DATANODE} where every datanode has its own
     * @param configured what holds when no operator says otherwise
     * @param set whether an operator said otherwise
     */
    public record Throttle(long value, long configured, boolean set) {}
}
