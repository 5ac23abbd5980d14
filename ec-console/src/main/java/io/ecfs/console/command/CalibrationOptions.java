package io.ecfs.console.command;

import io.ecfs.advise.RecoveryTuning;
import io.ecfs.console.command.option.ProgressLine;
import io.ecfs.console.view.Json;
import io.ecfs.console.view.TextTable;
import io.ecfs.fault.forecast.Calibration;
import io.ecfs.fault.forecast.CheckedRecovery;
import io.ecfs.fault.forecast.ForecastCheck;
import io.ecfs.fault.forecast.MachineSpeed;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** What is measured on this machine: its speeds, and whether recoveries on it are as they were forecast. */
final class CalibrationOptions {
    private static final Set<String> MEASURED = Set.of("--disk", "--access", "--net", "--cores");
    private static final Set<String> BESIDE_CHECK = Set.of("--check", "--calibrate", "--dir", "--json");
    private static final double MEGA = 1e6;
    private static final double PERCENT = 100;

    @Option(
            names = "--calibrate",
            description = "Measure this machine for --disk, --access, --net and --cores, the last with recoveries of"
                    + " two clusters of its own, thrice (some minutes); with files: and rank for datanodes like it.")
    private boolean calibrate;

    @Option(
            names = "--check",
            description = "As --calibrate, then the recoveries of other clusters on this machine beside their forecasts"
                    + ", medians of three (a quarter of an hour).")
    private boolean check;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "With --calibrate and --check: make files and clusters in this directory, and remove them"
                    + " again (default: the system's for temporary files).")
    private Path directory;

    /** Whether this machine is to be measured. */
    boolean wanted() {
        return calibrate || check;
    }

    boolean checks() {
        return check;
    }

    /** @throws ParameterException in one line for an option that has no meaning beside these */
    void requireFitting(ParseResult parsed) {
        for (OptionSpec option : parsed.matchedOptions()) {
            String name = option.longestName();
            if (check && !BESIDE_CHECK.contains(name)) {
                throw refusal(parsed, "--check has clusters of its own: leave " + name + " out.");
            }
            if (calibrate && MEASURED.contains(name)) {
                throw refusal(parsed, "--calibrate measures " + name + ": leave one of them out.");
            }
            if (!wanted() && "--dir".equals(name)) {
                throw refusal(parsed, "--dir is of --calibrate and --check: give one of them.");
            }
        }
    }

    private static ParameterException refusal(ParseResult parsed, String message) {
        return new ParameterException(parsed.commandSpec().commandLine(), message);
    }

    /** Measures; notes go to {@code notes}, such as standard error when the answer is for scripts. */
    Calibration calibrate(ProgressLine progress, PrintWriter notes) throws Exception {
        try {
            Calibration measured = lab(progress).calibrate();
            progress.clear();
            print(notes, measured);
            return measured;
        } finally {
            progress.clear();
        }
    }

    /**
     * Checks and prints.
     *
     * @return the exit code
     */
    int check(Calibration measured, RecoveryTuning tuning, ProgressLine progress, PrintWriter out, boolean json)
            throws Exception {
        List<CheckedRecovery> checked = new ArrayList<>();
        try {
            lab(progress).check(measured, tuning, checked::add);
        } finally {
            progress.clear();
            if (!json && !checked.isEmpty()) {
                print(out, checked);
            }
        }
        if (json) {
            Json.print(out, checked);
        }
        return checked.stream().allMatch(CheckedRecovery::holds) ? 0 : 1;
    }

    private ForecastCheck lab(ProgressLine progress) {
        return new ForecastCheck(Optional.ofNullable(directory), progress::fault, progress);
    }

    static void print(PrintWriter out, Calibration measured) {
        MachineSpeed speed = measured.speed();
        out.println("disk writes " + number("%.0f", speed.writeBytesPerSecond() / MEGA) + " MB/s synced, reads "
                + number("%.0f", speed.readBytesPerSecond() / MEGA) + " MB/s in order and 4 KiB in "
                + number("%.1f", speed.accessSeconds() * MEGA) + " us, "
                + (speed.cold() ? "page cache emptied before" : "from the page cache, which only root may empty"));
        out.println("loopback " + number("%.0f", speed.loopbackBytesPerSecond() / MEGA)
                + " MB/s; repairs of RS(6,3) take " + number("%.1f", measured.cpuSecondsPerGigabyte()) + " CPU-s/GB, "
                + number("%.2f", measured.cpu().scale()) + " of the usual, and each fresh datanode "
                + number("%.2f", measured.freshSeconds()) + " CPU-s once; " + measured.cores() + " cores");
        out.println("a datanode like this machine: " + measured.options());
        out.flush();
    }

    static void print(PrintWriter out, List<CheckedRecovery> checked) {
        TextTable table = new TextTable(
                "CONFIGURATION",
                "REBUILT",
                "CPU s",
                "PREDICTED",
                "MEASURED s",
                "PREDICTED s",
                "DIFFERENCE",
                "BOTTLENECK");
        checked.forEach(one -> table.row(
                one.configuration(),
                TextTable.bytes(one.rebuiltBytes()),
                number("%.2f", one.cpuSeconds()),
                number("%.2f", one.predictedCpuSeconds()),
                number("%.2f", one.measuredSeconds()),
                number("%.2f", one.predictedSeconds()),
                number("%+.0f %%", PERCENT * one.difference()),
                one.bottleneck().word()));
        out.print(table);
        long off = checked.stream().filter(one -> !one.holds()).count();
        out.println((off == 0 ? "none" : off) + " of " + checked.size() + " off by more than "
                + number("%.0f %%", PERCENT * CheckedRecovery.TOLERANCE));
        out.flush();
    }

    private static String number(String form, double value) {
        return String.format(Locale.ROOT, form, value);
    }
}
