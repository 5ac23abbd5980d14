package io.ecfs.console.command.bench;

import io.ecfs.bench.bed.erails.Load;
import io.ecfs.bench.bed.erails.MeasuredCoding;
import io.ecfs.bench.bed.erails.Medium;
import io.ecfs.bench.bed.erails.RingMedia;
import io.ecfs.bench.bed.erails.cluster.DiskDirectories;
import io.ecfs.bench.device.MeasuredMedium;
import io.ecfs.bench.erails.ClusterFigure;
import io.ecfs.bench.erails.DisksFigure;
import io.ecfs.bench.erails.Erails;
import io.ecfs.bench.erails.ErailsSetting;
import io.ecfs.bench.erails.ErailsShown;
import io.ecfs.bench.report.Report;
import io.ecfs.bench.report.Table;
import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.console.command.option.ByteCount;
import io.ecfs.console.command.option.ProgressLine;
import io.ecfs.console.command.option.TimeSpan;
import io.ecfs.console.view.TextTable;
import io.ecfs.env.real.RealEnvironment;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of {@code ecfs bench erails}, and the figures that follow from them. */
final class ErailsOptions {
    private static final long WARM_NANOS = 20_000_000;
    private static final long QUICK_WARM_NANOS = 3_000_000;

    /** The bed on which our numbers are made. */
    enum Kind {
        SIM("devices, journals and clocks are a model; the ring, the read planner, the placement and"
                + " the codec are real."),
        CLUSTER("daemons of this process, journals and the client are real, devices are a model."),
        DISKS("daemons of this process, journals, the client and devices are real.");

        private final String real;

        Kind(String real) {
            this.real = real;
        }
    }

    /** What is of 128 KiB. */
    enum Request {
        OBJECT,
        CHUNK
    }

    @Option(
            names = "--show",
            paramLabel = "NAME",
            split = ",",
            description = "Of fig3 to fig6, fig9, fig10, group, adaptive, sweep (default: all; cluster, disks: fig9).")
    private List<String> shown = List.of();

    @Option(
            names = "--bed",
            paramLabel = "BED",
            defaultValue = "sim",
            description = "sim: simulated time with devices that are a model; cluster: fig9 and fig10 on real daemons,"
                    + " whose devices alone are a model; disks: the same on the devices of --dirs (default:"
                    + " ${DEFAULT-VALUE}).")
    private Kind bed;

    @Option(names = "--quick", description = "Short runs with turns of two seconds.")
    private boolean quick;

    @Option(
            names = "--media",
            paramLabel = "NAME|FILE",
            defaultValue = "ssd",
            description = "Of ssd, hdd, smr, zns, or a file of 'ecfs bench device' (default: ${DEFAULT-VALUE}).")
    private String media;

    @Option(
            names = "--interference",
            paramLabel = "X",
            description = "Reads take X times as long beside writes on average (default: the media's; ssd: 4).")
    private Double interference;

    @Option(
            names = "--period",
            paramLabel = "TIME",
            converter = TimeSpan.class,
            description = "From one turn to the next (default: 10s; smr: 60s; quick: 2s).")
    private Duration period;

    @Option(
            names = "--guard",
            paramLabel = "TIME",
            converter = TimeSpan.class,
            description = "Before its turn a volume stops writing (default: 250ms, or as long as reads suffer).")
    private Duration guard;

    @Option(
            names = "--writers",
            paramLabel = "N",
            description = "Colours that write at a time (default: as many as there are parity chunks).")
    private Integer writers;

    @Option(
            names = "--journal-size",
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description = "Of a volume that may be staged (default: twice what a window can write).")
    private Long journalSize;

    @Option(
            names = "--dirs",
            paramLabel = "DIR",
            split = ",",
            description = "Of disks: empty directories on the devices to use, one for each volume: 6 of fig9, 10 of"
                    + " fig10. What is made in them is removed again.")
    private List<Path> directories = List.of();

    @Option(
            names = "--journal",
            paramLabel = "DIR",
            description = "Of disks: where journals are made, on another device than all of --dirs (default: /dev/shm,"
                    + " or the system's directory of temporary files).")
    private Path journals;

    @Option(names = "--failed", paramLabel = "N", description = "Failed volumes (default: ${DEFAULT-VALUE}).")
    private int failed;

    @Option(
            names = "--skew",
            paramLabel = "TIME",
            converter = TimeSpan.class,
            description = "Clocks of volumes are early or late by up to so much (default: 0s).")
    private Duration skew = Duration.ZERO;

    @Option(
            names = "--mix",
            paramLabel = "MIX",
            defaultValue = "dispatch",
            description = "Of fig9 and fig10: dispatch (three reads dispatched for each write; reads end first) or"
                    + " completed (3:1 held; default: ${DEFAULT-VALUE}).")
    private Load.Mix mix;

    @Option(
            names = "--request",
            paramLabel = "WHAT",
            defaultValue = "object",
            description = "What has 128 KiB: object, or chunk, one on each volume (default: ${DEFAULT-VALUE}).")
    private Request request;

