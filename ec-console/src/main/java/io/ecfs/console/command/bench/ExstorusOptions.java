package io.ecfs.console.command.bench;

import io.ecfs.bench.bed.hardware.Torus;
import io.ecfs.bench.exstorus.Exstorus;
import io.ecfs.bench.exstorus.ExstorusPlan;
import io.ecfs.bench.exstorus.Shown;
import io.ecfs.bench.exstorus.cluster.RealBed;
import io.ecfs.bench.exstorus.cluster.RealPlan;
import io.ecfs.bench.exstorus.cluster.RealShown;
import io.ecfs.bench.report.Report;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.config.Nearest;
import io.ecfs.console.command.option.NetworkOption;
import io.ecfs.console.command.option.ProgressLine;
import io.ecfs.console.command.option.WriteModelOptions;
import io.ecfs.console.forecast.NetworkSpeed;
import io.ecfs.console.view.TextTable;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.layout.WriteSide;
import io.ecfs.plan.write.WriteConstants;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of {@code ecfs bench exstorus}, and the tables that follow from them. */
final class ExstorusOptions {
    private static final String STAR = "star";
    private static final List<String> USUALLY_SHOWN = List.of("table1", "table2", "table3");
    private static final double USUAL_GIGABITS = 10;
    private static final int USUAL_REPETITIONS = 3;
    private static final long NANOS_OF_MICRO = 1000;
    private static final Pattern TORUS = Pattern.compile("torus:(\\d{1,4})x(\\d{1,4})");

    /** The bed on which our numbers are made. */
    enum Kind {
        SIM,
        CLUSTER
    }

    @Option(
            names = "--show",
            paramLabel = "NAME",
            split = ",",
            description = {
                "Of table1 to table3, fig4 to fig7, fig9 to fig16, combos (default: table1,table2,table3).",
                "Of a cluster: steps, auto, heldout, thin (default: steps, and none with --rows)."
            })
    private List<String> shown = List.of();

