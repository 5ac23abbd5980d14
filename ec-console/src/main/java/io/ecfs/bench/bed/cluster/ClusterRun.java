package io.ecfs.bench.bed.cluster;

import io.ecfs.bench.bed.BedFigures;
import io.ecfs.bench.bed.BedPlan;
import io.ecfs.bench.bed.BedResult;
import io.ecfs.bench.bed.CacheUse;
import io.ecfs.bench.bed.Configuration;
import io.ecfs.bench.bed.LatencyLog;
import io.ecfs.bench.bed.Requests;
import io.ecfs.bench.report.Figure;
import io.ecfs.client.access.ReadPlans;
import io.ecfs.client.read.span.ReadTimes;
import io.ecfs.console.local.Readiness;
import io.ecfs.env.Environment;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** One configuration on one cluster. */
final class ClusterRun {
    private static final String WORD = "cluster";
    private static final double SECOND = 1e9;

    private final BedPlan plan;
    private final BedPlan.Run run;
    private final ClusterSetting setting;
    private final Environment environment;
    private final Configuration configuration;
    private final SplittableRandom draws;
    private final Requests requests;

    ClusterRun(BedPlan plan, BedPlan.Run run, ClusterSetting setting, Environment environment) {
        this.plan = plan;
        this.run = run;
        this.setting = setting;
        this.environment = environment;
        this.configuration = run.configuration();
        this.draws = new SplittableRandom(plan.seed(run));
        this.requests = plan.requests(new SplittableRandom(plan.seed(run)).split());
    }

    /** Runs it, once; what was measured. */
    List<Figure> figures(Readiness.Progress starting, Consumer<String> doing) throws IOException {
        long bytes = Arrays.stream(requests.blockBytes()).asLongStream().sum();
        try (BedCluster cluster = BedCluster.start(plan, setting, configuration, bytes, starting)) {
            doing.accept("stores blocks");
            StoredBlocks stored = StoredBlocks.put(cluster.client(), requests.blockBytes());
            cluster.disks().on();
            try (ClosedLoop loop = new ClosedLoop(
                    cluster.client(),
                    stored,
                    requests,
                    configuration.delta(),
                    draws,
                    environment.clock(),
                    environment.threads().scheduler("bed-clients"))) {
                return measured(cluster, loop, bytes, doing);
            }
        }
    }

    private List<Figure> measured(BedCluster cluster, ClosedLoop loop, long bytes, Consumer<String> doing)
            throws IOException {
        doing.accept("warms up");
        loop.start(plan.clients());
        pass(loop, plan.warmUp());
        List<String> alive = new ArrayList<>(cluster.datanodes());
        for (int i = 0; i < run.failed(); i++) {
            cluster.stop(alive.remove(draws.nextInt(alive.size())));
        }
        doing.accept("is measured");
        long moves = cluster.moves();
        Processors processors = Processors.watched(environment.clock());
        Map<String, ModelledDevice.Counts> before = cluster.disks().counts();
        ReadPlans.Counts plansBefore = cluster.client().planCounts();
        ReadTimes.Sums timesBefore = cluster.client().readTimes();
        long began = environment.clock().nanos();
        LatencyLog latencies = new LatencyLog(began, plan.measured());
        loop.measure(latencies);
        pass(loop, plan.measured());
        Await.result(loop.counted()); // however slow this machine is
        loop.measured();
        double seconds = (environment.clock().nanos() - began) / SECOND;
        Map<String, ModelledDevice.Counts> after = cluster.disks().counts();
        List<ModelledDevice.Counts> disks = alive.stream()
                .map(name -> after.get(name).since(before.get(name)))
                .toList();
        BedResult result = new BedResult(
                latencies,
                disks.stream().mapToLong(ModelledDevice.Counts::bytesRead).toArray(),
                disks.stream().mapToLong(ModelledDevice.Counts::visits).sum(),
                cluster.moves() - moves,
                OptionalLong.empty(),
                BedCluster.storedBytes(configuration, bytes),
                seconds,
                cacheUse(plansBefore, cluster.client().planCounts()),
                Optional.empty());
        List<Figure> figures = new ArrayList<>(BedFigures.of(plan, WORD, run, result));
        figures.addAll(new Breakdown(
                        cluster.client().readTimes().since(timesBefore),
                        disks.stream()
                                        .mapToLong(ModelledDevice.Counts::busyNanos)
                                        .average()
                                        .orElse(0)
                                / (seconds * SECOND),
                        processors.busyPercent(),
                        processors.ownPercent())
                .figures(BedFigures.params(plan, WORD, run)));
        loop.end();
        if (configuration.moved()) {
            cluster.endMoves();
        }
        return figures;
    }

    private Optional<CacheUse> cacheUse(ReadPlans.Counts before, ReadPlans.Counts now) {
        return configuration.planned() ? Optional.of(CacheUse.between(before, now)) : Optional.empty();
    }

    /** Lets so much time pass, unless a read fails. */
    private void pass(ClosedLoop loop, Duration time) throws IOException {
        try {
            loop.over().get(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException goesOn) {
            return;
        } catch (ExecutionException e) {
            Await.result(loop.over()); // throws it
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while clients read", e);
        }
    }
}
