package io.ecfs.console.command.bench;

import io.ecfs.bench.bed.hardware.Torus;
import io.ecfs.bench.exstorus.Exstorus;
import io.ecfs.bench.exstorus.ExstorusPlan;
import io.ecfs.bench.exstorus.Report;
import io.ecfs.bench.exstorus.Shown;
import io.ecfs.bench.report.Table;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.config.Nearest;
import io.ecfs.console.command.option.NetworkOption;
import io.ecfs.console.command.option.ProgressLine;
import io.ecfs.console.command.option.SideName;
import io.ecfs.console.command.option.TimeSpan;
import io.ecfs.console.forecast.SampleFile;
import io.ecfs.console.forecast.WritePresets;
import io.ecfs.console.view.TextTable;
import io.ecfs.plan.write.Calibration;
import io.ecfs.plan.write.WriteConstants;
import io.ecfs.plan.write.WriteSide;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options of {@code ecfs bench exstorus}, and the tables that follow from them. */
final class ExstorusOptions {
    private static final String STAR = "star";
    private static final Pattern TORUS = Pattern.compile("torus:(\\d{1,4})x(\\d{1,4})");

    /** The bed on which our numbers are made. */
    enum Kind {
        SIM
    }

    @Option(
            names = "--show",
            paramLabel = "NAME",
            split = ",",
            defaultValue = "table1,table2,table3",
            converter = ShownName.class,
            description = "Of table1 to table3, fig4 to fig7, fig9 to fig16, combos (default: ${DEFAULT-VALUE}).")
    private List<Shown> shown = List.of();

    @Option(
            names = "--bed",
            paramLabel = "BED",
            defaultValue = "sim",
            description = "sim: simulated time with calibrated processors (default: ${DEFAULT-VALUE}).")
    private Kind bed;

    @Option(
            names = "--side",
            paramLabel = "SIDE",
            defaultValue = "master",
            converter = SideName.class,
            description = "That encodes in our runs: master, as in the paper, or client (default: ${DEFAULT-VALUE}).")
    private WriteSide side;

    @Option(
            names = "--latency",
            paramLabel = "TIME",
            defaultValue = "20us",
            converter = TimeSpan.class,
            description = "Of one way on the network (default: ${DEFAULT-VALUE}).")
    private Duration latency;

    @Option(
            names = "--window",
            paramLabel = "N",
            description = "Stripes under way of the rates, the one being filled counted (default: as"
                    + " client.writeWindowStripes, and one).")
    private Integer window;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "10",
            description = "Of fig6 and fig7: so many stripes under way (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(
            names = "--network",
            paramLabel = "SPEED",
            defaultValue = "10g",
            converter = NetworkOption.class,
            description = "Of combos (default: ${DEFAULT-VALUE}).")
    private double gigabits;

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

    @Option(
            names = "--hardware",
            paramLabel = "NAME",
            defaultValue = "ecfs",
            description = "Constants of OURS: ecfs, as measured; estimate, of machines of their own; or paper, without"
                    + " --latency (default: ${DEFAULT-VALUE}).")
    private WritePresets hardware;

    @Option(
            names = "--calibrate",
            paramLabel = "FILE",
            description = "Constants from measured writes, as of ecfs model write.")
    private Path samples;

    @Option(names = "--quick", description = "Fewer stripes, shorter measurements of kernels, fewer clients.")
    private boolean quick;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Of what is drawn.")
    private long seed;

    @Mixin
    private FigureOptions output = new FigureOptions();

    int run(CommandLine command) throws IOException {
        ExstorusPlan plan = plan();
        Exstorus exstorus = new Exstorus(plan, ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime);
        ProgressLine progress = new ProgressLine(command.getErr());
        PrintWriter out = command.getOut();
        String setting = "Kim et al. (2018), 4+2, one client, six datanodes, master fixed, bed "
                + TextTable.words(bed) + "; PAPER and MODEL are its hardware, OURS is " + TextTable.words(hardware)
                + (samples == null ? "" : " calibrated by " + samples);
        out.println(setting);
        try (FigureOptions.Collected figures = output.collect()) {
            for (int i = 0; i < shown.size(); i++) {
                progress.bench((double) i / shown.size(), shown.get(i).word());
                Report report = exstorus.report(shown.get(i));
                progress.clear();
                report.figures().forEach(figures::add);
                for (Table table : report.tables()) {
                    out.println();
                    out.println(table.title());
                    out.print(FigureOptions.text(table));
                }
                report.notes().forEach(out::println);
                out.flush();
            }
            output.writePage(List.of(setting), figures.all());
        }
        return 0;
    }

    private ExstorusPlan plan() throws IOException {
        if (output.repetitions(quick, 1) != 1) {
            throw new IllegalArgumentException("simulated time gives the same numbers each time: leave --reps out");
        }
        WriteConstants constants = hardware.constants();
        if (samples != null) {
            constants = Calibration.of(SampleFile.read(samples, latency.toNanos()), constants)
                    .constants();
        }
        List<String> known = List.copyOf(Kernels.all().keySet());
        List<String> named = kernels == null ? known : kernels;
        for (String name : named) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("no kernel '" + name + "'; nearest is " + Nearest.to(name, known));
            }
        }
        return new ExstorusPlan(
                constants,
                side,
                latency.toNanos(),
                window != null ? window : ClientConfig.defaults().writeWindowStripes() + 1,
                threads,
                gigabits,
                torus(topology),
                named,
                quick,
                seed);
    }

    /** A table or figure. */
    static final class ShownName implements ITypeConverter<Shown> {
        @Override
        public Shown convert(String word) {
            return Arrays.stream(Shown.values())
                    .filter(one -> one.word().equalsIgnoreCase(word))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException(
                            "no table or figure '" + word + "'; nearest is " + Nearest.to(word, Shown.words())));
        }
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