    @Option(
            names = "--bed",
            paramLabel = "BED",
            defaultValue = "sim",
            description = "sim: simulated time with calibrated processors; cluster: daemons of this process over"
                    + " limited links (default: ${DEFAULT-VALUE}).")
    private Kind bed;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "10",
            description = "Of fig6 and fig7: so many stripes under way (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(
            names = "--network",
            paramLabel = "SPEED",
            split = ",",
            converter = NetworkOption.class,
            description = "Of combos (default: 10g); links of a cluster, up to 2.5g (default: 1g,2.5g).")
    private List<Double> gigabits = List.of();

    @Option(
            names = "--topology",
            paramLabel = "NAME",
            defaultValue = "star",
            description = "star: one switch that never blocks; torus:XxY: a link to each of four neighbours (default:"
                    + " ${DEFAULT-VALUE}).")
    private String topology;

    @Option(
            names = "--kernels",
            paramLabel = "NAME",
            split = ",",
            description = "Of fig4 to fig7: of java, native, isal (default: all that run here).")
    private List<String> kernels;

    @Option(names = "--quick", description = "Fewer stripes, shorter measurements of kernels, fewer clients.")
    private boolean quick;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Of what is drawn.")
    private long seed;

    @Mixin
    private WriteModelOptions model = new WriteModelOptions();

    @Mixin
    private RealWriteOptions cluster = new RealWriteOptions();

    @Mixin
    private FigureOptions output = new FigureOptions();

    int run(CommandLine command) throws IOException {
        return bed == Kind.CLUSTER ? onCluster(command) : inSimulatedTime(command);
    }

    private int onCluster(CommandLine command) throws IOException {
        if (!topology.equals(STAR) || kernels != null) {
            throw new IllegalArgumentException("--topology and --kernels are for --bed sim: leave them out");
        }
        RealPlan plan = cluster.plan(
                model.hardware().constants(),
                gigabits,
                model.latencyNanos(),
                model.side(),
                model.window(),
                output.repetitions(quick, USUAL_REPETITIONS),
                quick);
        List<String> words = shown.isEmpty() && cluster.rows().isEmpty() ? List.of(RealShown.STEPS.word()) : shown;
        List<RealShown> reports = words.stream().map(RealWriteOptions::shown).toList();
        ProgressLine progress = new ProgressLine(command.getErr());
        PrintWriter out = command.getOut();
        String setting = "Kim et al. (2018) on a cluster of this process: one namenode, one client, six datanodes or as"
                + " many as the widest code; links limited to "
                + plan.gigabits().stream().map(NetworkSpeed::text).collect(Collectors.joining(", ")) + " with "
                + model.latencyNanos() / NANOS_OF_MICRO + " us one way; BED is " + model.hardwareText();
        out.println(setting);
        try (FigureOptions.Collected figures = output.collect()) {
            new RealBed(plan, RealEnvironment.open())
                    .run(
                            reports,
                            cluster.rows(),
                            setting,
                            report -> {
                                progress.clear();
                                FigureOptions.print(report, out, figures);
                            },
                            doing -> progress.bench(0, doing),
                            progress);
            progress.clear();
            output.writePage(List.of(setting), figures.all());
        }
        return 0;
    }

    private int inSimulatedTime(CommandLine command) throws IOException {
        ExstorusPlan plan = plan();
        List<String> words = shown.isEmpty() ? USUALLY_SHOWN : shown;
        List<Shown> reports = words.stream().map(ExstorusOptions::shown).toList();
        Exstorus exstorus = new Exstorus(plan, ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime);
        ProgressLine progress = new ProgressLine(command.getErr());
        PrintWriter out = command.getOut();
        String setting = "Kim et al. (2018), 4+2, one client, six datanodes, master fixed, bed " + TextTable.words(bed)
                + "; PAPER and MODEL are its hardware, OURS is " + model.hardwareText();
        out.println(setting);
        try (FigureOptions.Collected figures = output.collect()) {
            for (int i = 0; i < reports.size(); i++) {
                progress.bench((double) i / reports.size(), reports.get(i).word());
                Report report = exstorus.report(reports.get(i));
                progress.clear();
                FigureOptions.print(report, out, figures);
            }
            output.writePage(List.of(setting), figures.all());
        }
        return 0;
    }

    private ExstorusPlan plan() throws IOException {
        if (output.repetitions(quick, 1) != 1) {
            throw new IllegalArgumentException("simulated time gives the same numbers each time: leave --reps out");
        }
        if (gigabits.size() > 1) {
            throw new IllegalArgumentException("--network of --bed sim is one speed, that of combos; got "
                    + gigabits.stream().map(NetworkSpeed::text).collect(Collectors.joining(","))
                    + "; nearest is "
                    + NetworkSpeed.text(gigabits.get(0)));
        }
        WriteConstants constants = model.hardware().constants();
        List<String> known = List.copyOf(Kernels.all().keySet());
        List<String> named = kernels == null ? known : kernels;
        for (String name : named) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("no kernel '" + name + "'; nearest is " + Nearest.to(name, known));
            }
        }
        return new ExstorusPlan(
                constants,
                model.side().orElse(WriteSide.MASTER),
                model.latencyNanos(),
                model.window(),
                threads,
                gigabits.isEmpty() ? USUAL_GIGABITS : gigabits.get(0),
                torus(topology),
                named,
                quick,
                seed);
    }

    /** A table or figure. */
    private static Shown shown(String word) {
        return Arrays.stream(Shown.values())
                .filter(one -> one.word().equalsIgnoreCase(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no table or figure '" + word + "'; nearest is " + Nearest.to(word, Shown.words())));
    }

    /** {@code star} or {@code torus:XxY}. */
    static Optional<Torus.Size> torus(String topology) {
        if (topology.equals(STAR)) {
            return Optional.empty();
        }
        Matcher matcher = TORUS.matcher(topology);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("a topology is star or torus:XxY, got '" + topology + "'; nearest is "
                    + Nearest.to(topology, List.of(STAR, "torus:4x4")));
        }
        return Optional.of(new Torus.Size(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))));
    }
}
