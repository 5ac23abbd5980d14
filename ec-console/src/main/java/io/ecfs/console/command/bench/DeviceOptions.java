package io.ecfs.console.command.bench;

import io.ecfs.bench.bed.erails.FlashDevice;
import io.ecfs.bench.device.DeviceBench;
import io.ecfs.bench.device.MeasuredMedium;
import io.ecfs.bench.report.Cells;
import io.ecfs.console.command.option.ByteCount;
import io.ecfs.console.command.option.ProgressLine;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Options of {@code ecfs bench device}, and what it says. */
final class DeviceOptions {
    private static final double MEBI = 1 << 20;
    private static final double MILLI = 1e6;

    /** From the factor on that the sweeps of {@code ecfs bench erails} begin with. */
    private static final double PAYS = 1.5;

    @Option(names = "--dir", paramLabel = "DIR", required = true, description = "A directory on the device.")
    private Path directory;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "1g",
            converter = ByteCount.class,
            description = "Of the file, which never has a name for long (default: ${DEFAULT-VALUE}).")
    private long size;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "5",
            description = "Of each of seven parts; writing the file takes four of them at most (default:"
                    + " ${DEFAULT-VALUE}).")
    private double seconds;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Of offsets and bytes.")
    private long seed;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Write the fitted model, for 'ecfs bench erails --media FILE'.")
    private Path json;

    int run(CommandLine command) throws Exception {
        ProgressLine progress = new ProgressLine(command.getErr());
        MeasuredMedium medium;
        try {
            medium = new DeviceBench(directory, size, seconds, seed).run(doing -> progress.bench(0, doing));
        } finally {
            progress.clear();
        }
        FlashDevice device = medium.fitted();
        PrintWriter out = command.getOut();
        for (int bytes : DeviceBench.REQUEST_BYTES) {
            out.println((bytes >> 10) + " KiB: reads " + rate(device.readRate(bytes, false)) + ", beside writes "
                    + rate(device.readRate(bytes, true)) + ", writes " + rate(device.writeRate(bytes)));
        }
        out.println("beside writes reads lose " + percent(device.lostShare()) + " of the bandwidth, and "
                + percent(device.stallShare()) + " stall for " + Cells.number(device.leastStallNanos() / MILLI) + " to "
                + Cells.number(device.mostStallNanos() / MILLI) + " ms; they suffer for "
                + Cells.number(device.afterNanos() / MILLI) + " ms after the last write");
        double times = device.interference(DeviceBench.REQUEST_BYTES.get(0));
        out.println("reads take " + Cells.ratio(times) + " as long beside writes: a ring "
                + (times >= PAYS ? "pays here" : "gains little here") + " (interference " + Cells.number(times)
                + ", worth it from " + Cells.number(PAYS) + ")");
        if (json != null) {
            medium.write(json);
        }
        out.flush();
        return 0;
    }

    private static String rate(double bytesPerSecond) {
        return Cells.number(bytesPerSecond / MEBI) + " MiB/s";
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }
}
