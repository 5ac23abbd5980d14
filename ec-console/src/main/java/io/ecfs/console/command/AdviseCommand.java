package io.ecfs.console.command;

import io.ecfs.advise.Advice;
import io.ecfs.advise.Advisor;
import io.ecfs.advise.Bottleneck;
import io.ecfs.advise.Candidates;
import io.ecfs.advise.FileSet;
import io.ecfs.advise.Goals;
import io.ecfs.advise.Machines;
import io.ecfs.advise.ReadCosts;
import io.ecfs.advise.UpdateFrontier;
import io.ecfs.console.command.option.ByteCount;
import io.ecfs.console.command.option.DiskOption;
import io.ecfs.console.command.option.FromOption;
import io.ecfs.console.command.option.NetworkOption;
import io.ecfs.console.command.option.PolicyName;
import io.ecfs.console.command.option.ProgressLine;
import io.ecfs.console.command.option.TimeSpan;
import io.ecfs.console.forecast.AdviceDefaults;
import io.ecfs.console.forecast.ClusterFiles;
import io.ecfs.console.forecast.ForecastDefaults;
import io.ecfs.console.forecast.NetworkSpeed;
import io.ecfs.console.view.Json;
import io.ecfs.console.view.TextTable;
import io.ecfs.fault.forecast.Calibration;
import io.ecfs.layout.Policy;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which policy to choose for given files, machines and goals. */
@Command(
        name = "advise",
        description = {
            "Ranks policies and cells for your files, machines and goals, before anything is written; without a"
                    + " cluster, or for the files of one (--from).",
            "STORED/BYTE is exact, READ/BYTE what the code's repair plans read, RECOVERY a model: from the death of a"
                    + " datanode until all that it had is rebuilt.",
            "With --calibrate and --check: what this machine can, and whether recoveries on it take as long as"
                    + " predicted.",
            "With --updates: what files cost that are updated in place, by the space that is spared for them."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:a policy meets all goals; with --check: every prediction holds",
            "1:none does, the nearest are shown; with --check: one is off by more than 35 %"
        },
        footer = {
            "",
            "Examples:",
            "  ecfs advise --tolerate 3 --recover-in 15m --datanodes 30 --files 10000x64m",
            "  ecfs advise --datanodes 12 --disk 250MB/s --net 10Gbit --files 1000000x100k",
            "  ecfs advise --overhead 1.5 --datanodes 12 --files 1000000x100k,500x2g --json",
            "  ecfs advise --datanodes 12 --files 500x2g --policies rs-6-3,clay-6-3-8",
            "  ecfs advise --updates 4k"
        })
