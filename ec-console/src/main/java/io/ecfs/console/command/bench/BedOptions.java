package io.ecfs.console.command.bench;

import io.ecfs.bench.bed.AccessTrace;
import io.ecfs.bench.bed.Bed;
import io.ecfs.bench.bed.BedPlan;
import io.ecfs.bench.bed.BedTable;
import io.ecfs.bench.bed.Configuration;
import io.ecfs.bench.bed.cluster.Breakdown;
import io.ecfs.bench.bed.cluster.ClusterBed;
import io.ecfs.bench.report.Figure;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.base.PlanConfig;
import io.ecfs.console.command.option.ByteCount;
import io.ecfs.console.command.option.ProgressLine;
import io.ecfs.env.Environment;
import io.ecfs.env.real.RealEnvironment;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options of {@code ecfs bench ycsb-e} and {@code wiki}, and the runs that follow from them. */
final class BedOptions {
    /** The bed on which configurations are compared. */
    enum Kind {
        SIM,
        CLUSTER;

        Usual usually(BedPlan.Work work, boolean quick) {
            if (this == SIM) {
                return quick ? new Usual(100_000, 32, 100, 30, 240, 5) : new Usual(1_000_000, 32, 100, 1200, 1200, 5);
            }
            boolean large = work == BedPlan.Work.WIKI;
            int clients = large ? 25 : 100;
            return quick
                    ? new Usual(large ? 300 : 1000, 16, clients, 5, 25, 1)
                    : new Usual(large ? 1000 : 4000, 16, clients, 60, 240, 1);
        }
    }

    /** Defaults. */
    private record Usual(int blocks, int sites, int clients, double warmSeconds, double seconds, int repetitions) {}

    @Option(
            names = "--bed",
            paramLabel = "BED",
            defaultValue = "sim",
            description = "sim: simulated time; cluster: daemons of this process, whose disks are a model"
                    + " (default: ${DEFAULT-VALUE}).")
    private Kind bed;

    @Mixin
    private ClusterBedOptions cluster = new ClusterBedOptions();

    @Option(
            names = "--quick",
            description = "100,000 blocks, half a minute of warm-up and four minutes that are measured, in simulated"
                    + " time; on a cluster 1,000 blocks, 5 s and 25 s.")
    private boolean quick;

    @Option(
            names = "--config",
            paramLabel = "NAME",
            split = ",",
            converter = ConfigurationName.class,
            description = "Which of R, EC, EC+LB, EC+C, EC+C+M, EC+C+M+LB (default: all).")
    private List<Configuration> configurations = List.of(Configuration.values());

    @Option(
            names = "--blocks",
            paramLabel = "N",
            description = "Blocks or images (default: 1000000; on a cluster 4000, of wiki 1000).")
    private Integer blocks;

    @Option(
            names = "--block-size",
            paramLabel = "BYTES",
            converter = ByteCount.class,
            defaultValue = "100000",
            description = "Of each block in ycsb-e (default: ${DEFAULT-VALUE}).")
    private long blockBytes;

    @Option(
            names = "--scan",
            paramLabel = "N",
            defaultValue = "19",
            description = "Longest scan in keys; lengths are uniform (default: ${DEFAULT-VALUE}).")
    private int longestScan;

    @Option(names = "--exponent", paramLabel = "X", description = "Of the power law (default: 1).")
    private Double exponent;

    @Option(
            names = "--scattered",
            description = "Hot keys of ycsb-e are anywhere among the keys (default: they are neighbours).")
    private boolean scattered;

    @Option(names = "--sites", paramLabel = "N", description = "Datanodes (default: 32; on a cluster 16).")
    private Integer sites;

