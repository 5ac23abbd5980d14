package io.ecfs.datanode.store;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.env.Clock;
import java.util.LinkedHashMap;

/**
 * The unreadable files of one volume of late, against its {@link ReadErrorAllowance}. Safe for use by several threads.
 */
final class ReadErrors {
    private final ReadErrorAllowance allowance;
    private final Clock clock;
    /** By file, nanoseconds of its first error; the oldest first, at most as many as are allowed. */
    @GuardedBy("this")
    private final LinkedHashMap<String, Long> recent = new LinkedHashMap<>();

    ReadErrors(ReadErrorAllowance allowance, Clock clock) {
        this.allowance = allowance;
        this.clock = clock;
    }

    /** Counts the file, unless it is one of those of late; false when it is one too many. */
    synchronized boolean allow(String file) {
        long now = clock.nanos();
        recent.values().removeIf(since -> now - since >= allowance.within().toNanos());
        if (recent.size() >= allowance.files() && !recent.containsKey(file)) {
            return false;
        }
        recent.putIfAbsent(file, now);
        return true;
    }
}