final class AdviseCommand implements Callable<Integer> {
    private static final int MOST_LISTED = 8;
    private static final Set<String> BESIDE_UPDATES = Set.of("--updates", "--json");
    private static final double MEGA = 1e6;
    private static final double NANOS = 1e9;
    private static final double MILLI = 1e3;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--tolerate",
            paramLabel = "N",
            defaultValue = AdviceDefaults.LOSSES_TEXT,
            description = "Goal: any N chunks of a group may be lost (default: ${DEFAULT-VALUE}).")
    private int losses;

    @Option(
            names = "--recover-in",
            paramLabel = "TIME",
            converter = TimeSpan.class,
            description = "Goal: a dead datanode is rebuilt within this time, --grace included (default: any).")
    private Duration recovery;

    @Option(
            names = "--overhead",
            paramLabel = "X",
            description = "Goal: at most X bytes on disks for each byte of the files (default: any).")
    private Double overhead;

    @Option(names = "--datanodes", paramLabel = "N", description = "Of the cluster.")
    private Integer datanodes;

    @Option(
            names = "--files",
            paramLabel = "NxSIZE",
            description = "Their number and length, 10000x64m; several with commas: 1000x1g,1000000x100k.")
    private String files;

    @Mixin
    private FromOption from;

    @Option(
            names = "--disk",
            paramLabel = "SPEED",
            defaultValue = AdviceDefaults.DISK_TEXT,
            converter = DiskOption.class,
            description = "That the disks of one datanode read, or write (default: ${DEFAULT-VALUE}).")
    private double disk;

    @Option(
            names = "--access",
            paramLabel = "TIME",
            defaultValue = "100us",
            converter = TimeSpan.class,
            description = "Of a disk for each contiguous run, beside its bytes (default: ${DEFAULT-VALUE}).")
    private Duration access;

    @Option(
            names = "--net",
            paramLabel = "SPEED",
            defaultValue = AdviceDefaults.NETWORK_TEXT,
            converter = NetworkOption.class,
            description = "Of the link of a datanode (default: ${DEFAULT-VALUE}).")
    private double gigabits;

    @Option(
            names = "--cores",
            paramLabel = "N",
            defaultValue = ForecastDefaults.CORES_TEXT,
            description = "Of each datanode (default: ${DEFAULT-VALUE}); 1.5 when they are as fast as that many usual"
                    + " ones.")
    private double cores;

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            converter = TimeSpan.class,
            description = "settings.recovery.grace of the namenodes: how long a silent datanode may stay away before"
                    + " it is rebuilt (default: 10m, theirs).")
    private Duration grace;

    @Option(
            names = "--pack",
            paramLabel = "SIZE",
            defaultValue = AdviceDefaults.PACK_TEXT,
            description = "Up to which length files share groups, or off (default: 1 MiB, as client.pack.most).")
    private String pack;

    @Option(
            names = "--policies",
            paramLabel = "NAME",
            split = ",",
            converter = PolicyName.class,
            description = "To rank (default: of each family those that tolerate just --tolerate losses).")
    private List<Policy> policies;

    @Option(
            names = "--updates",
            paramLabel = "SIZE",
            converter = ByteCount.class,
            description = "Instead: costs of random updates of this size.")
    private Long updates;

    @Mixin
    private CalibrationOptions calibration;

    @Option(names = "--all", description = "Every policy and cell, not only the best cell of the first codes.")
    private boolean all;

    @Option(names = "--json", description = "For scripts: every policy and cell.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        if (updates != null) {
            refuseBesideUpdates();
            UpdateFrontier frontier = UpdateFrontier.of(updates);
            if (json) {
                Json.print(out, frontier);
            } else {
                print(out, frontier);
            }
            return 0;
        }
        calibration.requireFitting(spec.commandLine().getParseResult());
        if (files != null && from.given()) {
            throw new ParameterException(
                    spec.commandLine(), "--files and --from both say which files: leave one of them out.");
        }
        if (from.settingsAlone()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "-D is a setting of the client that reads --from: give --from, or leave it out.");
        }
        Optional<Calibration> measured = Optional.empty();
        if (calibration.wanted()) {
            ProgressLine progress = new ProgressLine(spec.commandLine().getErr());
            measured = Optional.of(
                    calibration.calibrate(progress, json ? spec.commandLine().getErr() : out));
            if (calibration.checks()) {
                return calibration.check(
                        measured.get(), AdviceDefaults.tuning(Optional.ofNullable(grace)), progress, out, json);
            }
            if (files == null && !from.given()) {
                return 0;
            }
        }
        return rank(out, measured);
    }

    private int rank(PrintWriter out, Optional<Calibration> measured) throws IOException {
        Optional<ClusterFiles> there = from.given() ? Optional.of(from.read()) : Optional.empty();
        if (there.isPresent() && datanodes == null) {
            datanodes = there.get().datanodes();
        }
        there.filter(found -> found.denied() > 0).ifPresent(found -> {
            spec.commandLine().getErr().println("ecfs: " + found.denied() + " directories were skipped: access denied");
            spec.commandLine().getErr().flush();
        });
        if ((files == null && there.isEmpty()) || datanodes == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "Which files, on how many datanodes? Give --files 10000x64m and --datanodes 30, or --updates 4k,"
                            + " or --from ecfs://prod.");
        }
        List<FileSet> sets = there.map(ClusterFiles::sets).orElseGet(() -> FileSet.parse(files));
        Goals goals = new Goals(losses, Optional.ofNullable(recovery), overhead());
        Machines machines = measured.map(calibrated -> calibrated.machines(datanodes))
                .orElseGet(() -> new Machines(
                        datanodes, disk, gigabits * NetworkSpeed.BYTES_OF_GIGABIT, cores, access.toNanos() / NANOS));
        Advisor advisor = new Advisor(
                sets,
                AdviceDefaults.packedUpTo(pack),
                machines,
                AdviceDefaults.tuning(Optional.ofNullable(grace)),
                goals,
                new ReadCosts());
        List<Advice> ranked = advisor.rank(policies != null ? policies : Candidates.surviving(losses));
        if (json) {
            Json.print(out, ranked);
        } else {
            print(out, describe(sets), machines, advisor.waitSeconds(), ranked);
        }
        return ranked.stream().anyMatch(Advice::meetsAll) ? 0 : 1;
    }

    private void refuseBesideUpdates() {
        Optional<String> other = spec.commandLine().getParseResult().matchedOptions().stream()
                .map(OptionSpec::longestName)
                .filter(name -> !BESIDE_UPDATES.contains(name))
                .findFirst();
        if (other.isPresent()) {
            throw new ParameterException(
                    spec.commandLine(), "--updates is asked by itself: leave " + other.get() + " out.");
        }
    }

    private OptionalDouble overhead() {
        return overhead == null ? OptionalDouble.empty() : OptionalDouble.of(overhead);
    }

    private static String describe(List<FileSet> sets) {
        return sets.size() > MOST_LISTED
                ? sets.stream().mapToLong(FileSet::count).sum() + " files of together "
                        + TextTable.bytes((long) sets.stream()
                                .mapToDouble(set -> (double) set.count() * set.bytes())
                                .sum())
                : sets.stream()
                        .map(set -> set.count() + " files of " + TextTable.bytes(set.bytes()))
                        .collect(Collectors.joining(", "));
    }

    private void print(PrintWriter out, String described, Machines machines, double waitSeconds, List<Advice> ranked) {
        double link = machines.netBytesPerSecond() / NetworkSpeed.BYTES_OF_GIGABIT;
        out.println(described + " on " + machines.datanodes() + " datanodes, each with disks of "
                + number("%.0f", machines.diskBytesPerSecond() / MEGA) + " MB/s, a link of "
                + NetworkSpeed.text(Math.round(link * MILLI) / MILLI) + " and "
                + number("%.2f", machines.cores()).replaceFirst("\\.?0+$", "") + " cores");
        out.println("RECOVERY begins " + number("%.1f", waitSeconds)
                + " s after the death of a datanode: noticed, awaited for settings.recovery.grace, checked");
        TextTable table = new TextTable(
                "POLICY",
                "CELL",
                "STORED/BYTE",
                "SURVIVES",
                "READ/BYTE",
                "RECOVERY s",
                "BOTTLENECK",
                "DATANODES NEEDED",
                "VERDICT");
        shown(ranked)
                .forEach(one -> table.row(
                        one.policy(),
                        TextTable.bytes(one.cell()),
                        number("%.4f", one.storedPerByte()),
                        one.survives(),
                        number("%.2f", one.readPerByte()),
                        one.recoverySeconds().isPresent()
                                ? number("%.1f", one.recoverySeconds().getAsDouble())
                                : "-",
                        one.bottleneck().map(Bottleneck::word).orElse("-"),
                        one.datanodesNeeded().isPresent()
                                ? one.datanodesNeeded().getAsInt()
                                : "-",
                        one.verdict()));
        out.print(table);
        long meeting = ranked.stream().filter(Advice::meetsAll).count();
        out.println((meeting == 0 ? "none" : meeting) + " of " + ranked.size() + " meet all goals");
        out.flush();
    }

    private List<Advice> shown(List<Advice> ranked) {
        return all || policies != null ? ranked : Advisor.bestCells(ranked, AdviceDefaults.ROWS);
    }

    private static void print(PrintWriter out, UpdateFrontier frontier) {
        out.println("random updates of " + TextTable.bytes(frontier.updateBytes())
                + ", full stripes; bytes written for each byte of an update, dead bytes reclaimed");
        TextTable table = new TextTable("SPARE", "SPACE RS(6,3)", "WRITTEN RS(6,3)", "WRITTEN 3 REPLICAS");
        frontier.points()
                .forEach(point -> table.row(
                        point.spare(),
                        number("%.2f", point.space()),
                        number("%.1f", point.coded()),
                        number("%.1f", point.replicated())));
        out.print(table);
        out.println("heads of batches are dead bytes beside these: " + number("%.1f", 100 * (frontier.headFactor() - 1))
                + " % of an update");
        out.flush();
    }

    private static String number(String form, double value) {
        return String.format(Locale.ROOT, form, value);
    }
}
