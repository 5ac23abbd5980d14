package io.ecfs.bench.meter;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.error.EcfsException;
import io.ecfs.message.Metering;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Polls the memory of every daemon of a cluster on this machine, and of this process, once a second, and retains the
 * peaks. A restarted daemon counts as the same one. Safe for use by several threads.
 */
public final class MemoryWatch implements AutoCloseable {
    /** Name of this process. */
    public static final String CLIENT = ProcessCost.CLIENT;

    private static final long POLL_INTERVAL_MILLIS = 1000;

    private final List<Daemon> daemons;
    private final DaemonCounts counts;
    private final OwnMemory own = new OwnMemory();

    @GuardedBy("this")
    private final Map<String, Worst> worst = new LinkedHashMap<>();

    private final ScheduledExecutorService poller = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "memory-watch");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * Peaks of one daemon, over all its restarts.
     *
     * @param residentBytes as the kernel counts them, peaks between two polls included
     * @param directBytes at the polls
     */
    public record Worst(
            long residentBytes, long heapBytes, long heapLimitBytes, long directBytes, long directLimitBytes) {

        private Worst and(Worst other) {
            return new Worst(
                    Math.max(residentBytes, other.residentBytes),
                    Math.max(heapBytes, other.heapBytes),
                    Math.max(heapLimitBytes, other.heapLimitBytes),
                    Math.max(directBytes, other.directBytes),
                    Math.max(directLimitBytes, other.directLimitBytes));
        }
    }

    /** @param daemons of a plain cluster */
    public MemoryWatch(List<Daemon> daemons) throws EcfsException {
        this.daemons = List.copyOf(daemons);
        this.counts = new DaemonCounts(Optional.empty());
        var unused = poller.scheduleWithFixedDelay(this::poll, 0, POLL_INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Polls now. */
    public void poll() {
        counts.read(daemons).forEach((daemon, now) -> {
            Metering.Memory memory = now.memory();
            add(
                    daemon.id(),
                    new Worst(
                            residentPeak(now.pid()),
                            memory.heapPeakBytes(),
                            memory.heapLimitBytes(),
                            memory.directBytes(),
                            memory.directLimitBytes()));
        });
        add(
                CLIENT,
                new Worst(
                        residentPeak(ProcessHandle.current().pid()),
                        own.heapPeakBytes(),
                        own.heapLimitBytes(),
                        own.directPeakBytes(),
                        own.directLimitBytes()));
    }

    /** Polls the resident memory of one process, which is about to be killed. */
    public void pollProcess(String daemon, long pid) {
        add(daemon, new Worst(residentPeak(pid), 0, 0, 0, 0));
    }

    /** By daemon, and by {@link #CLIENT} for this process. */
    public synchronized Map<String, Worst> worst() {
        return new LinkedHashMap<>(worst);
    }

    /** Bytes of buffers and requests in progress of each daemon that answers. */
    public Map<String, Long> requestBytes() {
        Map<String, Long> bytes = new LinkedHashMap<>();
        counts.read(daemons)
                .forEach((daemon, now) -> bytes.put(daemon.id(), now.memory().heldBytes()));
        return bytes;
    }

    @Override
    public void close() {
        poller.shutdownNow();
        own.close();
        counts.close();
    }

    private synchronized void add(String process, Worst now) {
        worst.merge(process, now, Worst::and);
    }

    private static long residentPeak(long pid) {
        Optional<ProcessCounters> counters = ProcessCounters.of(pid);
        return counters.map(ProcessCounters::peakResidentBytes).orElse(0L);
    }
}
