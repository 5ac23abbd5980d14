package io.ecfs.bench.bed.erails;

import io.ecfs.layout.Ring;
import io.ecfs.namenode.ring.WriterChoice;
import java.util.ArrayList;
import java.util.List;

/** The ring of a bed whose writers follow the demand, by the leader's own rule. */
final class AdaptiveWriters {
    private final int most;
    private final double writeRate;
    private final long turnMillis;
    private final List<Double> demands = new ArrayList<>();
    private Ring ring;

    /**
     * @param most writers by the rule of the code
     * @param writeRate of a volume that only writes, in bytes a second
     */
    AdaptiveWriters(Ring ring, int most, double writeRate, long turnMillis) {
        this.ring = ring;
        this.most = most;
        this.writeRate = writeRate;
        this.turnMillis = turnMillis;
    }

    Ring ring() {
        return ring;
    }

    /** @param demand on each volume over one rotation, in bytes a second */
    void rotated(double demand) {
        demands.add(demand);
        WriterChoice.writers(ring.colours(), most, turnMillis, demands, writeRate)
                .ifPresent(writers -> ring = new Ring(ring.colours(), writers));
    }
}
