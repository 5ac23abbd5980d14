package io.ecfs.datanode.store;

import io.ecfs.env.Clock;
import java.util.ArrayDeque;

/** The unreadable files of one volume of late, against its {@link ReadErrorAllowance}. Safe for use by several threads. */
final class ReadErrors {
    private final ReadErrorAllowance allowance;
    private final Clock clock;
    private final ArrayDeque<Long> recent =
            new ArrayDeque<>(); // nanoseconds, oldest first, at most as many as are allowed

    ReadErrors(ReadErrorAllowance allowance, Clock clock) {
        this.allowance = allowance;
        this.clock = clock;
    }

    /** Counts one more; false when it is one too many. */
    synchronized boolean allow() {
        long now = clock.nanos();
        while (!recent.isEmpty()
                && now - recent.peekFirst() >= allowance.within().toNanos()) {
            recent.removeFirst();
        }
        if (recent.size() >= allowance.files()) {
            return false;
        }
        recent.addLast(now);
        return true;
    }
}
