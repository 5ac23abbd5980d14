package io.ecfs.namenode.deletion;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Ages of the pending deletions that this leader knows of, to find those that have waited long enough. Only the
 * monotonic clock of its process counts, and only while it leads: the time that a whole cluster was without power ages
 * nothing. Owner thread: the namenode's event thread.
 */
final class DeletionAges {
    /** A deletion waits at most this fraction of the delay longer than it must. */
    private static final int MARKS = 16;

    private final Duration delay;
    private final Deque<Mark> marks = new ArrayDeque<>(); // oldest first
    private long due;

    /** Deletions up to {@code number} were there at {@code atMillis}. */
    private record Mark(long number, long atMillis) {}

    DeletionAges(Duration delay) {
        this.delay = delay;
    }

    /**
     * The last deletion that has waited long enough.
     *
     * @param last number of the last deletion there is
     * @param nowMillis of the monotonic clock
     */
    long due(long last, long nowMillis) {
        if (delay.isZero()) {
            return last;
        }
        boolean young =
                !marks.isEmpty() && nowMillis - marks.peekLast().atMillis() < Math.max(1, delay.toMillis() / MARKS);
        if (!young && last > (marks.isEmpty() ? due : marks.peekLast().number())) {
            marks.add(new Mark(last, nowMillis));
        }
        while (!marks.isEmpty() && nowMillis - marks.peekFirst().atMillis() >= delay.toMillis()) {
            due = marks.poll().number();
        }
        return due;
    }
}
