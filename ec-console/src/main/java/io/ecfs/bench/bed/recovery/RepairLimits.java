package io.ecfs.bench.bed.recovery;

import java.time.Duration;

/**
 * Settings of namenode and datanodes that bound a recovery.
 *
 * @param suspectAfter {@code silence.suspectAfter}
 * @param grace {@code recovery.grace}
 * @param atOnce {@code recovery.atOnce}
 * @param perDatanode {@code recovery.perDatanode}
 * @param targetAtOnce {@code repair.atOnce} of a datanode: an order beyond it waits for the next heartbeat
 * @param slicesAtOnce {@code repair.slicesAtOnce}
 * @param sliceBytes {@code repair.sliceBytes}
 */
public record RepairLimits(
        Duration suspectAfter,
        Duration grace,
        int atOnce,
        int perDatanode,
        int targetAtOnce,
        int slicesAtOnce,
        int sliceBytes) {
    /** As configured where nothing is configured, but for the grace. */
    public static RepairLimits usual(Duration grace) {
        return new RepairLimits(Duration.ofSeconds(10), grace, 200, 4, 4, 3, 1 << 20);
    }

    public RepairLimits {
        if (atOnce < 1 || perDatanode < 1 || targetAtOnce < 1 || slicesAtOnce < 1 || sliceBytes < 1) {
            throw new IllegalArgumentException("limits of repairs are at least 1, got " + atOnce + ", " + perDatanode
                    + ", " + targetAtOnce + ", " + slicesAtOnce + " and " + sliceBytes);
        }
    }

    public RepairLimits with(int newAtOnce, int newPerDatanode) {
        return new RepairLimits(
                suspectAfter, grace, newAtOnce, newPerDatanode, newPerDatanode, slicesAtOnce, sliceBytes);
    }
}
