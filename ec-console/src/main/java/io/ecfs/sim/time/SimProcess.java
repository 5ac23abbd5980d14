package io.ecfs.sim.time;

import io.ecfs.env.Cancellable;
import io.ecfs.env.Clock;
import io.ecfs.env.Environment;
import io.ecfs.env.Randomness;
import io.ecfs.env.Scheduler;
import io.ecfs.env.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One life of one process: its clocks, chance and threads, all on the virtual time of the world. Once it is killed
 * nothing that it had planned, and nothing that it waited for, happens any more.
 */
public final class SimProcess implements Threads {
    /** An executed task begins at most this much later than it was given. */
    private static final int MAX_WAKE_NANOS = 50_000;

    private final String name;
    private final VirtualTime time;
    private final SplittableRandom random;
    /** Begin of this life's monotonic clock: anywhere, as {@link System#nanoTime}, also below zero. */
    private final long nanoOrigin;

    private final List<Runnable> held = new ArrayList<>();
    private long clockSkewMillis;
    private boolean alive = true;
    private boolean frozen;

    public SimProcess(String name, VirtualTime time, SplittableRandom random) {
        this.name = name;
        this.time = time;
        this.random = random;
        long skew = random.nextLong(-300, 300);
        this.clockSkewMillis = time.oneClock() ? 0 : skew;
        this.nanoOrigin = random.nextLong() / 2;
    }

    public String name() {
        return name;
    }

    public boolean alive() {
        return alive;
    }

    public void kill() {
        alive = false;
        held.clear();
    }

    /** Stops it as SIGSTOP does: what falls due, and what arrives, waits until {@link #thaw}. */
    public void freeze() {
        frozen = true;
    }

    /** Goes on with what has waited, in its order. */
    public void thaw() {
        frozen = false;
        List<Runnable> due = List.copyOf(held);
        held.clear();
        due.forEach(run -> time.after(0, () -> whenRunning(run)));
    }

    /** Runs it now, of a frozen process when it is thawed, of a killed one never. */
    public void whenRunning(Runnable run) {
        if (alive && frozen) {
            held.add(run);
        } else if (alive) {
            run.run();
        }
    }

    /** Sets the wall clock forward or back; the monotonic clock goes on as before. */
    public void stepClock(long millis) {
        clockSkewMillis += millis;
    }

    /** An event of this process: it happens unless the process is killed before. */
    public Cancellable after(long delayNanos, Runnable run) {
        return time.after(delayNanos, () -> whenRunning(run));
    }

    Cancellable at(long atNanos, Runnable run) {
        return after(atNanos - time.nanos(), run);
    }

    long nanos() {
        return time.nanos();
    }

    /** When a task that is ready now gets a thread. */
    long wakeNanos() {
        return time.nanos() + random.nextInt(MAX_WAKE_NANOS);
    }

    int chance(int bound) {
        return random.nextInt(bound);
    }

    public Environment environment() {
        return new Environment(clock(), Randomness.over(random), this);
    }

    @Override
    public Scheduler scheduler(String threadName) {
        return new SimScheduler(this);
    }

    @Override
    public SimWorkers workers(String threadName, int threads, int queueBound) {
        return new SimWorkers(this, threadName, threads, queueBound);
    }

    private Clock clock() {
        return new Clock() {
            @Override
            public long nanos() {
                return nanoOrigin + time.nanos();
            }

            @Override
            public long epochMillis() {
                return time.epochMillis() + clockSkewMillis;
            }
        };
    }

    @Override
    public String toString() {
        return name;
    }
}
