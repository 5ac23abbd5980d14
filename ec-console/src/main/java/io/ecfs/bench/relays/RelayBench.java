package io.ecfs.bench.relays;

import io.ecfs.bench.load.Content;
import io.ecfs.bench.load.Crew;
import io.ecfs.bench.meter.MemoryWatch;
import io.ecfs.bench.system.OwnCluster;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.config.ConfigReader;
import io.ecfs.console.local.ClusterPlan;
import io.ecfs.console.local.Readiness;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Runs all cases on one cluster in this process, one after the other. */
public final class RelayBench {
    private static final String OF_CLIENT = "client.";

    /** Of no case. */
    private static final String WARM_UP_MASTER = "dn3";

    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    private final RelayPlan plan;

    public RelayBench(RelayPlan plan) {
        this.plan = plan;
    }

    /** Notified of what is done. */
    public interface Progress {
        /** @param share of the cases that are done */
        void at(double share, String doing);
    }

    /**
     * Runs it.
     *
     * @param results notified of each case when it is done
     * @throws io.ecfs.error.EcfsException when a file is not read back as it was written, or a bound was passed
     */
    public void run(Consumer<RelayResult> results, Progress progress, Readiness.Progress starting) throws Exception {
        RelayMasters masters = new RelayMasters(plan);
        ClusterPlan.Shape shape =
                new ClusterPlan.Shape(plan.policy(), 1, plan.policy().chunks(), 1, 1, 0);
        List<String> ofDaemons = plan.overrides().stream()
                .filter(one -> !one.startsWith(OF_CLIENT))
                .toList();
        Content content = new Content(plan.bytes());
        try (OwnCluster cluster =
                        OwnCluster.start(plan.parent(), shape, masters, ofDaemons, plan.storedBytes(), starting);
                Crew crew = new Crew()) {
            progress.at(0, "warm-up");
            warmUp(cluster.uri(), content, crew);
            List<RelayCase> cases = List.of(RelayCase.values());
            for (int i = 0; i < cases.size(); i++) {
                double share = (double) i / cases.size();
                RelayResult result =
                        run(cases.get(i), masters, cluster.uri(), content, crew, doing -> progress.at(share, doing));
                result.requireBounds();
                results.accept(result);
            }
        }
    }

    private void warmUp(String uri, Content content, Crew crew) throws Exception {
        try (RelayRun files = new RelayRun(plan.warmUp(), "warm-up", uri, config(WARM_UP_MASTER), content, crew)) {
            files.write();
            files.readBack();
        }
    }

    private RelayResult run(
            RelayCase of, RelayMasters masters, String uri, Content content, Crew crew, Consumer<String> doing)
            throws Exception {
        try (RelayRun files = new RelayRun(plan, of.word(), uri, config(of.master()), content, crew);
                MemoryWatch memory = new MemoryWatch(List.of())) {
            doing.accept(of.word() + ": " + plan.writers() + " writers through " + of.master());
            long begin = System.nanoTime();
            files.write();
            double seconds = (System.nanoTime() - begin) / NANOS;
            memory.poll();
            doing.accept(of.word() + ": reading back");
            files.readBack();
            return new RelayResult(
                    of,
                    plan,
                    masters.bounds(of),
                    masters.totals(of),
                    files.fallbacks(),
                    seconds,
                    memory.worst().get(MemoryWatch.CLIENT));
        }
    }

    /** At most two stripes of each writer are at the master: the window of one, and the one that is filled. */
    private ClientConfig config(String master) {
        List<String> settings = new ArrayList<>(List.of("encode=master", "master=" + master, "writeWindowStripes=1"));
        plan.overrides().stream()
                .filter(one -> one.startsWith(OF_CLIENT))
                .map(one -> one.substring(OF_CLIENT.length()))
                .forEach(settings::add);
        return ConfigReader.with(ClientConfig.defaults(), settings);
    }
}
