package io.ecfs.bench.bed.erails.cluster;

import io.ecfs.bench.bed.cluster.ClusterSetting;
import io.ecfs.bench.bed.erails.RingPlan;
import io.ecfs.console.local.Readiness;
import io.ecfs.env.Environment;
import io.ecfs.env.Scheduler;
import io.ecfs.layout.Policy;
import java.io.IOException;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Runs the same requests three times on one cluster: reads alone, beside writes with a ring, and without roles. */
public final class RingClusterBed {
    private static final int CHECKED = 50;

    private final ClusterSetting setting;
    private final Environment environment;
    private final Readiness.Progress starting;
    private final Consumer<String> doing;
    private final Optional<DiskDirectories> real;

    /**
     * @param doing gets what is done, for people
     * @param real for the volumes; empty: they lie on modelled devices
     */
    public RingClusterBed(
            ClusterSetting setting,
            Environment environment,
            Readiness.Progress starting,
            Consumer<String> doing,
            Optional<DiskDirectories> real) {
        this.real = real;
        this.setting = setting;
        this.environment = environment;
        this.starting = starting;
        this.doing = doing;
    }

    /**
     * What to run.
     *
     * @param ring the run with the ring
     * @param alone reads alone on its readers
     * @param mixed without roles
     * @param objects that are read
     */
    public record Runs(Policy policy, RingPlan ring, RingPlan alone, RingPlan mixed, int objects) {}

    public record Measured(RingMeasurement alone, RingMeasurement ring, RingMeasurement mixed) {}

    /** @throws IOException when a request fails, an object is read with other bytes, or volumes do not drain */
    public Measured run(Runs runs) throws IOException {
        try (RingCluster cluster =
                RingCluster.start(runs.ring, runs.policy, setting, mostBytes(runs), real, starting)) {
            Scheduler loop = environment.threads().scheduler("ring-bed-clients");
            try {
                return run(runs, cluster, loop);
            } finally {
                loop.close();
            }
        }
    }

    private Measured run(Runs runs, RingCluster cluster, Scheduler loop) throws IOException {
        doing.accept("stores objects");
        RingObjects objects = RingObjects.put(
                cluster,
                runs.objects,
                Math.toIntExact(runs.ring.load().objectBytes()),
                new SplittableRandom(runs.ring.seed()),
                loop);
        cluster.pause(true); // until they are on the devices
        cluster.pause(false);
        cluster.disks().on(true);
        doing.accept("reads alone");
        RingMeasurement alone = new RingRun(runs.alone, cluster, objects, environment.clock(), loop).measure();
        doing.accept("reads beside writes, ring");
        RingMeasurement ring = new RingRun(runs.ring, cluster, objects, environment.clock(), loop).measure();
        cluster.disks().on(false);
        objects.checkLatest(CHECKED); // most of them still staged
        cluster.pause(true);
        objects.checkLatest(CHECKED);
        cluster.disks().on(true);
        doing.accept("reads beside writes, no ring");
        RingMeasurement mixed = new RingRun(runs.mixed, cluster, objects, environment.clock(), loop).measure();
        cluster.disks().on(false);
        return new Measured(alone, ring, mixed);
    }

    /** A third of what readers could read is written at most. */
    private static long mostBytes(Runs runs) {
        double rate = runs.ring.code().chunks() * runs.ring.device().readRate(runs.ring.chunkBytes(), false);
        double seconds = (runs.ring.load().mostNanos() + runs.mixed.load().mostNanos()) / 1e9;
        return runs.objects * runs.ring.load().objectBytes()
                + Math.round(rate * seconds / runs.ring.load().readsPerWrite());
    }
}
