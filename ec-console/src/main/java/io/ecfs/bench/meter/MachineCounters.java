package io.ecfs.bench.meter;

import java.util.List;
import java.util.regex.Pattern;

/** Cumulative traffic of the whole machine, including other processes. */
public record MachineCounters(long loopbackBytes, long diskReadBytes, long diskWrittenBytes) {
    private static final Pattern WHOLE_DISK = Pattern.compile("(vd|sd|xvd)[a-z]+|nvme\\d+n\\d+");
    private static final int SECTOR_BYTES = 512;

    /** Field of {@code /proc/net/dev} behind the interface: bytes sent, which over loopback are those received. */
    private static final int SENT = 8;

    private static final int DISK_NAME = 2;
    private static final int SECTORS_READ = 5;
    private static final int SECTORS_WRITTEN = 9;

    static MachineCounters now() {
        long loopback = 0;
        for (String line : lines("net/dev")) {
            String text = line.strip();
            if (text.startsWith("lo:")) {
                loopback = Long.parseLong(text.substring("lo:".length()).strip().split("\\s+", -1)[SENT]);
            }
        }
        long read = 0;
        long written = 0;
        for (String line : lines("diskstats")) {
            String[] fields = line.strip().split("\\s+", -1);
            if (fields.length > SECTORS_WRITTEN
                    && WHOLE_DISK.matcher(fields[DISK_NAME]).matches()) {
                read += Long.parseLong(fields[SECTORS_READ]) * SECTOR_BYTES;
                written += Long.parseLong(fields[SECTORS_WRITTEN]) * SECTOR_BYTES;
            }
        }
        return new MachineCounters(loopback, read, written);
    }

    MachineCounters since(MachineCounters before) {
        return new MachineCounters(
                loopbackBytes - before.loopbackBytes,
                diskReadBytes - before.diskReadBytes,
                diskWrittenBytes - before.diskWrittenBytes);
    }

    private static List<String> lines(String file) {
        return ProcFile.text(ProcFile.of(file)).orElse("").lines().toList();
    }
}
