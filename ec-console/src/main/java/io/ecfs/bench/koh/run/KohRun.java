package io.ecfs.bench.koh.run;

import io.ecfs.bench.koh.ImageState;
import io.ecfs.bench.koh.IoKind;
import io.ecfs.bench.koh.KohFigure;
import io.ecfs.bench.koh.KohPlan;
import io.ecfs.bench.koh.KohStage;
import io.ecfs.bench.koh.Quantity;
import io.ecfs.bench.meter.Cost;
import io.ecfs.bench.meter.Daemon.Role;
import io.ecfs.bench.report.Figure;
import io.ecfs.code.kernel.KernelProvider;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.console.local.Readiness;
import io.ecfs.message.Metering.CallerKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Runs a plan on a cluster of its own: repetition after repetition, and within each policy after policy. */
public final class KohRun {
    /** Of the directory of traces: begin, end, stage, policy and repetition. */
    static final String STAGES = "stages.tsv";

    private static final double WARM_UP_SHARE = 0.25;
    private static final double LONGEST_WARM_UP = 3;
    private static final int WARM_UP_DEPTH = 64;
    private static final double IDLE_SECONDS = 5;
    private static final double KILO = 1e3;
    private static final double MILLIS = 1e3;

    private final KohPlan plan;
    private final KohSetting setting;
    private final KohNeeds needs;

    /** Notified of the progress of the run. */
    public interface Progress {
        /** @param share of the stages that are done, from 0 to 1 */
        void at(double share, String doing);
    }

    /** @throws IllegalArgumentException for a plan that does not fit in memory */
    public KohRun(KohPlan plan, KohSetting setting) {
        this.plan = plan;
        this.setting = setting;
        this.needs = new KohNeeds(plan);
    }

    /**
     * Measures everything.
     *
     * @param figures notified of each figure when it is measured
     * @param notes notified of what is left out, and why: lines for people
     * @return the results, when every file was read back as it was written
     */
    public KohResults run(
            Consumer<Figure> figures, Consumer<String> notes, Progress progress, Readiness.Progress starting)
            throws Exception {
        KohResults results = new KohResults(plan, setting);
        long stored = needs.storedBytes(setting.updates());
        try (KohCluster cluster = KohCluster.start(plan.options(), setting, stored, starting)) {
            notes.accept(cluster.description());
            Images images = new Images(cluster, plan.options().fileBytes(), needs.blockBytes());
            Stages stages = new Stages(cluster, images, results, figures);
            progress.at(0, "warm-up");
            stages.warmUp();
            if (plan.figures().stream().anyMatch(KohRun::ofHeartbeats)) {
                idle(cluster, results);
            }
            List<KohStage> all = measurable(notes);
            int steps = all.size() * plan.options().repetitions();
            int done = 0;
            for (int number = 1; number <= plan.options().repetitions(); number++) {
                for (KohStage stage : all) {
                    progress.at((double) done++ / steps, stage.text() + ", repetition " + number);
                    stages.run(stage, number);
                }
            }
            progress.at(1, "reading back");
            images.dropAll();
        }
        KohReport.ratios(plan, results).forEach(figures);
        return results;
    }

    private static boolean ofHeartbeats(KohFigure figure) {
        return figure.goals().stream().anyMatch(goal -> goal.quantity() == Quantity.HEARTBEATS);
    }

    /** All stages but those of a coding library that does not load here. */
    private List<KohStage> measurable(Consumer<String> notes) {
        Map<String, KernelProvider.Loading> kernels = Kernels.all();
        Map<String, String> missing = KohPlan.KERNELS.stream()
                .filter(name -> !(kernels.get(name) instanceof KernelProvider.Loading.Loaded))
                .collect(Collectors.toMap(name -> name, name -> why(kernels.get(name))));
        List<KohStage> all = plan.stages().stream()
                .filter(stage -> !(stage instanceof KohStage.Requests requests
                        && requests.kernel().filter(missing::containsKey).isPresent()))
                .toList();
        if (all.size() < plan.stages().size()) {
            missing.forEach((name, why) -> notes.accept("without " + name + ": " + why));
        }
        return all;
    }

    private static String why(KernelProvider.Loading loading) {
        return loading instanceof KernelProvider.Loading.Unavailable unavailable
                ? unavailable.reason()
                : "not on the class path";
    }

    /** Measures the traffic between datanodes that nobody uses. */
    private void idle(KohCluster cluster, KohResults results) throws Exception {
        double seconds = Math.min(IDLE_SECONDS, plan.options().seconds());
        Cost cost = cluster.parts()
                .measureNow(cluster.client(), () -> {
                    TimeUnit.MILLISECONDS.sleep((long) (seconds * MILLIS));
                    return seconds;
                })
                .cost();
        results.idle(cost.wireBytes(CallerKind.DATANODE, Role.DATANODE) / KILO / cost.seconds() / setting.datanodes());
    }

    /** The stages of one run. */
    private final class Stages {
        private final KohCluster cluster;
        private final RequestRun requests;
        private final MixRun mixes;
        private final KohResults results;
        private final Consumer<Figure> figures;

        Stages(KohCluster cluster, Images images, KohResults results, Consumer<Figure> figures) {
            this.cluster = cluster;
            this.requests = new RequestRun(cluster, images);
            this.mixes =
                    new MixRun(cluster, images, MixRun.fileBytes(plan.options().fileBytes(), needs.mixes()));
            this.results = results;
            this.figures = figures;
        }

        /** The first requests of a JVM are slow: some of each kind, pattern and policy are not measured. */
        void warmUp() throws Exception {
            double seconds =
                    Math.min(LONGEST_WARM_UP, WARM_UP_SHARE * plan.options().seconds());
            Set<KohStage.Requests> each = new LinkedHashSet<>();
            for (KohStage stage : plan.stages()) {
                if (stage instanceof KohStage.Requests requests) {
                    each.add(warmUp(requests));
                }
            }
            for (KohStage.Requests requests : each) {
                this.requests.run(requests, 0, 0, seconds);
            }
        }

        private KohStage.Requests warmUp(KohStage.Requests of) {
            boolean reads = of.series().kind() == IoKind.READ;
            return new KohStage.Requests(
                    of.policy(),
                    of.series(),
                    needs.warmUpBytes(of.series()),
                    WARM_UP_DEPTH,
                    reads ? ImageState.OVERWRITE : ImageState.PRISTINE,
                    Optional.empty());
        }

        /** Appends a line of when a stage ran, in the nanoseconds of the traces. */
        private void mark(Path file, long begin, Outcome outcome) throws IOException {
            String line = String.join(
                    "\t",
                    String.valueOf(begin),
                    String.valueOf(cluster.traceNanos()),
                    outcome.stage().text(),
                    outcome.stage().policy().name(),
                    String.valueOf(outcome.repetition()));
            Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }

        /** Policies get the same requests, repetitions others. */
        void run(KohStage stage, int repetition) throws Exception {
            double seconds = plan.options().seconds();
            long begin = cluster.traceNanos();
            Outcome outcome = stage instanceof KohStage.Requests of
                    ? requests.run(of, repetition, repetition, seconds)
                    : mixes.run((KohStage.MixRun) stage, repetition, repetition, seconds);
            if (setting.trace().isPresent()) {
                mark(setting.trace().get().resolve(STAGES), begin, outcome);
            }
            results.add(outcome);
            KohReport.figures(plan, setting, outcome).forEach(figures);
        }
    }
}
