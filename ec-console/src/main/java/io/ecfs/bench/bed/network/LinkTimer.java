package io.ecfs.bench.bed.network;

import io.ecfs.env.Clock;
import io.ecfs.env.Scheduler;
import io.ecfs.env.Threads;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * The thread that delivers the messages of a {@link LimitedNetwork}: it sleeps until shortly before a deadline and
 * spins for the rest, so that it is late by microseconds where a processor is free. How late it was is recorded.
 */
public final class LinkTimer implements AutoCloseable {
    /** Where the kernel wakes threads to the microsecond, and where it does so to 50 of them. */
    private static final long SPIN_NANOS = 15_000;

    private static final long COARSE_SPIN_NANOS = 70_000;
    private static final int DIGITS = 2;
    private static final double MICRO = 1e3;
    private static final double MIDDLE = 50;
    private static final double NEARLY_ALL = 99;

    private final Clock clock;
    private final LimitedNetwork network;
    private final Scheduler loop;
    private final Recorder lateness = new Recorder(DIGITS);
    private volatile Thread thread; // null before it runs
    private volatile boolean closed;

    /** Microseconds: the median, and what one in a hundred exceeds. */
    public record Lateness(double median, double oneInHundred) {}

    /** @param machines that the network has room for */
    public LinkTimer(Clock clock, Threads threads, int machines) {
        this.clock = clock;
        this.network = new LimitedNetwork(clock, machines, this::wake);
        this.loop = threads.scheduler("links");
        loop.execute(this::run);
    }

    public LimitedNetwork network() {
        return network;
    }

    /** By how much deliveries were late since the last call. */
    public Lateness lateness() {
        Histogram nanos = lateness.getIntervalHistogram();
        return new Lateness(nanos.getValueAtPercentile(MIDDLE) / MICRO, nanos.getValueAtPercentile(NEARLY_ALL) / MICRO);
    }

    private void run() {
        thread = Thread.currentThread();
        long spin = TimerSlack.least() ? SPIN_NANOS : COARSE_SPIN_NANOS;
        while (!closed) {
            OptionalLong next = network.deliver(late -> lateness.recordValue(Math.max(0, late)));
            if (next.isEmpty()) {
                LockSupport.park(this);
            } else {
                long left = next.getAsLong() - clock.nanos();
                if (left > spin) {
                    LockSupport.parkNanos(this, left - spin);
                } else if (left > 0) {
                    Thread.onSpinWait();
                }
            }
        }
        network.end();
    }

    private void wake() {
        LockSupport.unpark(thread);
    }

    /** Delivers what is under way at once. */
    @Override
    public void close() {
        closed = true;
        wake();
        loop.close();
    }
}
