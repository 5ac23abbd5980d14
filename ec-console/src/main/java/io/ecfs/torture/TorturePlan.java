package io.ecfs.torture;

import io.ecfs.console.local.ClusterPlan;
import io.ecfs.layout.Policy;
import io.ecfs.torture.fault.Fault;
import io.ecfs.torture.fault.Shape;
import io.ecfs.torture.fault.driver.Faults;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A torture: how long, of what, with which faults.
 *
 * @param seed of the calls and of the faults
 * @param faults in the order of their first pass
 */
public record TorturePlan(Shape shape, long seed, Duration length, Policy policy, List<Fault> faults) {
    static final int NAMENODES = 3;
    static final int CLIENTS = 2;
    static final int THREADS_OF_CLIENT = 4;
    /** Of a disk in memory; the chunks of a torture take less. */
    static final long MEMORY_DISK_BYTES = 640L << 20;

    private static final Duration MOST = Duration.ofDays(1);

    /**
     * Small daemons that notice losses soon; writers that vanished are missed within seconds. Deleted files are purged
     * several sync intervals (4 s) later: with the default of two minutes a level, deleted directories would outlast
     * {@link Settling#END}.
     */
    private static final List<String> DAEMONS = List.of(
            "namenode.settings.silence.suspectAfter=4s",
            "namenode.settings.recovery.grace=6s",
            "namenode.settings.leaseSoftLimit=5s",
            "namenode.settings.leaseHardLimit=10s",
            "namenode.settings.leaseRecoveryWait=5s",
            "namenode.settings.garbage.delay=20s",
            "namenode.store.writeBufferBytes=16m",
            "namenode.store.blockCacheBytes=16m",
            "datanode.store.readBufferBytes=32m",
            "datanode.repair.bufferBytes=32m",
            "datanode.scrub.bytesPerSecond=64m",
            "datanode.scrub.every=5s");

    /** Their free space is that of disks in memory. */
    private static final List<String> SMALL_DISKS =
            List.of("namenode.settings.minFreeBytes=1m", "datanode.store.reserveBytes=1m");

    public TorturePlan {
        Objects.requireNonNull(shape, "shape");
        Objects.requireNonNull(policy, "policy");
        faults = List.copyOf(faults);
        if (length.isNegative() || length.isZero() || length.compareTo(MOST) > 0) {
            throw new IllegalArgumentException("--minutes must be above 0 and at most " + MOST.toMinutes());
        }
        if (policy.chunks() == policy.dataChunks()) {
            throw new IllegalArgumentException("policy " + policy + " survives no loss: nothing may be done to it");
        }
    }

    /** One to spare for writing while m are away. */
    int datanodes() {
        return policy.chunks() + losses();
    }

    /** m: datanodes that may be away at a time. */
    int losses() {
        return policy.chunks() - policy.dataChunks();
    }

    /** Datanodes that may be away while others have undetected corruption. */
    int away() {
        return losses() - Faults.rotten(faults);
    }

    public ClusterPlan.Shape clusterShape() {
        return new ClusterPlan.Shape(policy, NAMENODES, datanodes(), 1, 1, 0);
    }

    /** Overrides of the daemons' configuration, as for {@code ecfs up -D}. */
    public List<String> daemonSettings() {
        return shape == Shape.PROCESSES
                ? DAEMONS
                : Stream.concat(DAEMONS.stream(), SMALL_DISKS.stream()).toList();
    }

    /** Most that lies on the disks, about. */
    public long storedBytes() {
        return 2L << 30;
    }
}
