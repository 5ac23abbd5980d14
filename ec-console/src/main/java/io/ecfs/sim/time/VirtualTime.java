package io.ecfs.sim.time;

import io.ecfs.env.Cancellable;
import io.ecfs.env.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * The time of a simulated world: a queue of events that run one at a time, in order of their time, then of their
 * making. Time passes only from event to event. Every event leaves its mark in the {@link #trace}, so two runs of one
 * seed can be compared.
 */
public final class VirtualTime implements Clock {
    /** 2023-11-14: epoch milliseconds when the simulation begins. */
    private static final long EPOCH_AT_START = 1_700_000_000_000L;

    private final PriorityQueue<Event> queue =
            new PriorityQueue<>(Comparator.comparingLong((Event e) -> e.atNanos).thenComparingLong(e -> e.number));
    private final EventTrace trace;
    private long nowNanos;
    private long events;
    private boolean oneClock;

    /** Of a world whose runs are not compared. */
    public VirtualTime() {
        this(new EventTrace());
    }

    public VirtualTime(EventTrace trace) {
        this.trace = trace;
    }

    private static final class Event implements Cancellable {
        final long atNanos;
        final long number;
        final Runnable run;
        boolean over;

        Event(long atNanos, long number, Runnable run) {
            this.atNanos = atNanos;
            this.number = number;
            this.run = run;
        }

        @Override
        public boolean cancel() {
            boolean prevented = !over;
            over = true;
            return prevented;
        }
    }

    @Override
    public long nanos() {
        return nowNanos;
    }

    @Override
    public long epochMillis() {
        return EPOCH_AT_START + nowNanos / 1_000_000;
    }

    /** All processes that begin from now on read one clock, as those of one machine do. */
    public void shareClock() {
        oneClock = true;
    }

    boolean oneClock() {
        return oneClock;
    }

    /** Number of events so far. */
    public long events() {
        return events;
    }

    public Cancellable after(long delayNanos, Runnable run) {
        return at(nowNanos + Math.max(0, delayNanos), run);
    }

    public Cancellable at(long atNanos, Runnable run) {
        Event event = new Event(Math.max(nowNanos, atNanos), ++events, run);
        queue.add(event);
        return event;
    }

    /** Ends the run with this failure; for callbacks, where a thrown one would only fail the next future. */
    public void raise(SimulationFailure failure) {
        at(nowNanos, () -> {
            throw failure;
        });
    }

    /** Runs what falls due in the next {@code span}. */
    public void pass(Duration span) {
        pass(span, () -> {});
    }

    /** Runs what falls due in the next {@code span}, then {@code afterEach} behind every event. */
    public void pass(Duration span, Runnable afterEach) {
        long until = nowNanos + span.toNanos();
        while (!queue.isEmpty() && queue.peek().atNanos <= until) {
            Event event = queue.poll();
            if (!event.over) {
                event.over = true;
                nowNanos = event.atNanos;
                trace.mark(event.atNanos, event.number);
                event.run.run();
                afterEach.run();
            }
        }
        nowNanos = until;
    }
}
