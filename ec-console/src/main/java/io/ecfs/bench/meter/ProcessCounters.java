package io.ecfs.bench.meter;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Cumulative resources of one process of this machine.
 *
 * @param switches context switches by thread, voluntary and involuntary
 * @param diskReadBytes that came from a disk; 0 when the process is another user's
 * @param diskWrittenBytes that will go or went to a disk; 0 when the process is another user's
 * @param peakResidentBytes highest resident memory since {@link #forgetPeak}, or since its start
 */
record ProcessCounters(
        double userSeconds,
        double systemSeconds,
        Map<String, Long> switches,
        long diskReadBytes,
        long diskWrittenBytes,
        long peakResidentBytes) {
    /** USER_HZ, which is 100 on every architecture we run on. */
    private static final double TICKS_PER_SECOND = 100.0;

    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;

    public ProcessCounters {
        switches = Map.copyOf(switches);
    }

    /** Empty when there is no such process. */
    static Optional<ProcessCounters> of(long pid) {
        Optional<String> stat = ProcFile.text(ProcFile.of(pid, "stat"));
        if (stat.isEmpty()) {
            return Optional.empty();
        }
        // The name in parentheses may hold spaces; the fields behind it do not.
        String[] fields = stat.get().substring(stat.get().lastIndexOf(')') + 2).split(" ", -1);
        String io = ProcFile.text(ProcFile.of(pid, "io")).orElse("");
        String status = ProcFile.text(ProcFile.of(pid, "status")).orElse("");
        return Optional.of(new ProcessCounters(
                Long.parseLong(fields[USER_TICKS]) / TICKS_PER_SECOND,
                Long.parseLong(fields[SYSTEM_TICKS]) / TICKS_PER_SECOND,
                switches(pid),
                ProcFile.number(io, "read_bytes"),
                ProcFile.number(io, "write_bytes"),
                ProcFile.number(status, "VmHWM") * 1024));
    }

    /** From here on the peak of the resident memory is that of what follows; false when the kernel does not let us. */
    static boolean forgetPeak(long pid) {
        try {
            Files.writeString(ProcFile.of(pid, "clear_refs"), "5");
            return true;
        } catch (IOException notOurs) {
            return false;
        }
    }

    /** Switches since {@code before}; a thread that is gone by now counts nothing. */
    long switchesSince(ProcessCounters before) {
        return switches.entrySet().stream()
                .mapToLong(now -> now.getValue() - before.switches().getOrDefault(now.getKey(), 0L))
                .sum();
    }

    private static Map<String, Long> switches(long pid) {
        Map<String, Long> byThread = new HashMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(ProcFile.of(pid, "task"))) {
            for (Path task : tasks) {
                ProcFile.text(task.resolve("status"))
                        .ifPresent(text -> byThread.put(
                                task.getFileName().toString(),
                                ProcFile.number(text, "voluntary_ctxt_switches")
                                        + ProcFile.number(text, "nonvoluntary_ctxt_switches")));
            }
        } catch (IOException | DirectoryIteratorException ended) {
            return byThread;
        }
        return byThread;
    }
}