    @Option(
            names = "--always-decode",
            description = "All data chunks are computed for each read, as in the paper; otherwise those on writers.")
    private boolean alwaysDecode;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Of what is drawn.")
    private long seed;

    @Mixin
    private ClusterBedOptions cluster = new ClusterBedOptions();

    @Mixin
    private FigureOptions output = new FigureOptions();

    int run(CommandLine command) throws IOException {
        if (output.repetitions(quick, 1) != 1) {
            throw new IllegalArgumentException("each figure is measured once: leave --reps out");
        }
        requireOfBed(command.getParseResult());
        List<ErailsShown> reports = reports();
        GaloisKernel kernel = Kernels.best();
        ProgressLine progress = new ProgressLine(command.getErr());
        Reports made = reports(kernel, progress, reports);
        String setting = "Skourtis et al. (eRails), bed " + TextTable.words(bed) + ": " + bed.real + " Codec "
                + kernel.description() + ". MB are MiB.";
        PrintWriter out = command.getOut();
        out.println(setting);
        List<Table> tables = new ArrayList<>();
        try (FigureOptions.Collected figures = output.collect()) {
            for (int i = 0; i < reports.size(); i++) {
                progress.bench((double) i / reports.size(), reports.get(i).word());
                Report report = made.of(reports.get(i));
                progress.clear();
                tables.addAll(report.tables());
                FigureOptions.print(report, out, figures);
            }
            output.writePage(List.of(setting), tables, figures.all());
        } finally {
            progress.clear();
        }
        return 0;
    }

    private interface Reports {
        Report of(ErailsShown shown) throws IOException;
    }

    /** @throws IllegalArgumentException for options of another bed */
    private void requireOfBed(CommandLine.ParseResult given) {
        if (bed == Kind.DISKS) {
            if (directories.isEmpty()) {
                throw new IllegalArgumentException(
                        "--bed disks needs --dirs A,B,...: an empty directory for each of the 6 volumes of fig9, on a"
                                + " device each");
            }
            for (String ofModel : List.of("--media", "--interference", "--slower")) {
                if (given.hasMatchedOption(ofModel)) {
                    throw new IllegalArgumentException(
                            ofModel + " is of devices that are a model: leave it out, or choose another --bed");
                }
            }
        } else if (!directories.isEmpty() || journals != null) {
            throw new IllegalArgumentException(
                    "--dirs and --journal are of --bed disks: choose it, or leave them out (--journal-size is of all)");
        }
    }

    /** @throws IllegalArgumentException for a figure that the bed does not have */
    private List<ErailsShown> reports() {
        if (shown.isEmpty()) {
            return bed == Kind.SIM ? List.of(ErailsShown.values()) : List.of(ErailsShown.FIG9);
        }
        return shown.stream().map(ErailsShown::of).distinct().toList();
    }

    private Reports reports(GaloisKernel kernel, ProgressLine progress, List<ErailsShown> reports) throws IOException {
        return switch (bed) {
            case SIM -> new Erails(setting(kernel))::report;
            case CLUSTER -> {
                reports.forEach(ClusterFigure::require);
                ClusterFigure figure = new ClusterFigure(setting(kernel), cluster.setting(), RealEnvironment.open());
                yield shown -> figure.report(shown, progress, doing(progress, shown));
            }
            case DISKS -> {
                DisksFigure figure = new DisksFigure(
                        setting(kernel),
                        cluster.realSetting(),
                        DiskDirectories.of(directories, Optional.ofNullable(journals)),
                        RealEnvironment.open());
                reports.forEach(figure::require);
                yield shown -> figure.report(shown, progress, doing(progress, shown));
            }
        };
    }

    private static Consumer<String> doing(ProgressLine progress, ErailsShown shown) {
        return what -> progress.bench(0, shown.word() + ": " + what);
    }

    /** @throws IllegalArgumentException for what is no medium and no file of one */
    ErailsSetting setting(GaloisKernel kernel) throws IOException {
        MeasuredCoding coding = new MeasuredCoding(
                kernel,
                ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime,
                quick ? QUICK_WARM_NANOS : WARM_NANOS);
        return new ErailsSetting(
                media(),
                Optional.ofNullable(period),
                Optional.ofNullable(guard),
                writers == null ? OptionalInt.empty() : OptionalInt.of(writers),
                interference == null ? OptionalDouble.empty() : OptionalDouble.of(interference),
                journalSize == null ? OptionalLong.empty() : OptionalLong.of(journalSize),
                failed,
                skew,
                mix,
                request == Request.CHUNK,
                alwaysDecode,
                coding,
                coding,
                quick,
                seed);
    }

    private RingMedia media() throws IOException {
        return Medium.words().contains(media) || !Files.exists(Path.of(media))
                ? Medium.of(media)
                : MeasuredMedium.read(Path.of(media));
    }
}
