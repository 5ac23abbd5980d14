package io.ecfs.env.real;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.DoubleSupplier;

/**
 * The share of the machine's processors that was idle since the last call, from Linux's {@code /proc/stat}; NaN on
 * other systems. Work of low priority (nice) counts as idle time: the kernel preempts it. For one caller at a time.
 */
public final class IdleProcessors implements DoubleSupplier {
    private static final Path STAT = Path.of("/proc/stat");
    /** In the order of the first line: user nice system idle iowait irq softirq steal. */
    private static final int FIELDS = 8;

    private static final int NICE = 1;
    private static final int IDLE = 3;
    private static final int WAITING_FOR_DISK = 4;

    private long[] before = new long[FIELDS];

    @Override
    public double getAsDouble() {
        long[] now;
        try (BufferedReader stat = Files.newBufferedReader(STAT, StandardCharsets.US_ASCII)) {
            now = ticks(stat.readLine());
        } catch (IOException | NumberFormatException e) {
            return Double.NaN;
        }
        double all = 0;
        for (int i = 0; i < FIELDS; i++) {
            all += now[i] - before[i];
        }
        double free = 0;
        for (int field : new int[] {NICE, IDLE, WAITING_FOR_DISK}) {
            free += now[field] - before[field];
        }
        before = now;
        return all > 0 ? free / all : Double.NaN;
    }

    private static long[] ticks(String line) {
        String[] words = line == null ? new String[0] : line.trim().split("\\s+");
        if (words.length <= FIELDS) {
            throw new NumberFormatException("not a line of processor times: " + line);
        }
        return Arrays.stream(words, 1, FIELDS + 1).mapToLong(Long::parseLong).toArray();
    }
}
