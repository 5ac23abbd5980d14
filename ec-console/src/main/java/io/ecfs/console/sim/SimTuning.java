package io.ecfs.console.sim;

import io.ecfs.namenode.report.DatanodeTable;
import io.ecfs.namenode.server.NamenodeSettings;
import java.time.Duration;

/** Time limits that let a cluster's reactions come within the minutes of a simulation; the decisions are the same. */
final class SimTuning {
    static final Duration LEASE_SOFT_LIMIT = Duration.ofSeconds(4);
    static final Duration LEASE_HARD_LIMIT = Duration.ofSeconds(8);

    private SimTuning() {}

    static NamenodeSettings quick(NamenodeSettings usual) {
        return new NamenodeSettings(
                usual.defaultPolicy(),
                usual.superuser(),
                new DatanodeTable.Silence(Duration.ofSeconds(4), Duration.ofSeconds(10)),
                LEASE_SOFT_LIMIT,
                LEASE_HARD_LIMIT,
                Duration.ofSeconds(6),
                usual.safeModeThreshold(),
                usual.safeModeDatanodes(),
                Duration.ofSeconds(3),
                1 << 20,
                usual.chunksPerVolume(),
                5,
                7,
                usual.tokenLife(),
                usual.keyLife(),
                usual.keyActivation(),
                usual.tick());
    }
}
