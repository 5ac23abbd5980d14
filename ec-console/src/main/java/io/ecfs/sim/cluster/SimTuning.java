package io.ecfs.sim.cluster;

import io.ecfs.namenode.history.HistoryBounds;
import io.ecfs.namenode.report.DatanodeTable;
import io.ecfs.namenode.settings.BalanceSettings;
import io.ecfs.namenode.settings.GarbageSettings;
import io.ecfs.namenode.settings.MoverSettings;
import io.ecfs.namenode.settings.MoverWeights;
import io.ecfs.namenode.settings.NamenodeSettings;
import io.ecfs.namenode.settings.ParitySettings;
import io.ecfs.namenode.settings.RecoverySettings;
import io.ecfs.namenode.settings.RewriteSettings;
import java.time.Duration;

/** Time limits that let a cluster's reactions come within the minutes of a simulation; the decisions are the same. */
public final class SimTuning {
    static final Duration LEASE_SOFT_LIMIT = Duration.ofSeconds(4);
    public static final Duration LEASE_HARD_LIMIT = Duration.ofSeconds(8);

    /** Time from the suspicion of a datanode to its death. */
    private static final Duration GRACE = Duration.ofSeconds(6);

    /** Longer than any trouble. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Small, so that a run goes past it: what one namenode forgets, all must. */
    private static final HistoryBounds HISTORY = new HistoryBounds(60, 6, 5);

    /** A few chunks of the small disks. */
    public static final double UNEVEN = 0.0002;

    private SimTuning() {}

    private static RecoverySettings recovery(Duration grace) {
        return new RecoverySettings(
                grace,
                false,
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                Duration.ofSeconds(2),
                Duration.ofSeconds(8),
                10,
                2);
    }

    /**
     * As the world says: chunks are moved on the evidence of few reads, and the parity of groups is compared where
     * chunks are balanced.
     */
    static NamenodeSettings quick(NamenodeSettings usual, SimSettings world) {
        boolean balanced = world.balanced();
        boolean moved = world.moved();
        return new NamenodeSettings(
                usual.defaultPolicy(),
                usual.superuser(),
                new DatanodeTable.Silence(Duration.ofSeconds(4)),
                LEASE_SOFT_LIMIT,
                LEASE_HARD_LIMIT,
                Duration.ofSeconds(6),
                usual.leaseCloseWait(),
                usual.safeModeThreshold(),
                usual.safeModeDatanodes(),
                Duration.ofSeconds(3),
                1 << 20,
                usual.chunksPerVolume(),
                5,
                7,
                new GarbageSettings(Duration.ofSeconds(6)),
                usual.tokenLife(),
                usual.keyLife(),
                usual.keyActivation(),
                usual.tick(),
                recovery(world.patient() ? PATIENCE : GRACE),
                new BalanceSettings(balanced, UNEVEN),
                new MoverSettings(moved, 2, 1, 1 << 20, 0, 0, MoverWeights.PAPER, 0.01, 0, 200_000, 10),
                new ParitySettings(balanced, Duration.ofDays(1), 64 << 10, 64 << 10),
                new RewriteSettings(0.6, 0.2, Duration.ofSeconds(20), Duration.ofSeconds(10)),
                HISTORY);
    }
}
