package io.ecfs.bench.bed.erails.cluster;

import io.ecfs.bench.bed.cluster.Processors;
import io.ecfs.bench.bed.erails.Load;
import io.ecfs.bench.bed.erails.RequestStreams;
import io.ecfs.bench.bed.erails.RingOutcome.Percentiles;
import io.ecfs.bench.bed.erails.RingPlan;
import io.ecfs.datanode.store.ring.SpillReason;
import io.ecfs.datanode.store.ring.StagedCounts;
import io.ecfs.env.Clock;
import io.ecfs.env.Scheduler;
import io.ecfs.env.Workers;
import io.ecfs.env.real.Poller;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;

/** One load on a cluster, once. */
final class RingRun {
    private static final double SECOND = 1e9;
    private static final Duration POLL_INTERVAL = Duration.ofMillis(5);
    private static final Duration LONGEST_REQUEST = Duration.ofMinutes(5);
    private final RingPlan plan;
    private final Load load;
    private final RingCluster cluster;
    private final RingObjects objects;
    private final Clock clock;
    private final Scheduler loop;
    private final long began;
    private final RequestStreams streams;

    /** @param loop the thread of the objects */
    RingRun(RingPlan plan, RingCluster cluster, RingObjects objects, Clock clock, Scheduler loop) {
        this.plan = plan;
        this.load = plan.load();
        this.cluster = cluster;
        this.objects = objects;
        this.clock = clock;
        this.loop = loop;
        this.began = clock.nanos();
        this.streams = new RequestStreams(this::now, load, objects);
    }

    private long now() {
        return clock.nanos() - began;
    }

    /** @throws EcfsException for the first request that failed */
    RingMeasurement measure() throws IOException {
        long turn = now() + cluster.nanosToTurn();
        onLoop(() -> {
            streams.dispatch();
            return this;
        });
        passUntil(load.warmNanos());
        DiskCounts before = cluster.disks().counts();
        Map<SpillReason, Long> spills = spills();
        long late = sum(StagedCounts::lateSwitches);
        long from = now();
        Processors processors = Processors.watched(clock);
        passUntil(load.mostNanos());
        long to = now();
        DiskCounts counts = cluster.disks().counts().since(before);
        double busy = processors.busyPercent();
        long staged = cluster.disks().staged().stream()
                .mapToLong(StagedCounts::stagedBytes)
                .max()
                .orElse(0);
        Map<SpillReason, Long> spilled = spills();
        spills.forEach((reason, n) -> spilled.merge(reason, -n, Long::sum));
        spilled.values().removeIf(n -> n == 0);
        long lateEnds = sum(StagedCounts::lateSwitches) - late;
        double acknowledged = onLoop(() -> {
            streams.end();
            return streams.writes().rate(from, to);
        });
        RingMeasurement measured = onLoop(() -> new RingMeasurement(
                load.objectBytes() * streams.reads().rate(from, to),
                userBytes(counts.chunkBytes()) / ((to - from) / SECOND),
                load.objectBytes() * acknowledged,
                Percentiles.of(streams.readNanos()),
                streams.reads().dipAtTurns(turn, plan.turn(), from, to),
                counts.metadataBytes() / (double) Math.max(1, counts.chunkBytes()),
                counts.disturbed() * (double) plan.chunkBytes() / Math.max(1, counts.bytesRead()),
                spilled,
                lateEnds,
                staged,
                busy));
        awaitIdle();
        if (load.writes() > 0 && streams.writesDone() >= load.writes()) {
            throw new EcfsException(
                    ErrorCode.NO_SPACE,
                    "after " + load.writes() + " writes there is no room for more: choose --quick, a shorter --period"
                            + " or larger devices");
        }
        return measured;
    }

    private Map<SpillReason, Long> spills() {
        Map<SpillReason, Long> all = new EnumMap<>(SpillReason.class);
        cluster.disks()
                .staged()
                .forEach(counts -> counts.spills().forEach((reason, n) -> all.merge(reason, n, Long::sum)));
        return all;
    }

    private double userBytes(long ofChunks) {
        return (double) ofChunks / (plan.chunkBytes() * plan.code().chunks()) * load.objectBytes();
    }

    private long sum(ToLongFunction<StagedCounts> what) {
        return cluster.disks().staged().stream().mapToLong(what).sum();
    }

    private void passUntil(long nanos) throws IOException {
        poll(() -> now() >= nanos);
    }

    private void awaitIdle() throws IOException {
        poll(streams::idle);
    }

    /** Until it is true, asked on the loop; ends with the first failure of a request. */
    private void poll(Callable<Boolean> over) throws IOException {
        Poller poller = Poller.every(POLL_INTERVAL);
        try {
            while (!onLoop(over)) {
                List<EcfsException> failed =
                        onLoop(() -> objects.failure().stream().toList());
                if (!failed.isEmpty()) {
                    throw failed.get(0);
                }
                if (poller.passed(LONGEST_REQUEST.plusNanos(load.mostNanos()))) {
                    throw new IOException("requests do not end");
                }
                poller.pause();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while clients read and write", e);
        }
    }

    private <T> T onLoop(Callable<T> work) throws IOException {
        CompletableFuture<T> done = new CompletableFuture<>();
        loop.execute(() -> Workers.run(work, done));
        return Await.result(done);
    }
}
