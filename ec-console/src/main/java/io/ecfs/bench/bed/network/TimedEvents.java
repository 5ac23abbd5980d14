package io.ecfs.bench.bed.network;

import io.ecfs.bench.bed.hardware.Agenda;
import io.ecfs.env.Clock;
import java.util.Comparator;
import java.util.OptionalLong;
import java.util.PriorityQueue;

/**
 * Events by a clock. One that runs late sees the time that it was entered for, so delays of the thread that runs them
 * do not accumulate. Not safe for use by several threads.
 */
final class TimedEvents implements Agenda {
    private final Clock clock;
    private final long origin; // times count from here: links are free at 0
    private final PriorityQueue<Event> queue =
            new PriorityQueue<>(Comparator.comparingLong(Event::atNanos).thenComparingLong(Event::number));
    private long events;
    private OptionalLong running = OptionalLong.empty();

    private record Event(long atNanos, long number, Runnable run) {}

    TimedEvents(Clock clock) {
        this.clock = clock;
        this.origin = clock.nanos();
    }

    @Override
    public long nanos() {
        return running.isPresent() ? running.getAsLong() : clock.nanos() - origin;
    }

    @Override
    public void at(long nanos, Runnable event) {
        queue.add(new Event(nanos, events++, event));
    }

    /** The clock's reading at a time. */
    long reading(long nanos) {
        return origin + nanos;
    }

    /** Runs, in their order, the events up to now, those that they enter included. */
    void run() {
        runUntil(nanos());
    }

    /** Runs all events, also those to come. */
    void runAll() {
        runUntil(Long.MAX_VALUE);
    }

    private void runUntil(long nanos) {
        try {
            while (!queue.isEmpty() && queue.peek().atNanos <= nanos) {
                Event event = queue.poll();
                running = OptionalLong.of(event.atNanos);
                event.run.run();
            }
        } finally {
            running = OptionalLong.empty();
        }
    }

    /** The clock's reading when the first event is due. */
    OptionalLong first() {
        return queue.isEmpty() ? OptionalLong.empty() : OptionalLong.of(reading(queue.peek().atNanos));
    }
}