    @Option(
            names = "--clients",
            paramLabel = "N",
            description =
                    "That read without a pause (default: 100; of wiki on a cluster 25, whose reads fit its client's"
                            + " memory).")
    private Integer clients;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            description = "Before the skew begins (default: 1200; on a cluster 60).")
    private Double warmSeconds;

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            description = "That are measured (default: 1200; on a cluster 240).")
    private Double seconds;

    @Option(
            names = "--failed",
            paramLabel = "N",
            split = ",",
            defaultValue = "0",
            description = "Sites that do not answer, one run for each number (default: ${DEFAULT-VALUE}).")
    private List<Integer> failed = new ArrayList<>();

    @Option(
            names = "--exact",
            description = "Solve plans exactly where a solver is at hand, at once in simulated time (default: greedy).")
    private boolean exact;

    @Option(
            names = "--cached-blocks",
            paramLabel = "N",
            description = "Blocks whose plans a client keeps (default: as plan.cachedBlocks of clients).")
    private int cachedBlocks = PlanConfig.defaults().cachedBlocks();

    @Option(
            names = "--time-planning",
            description = "Tell also what planning takes on this machine: differs from run to run.")
    private boolean timed;

    @Option(
            names = "--read-all",
            description =
                    "Sites read what late binding asked for and does not need any more (default: it is called off).")
    private boolean readAll;

    @Mixin
    private FigureOptions output = new FigureOptions();

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Of the first repetition.")
    private long seed;

    int run(BedPlan.Work work, CommandLine command) throws IOException {
        return run(work, Optional.empty(), command);
    }

    int run(BedPlan.Work work, Optional<AccessTrace> trace, CommandLine command) throws IOException {
        BedPlan plan = plan(work, trace);
        ProgressLine progress = new ProgressLine(command.getErr());
        List<Figure> figures;
        try (FigureOptions.Collected collected = output.collect()) {
            run(plan, collected::add, progress);
            figures = collected.all();
            progress.clear();
        }
        String setting = plan.work().word() + ": " + plan.blocks() + " blocks, " + plan.sites() + " sites, "
                + plan.clients() + " clients, " + plan.seconds() + " s"
                + (bed == Kind.SIM ? " of simulated time" : "") + " after " + plan.warmSeconds() + " s of warm-up"
                + (bed == Kind.SIM ? "" : "; " + cluster.describe());
        PrintWriter out = command.getOut();
        out.println(setting);
        out.print(FigureOptions.text(BedTable.of(figures)));
        BedTable.planning(figures).forEach(out::println);
        BedTable.statistics(figures).forEach(out::println);
        if (bed == Kind.CLUSTER) {
            Breakdown.lines(figures).forEach(out::println);
        }
        out.flush();
        output.writePage(List.of(setting), figures);
        return 0;
    }

    private void run(BedPlan plan, Consumer<Figure> figures, ProgressLine progress) throws IOException {
        Environment environment = RealEnvironment.open();
        if (bed == Kind.CLUSTER) {
            new ClusterBed(plan, cluster.setting(), environment).run(figures, progress::bench, progress);
        } else {
            new Bed(plan, environment.clock(), ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime)
                    .run(figures, progress::bench);
        }
    }

    private BedPlan plan(BedPlan.Work work, Optional<AccessTrace> trace) {
        if (bed == Kind.CLUSTER && (timed || readAll)) {
            throw new IllegalArgumentException("--time-planning and --read-all are for --bed sim: on a cluster"
                    + " planning_mean tells the time, and datanodes call off what they do");
        }
        if (trace.isPresent() && (blocks != null || exponent != null)) {
            throw new IllegalArgumentException(
                    "--trace goes without --blocks and --exponent: it has its own blocks and requests");
        }
        Usual usually = bed.usually(work, quick);
        return new BedPlan(
                work,
                trace,
                configurations,
                trace.map(AccessTrace::blocks).orElse(blocks != null ? blocks : usually.blocks()),
                Math.toIntExact(Math.min(blockBytes, Integer.MAX_VALUE)),
                longestScan,
                exponent != null ? exponent : 1,
                scattered,
                sites != null ? sites : usually.sites(),
                clients != null ? clients : usually.clients(),
                warmSeconds != null ? warmSeconds : usually.warmSeconds(),
                seconds != null ? seconds : usually.seconds(),
                ClientConfig.defaults()
                        .with("plan.exact=" + exact, "plan.cachedBlocks=" + cachedBlocks)
                        .plan(),
                timed,
                !readAll,
                failed,
                output.repetitions(quick, usually.repetitions()),
                seed);
    }

    /** The paper's name of a configuration. */
    static final class ConfigurationName implements ITypeConverter<Configuration> {
        @Override
        public Configuration convert(String word) {
            return Arrays.stream(Configuration.values())
                    .filter(configuration -> configuration.word().equalsIgnoreCase(word))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("no configuration " + word + ": there are "
                            + Arrays.stream(Configuration.values())
                                    .map(Configuration::word)
                                    .collect(Collectors.joining(", "))));
        }
    }
}
