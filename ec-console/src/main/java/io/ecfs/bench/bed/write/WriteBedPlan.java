package io.ecfs.bench.bed.write;

import io.ecfs.bench.bed.hardware.Torus;
import io.ecfs.plan.write.CostTerm;
import io.ecfs.plan.write.WriteCost;
import io.ecfs.plan.write.WritePart;
import io.ecfs.plan.write.WriteSystem;
import java.util.Optional;

/**
 * One run, validated by the constructor.
 *
 * @param cost constants, shape of a write and network; its slowness is 1
 * @param system clients, datanodes, window, cores and disks
 * @param bytesPerClient that each client writes, rounded up to whole stripes
 * @param masters choice of the master of a group
 * @param torus empty for a star
 * @param seed of placements
 */
public record WriteBedPlan(
        WriteCost cost,
        WriteSystem system,
        long bytesPerClient,
        MasterChoice masters,
        Optional<Torus.Size> torus,
        long seed) {
    private static final long MOST_STRIPES = 20_000_000;

    public WriteBedPlan {
        if (cost.slowness() != 1) {
            throw new IllegalArgumentException("slaves of the bed are alike, got a slowness of " + cost.slowness());
        }
        if (cost.shape().chunks() > system.datanodes()) {
            throw new IllegalArgumentException(
                    "k + m = " + cost.shape().chunks() + " chunks need as many datanodes, got " + system.datanodes()
                            + "; nearest is " + cost.shape().chunks());
        }
        if (cost.network().latencyNanos() > 0 && cost.coefficient(WritePart.DISTRIBUTING, CostTerm.ROUND_TRIP) != 1) {
            throw new IllegalArgumentException(
                    "these constants have the latency in other terms: the network of a run has none, got "
                            + cost.network().latencyNanos() + " ns; nearest is 0");
        }
        if (bytesPerClient < 1 || stripes(cost, bytesPerClient) > MOST_STRIPES / system.clients()) {
            throw new IllegalArgumentException("a run has 1 to " + MOST_STRIPES + " stripes, got " + system.clients()
                    + " clients with " + bytesPerClient + " bytes each");
        }
    }

    private static long stripes(WriteCost cost, long bytes) {
        return (bytes - 1) / stripeBytes(cost) + 1;
    }

    private static long stripeBytes(WriteCost cost) {
        return cost.shape().dataChunks() * cost.shape().cellBytes();
    }

    /** User bytes of one stripe. */
    public long stripeBytes() {
        return stripeBytes(cost);
    }

    /** Stripes that each client writes. */
    public long stripesPerClient() {
        return stripes(cost, bytesPerClient);
    }

    /** Stripes of one file; no client comes to the end of an endless one. */
    long stripesPerFile() {
        return Math.max(1, cost.shape().fileBytes() / stripeBytes());
    }

    /** Stripes of one group. */
    long stripesPerGroup() {
        return Math.max(1, cost.shape().groupBytes() / stripeBytes());
    }
}
