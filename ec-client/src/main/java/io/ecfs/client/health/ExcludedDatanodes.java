package io.ecfs.client.health;

import io.ecfs.env.Clock;
import io.ecfs.message.DatanodeId;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Datanodes that failed a writer of this client recently: new groups are requested without them. One that did not
 * answer is excluded for the whole suspicion time, since the next request to it would wait as long again. One that
 * refused, or whose connection broke, may be back after a restart: it is tried after a fifteenth of that time, which
 * doubles with each failure within the suspicion time of the one before. Owned by the client's owner thread; contains
 * at most the datanodes that failed within the suspicion time.
 */
final class ExcludedDatanodes {
    private static final int FIRST_PART = 15;

    /** @param lastsNanos from {@code at} on */
    private record Failed(long at, boolean silent, long lastsNanos) {
        boolean excluded(long now) {
            return now - at < lastsNanos;
        }
    }

    private final Clock clock;
    private final long suspicionNanos;
    private final Map<DatanodeId, Failed> failed = new LinkedHashMap<>();

    ExcludedDatanodes(Clock clock, Duration suspicion) {
        this.clock = clock;
        this.suspicionNanos = suspicion.toNanos();
    }

    void add(Collection<DatanodeId> datanodes, boolean silent) {
        long now = clock.nanos();
        forget(now);
        for (DatanodeId datanode : datanodes) {
            long lasts = silent ? suspicionNanos : lasts(Optional.ofNullable(failed.get(datanode)), now);
            failed.put(datanode, new Failed(now, silent, lasts));
        }
    }

    /** Failures that come while it is excluded are of requests from before. */
    private long lasts(Optional<Failed> before, long now) {
        return before.map(one -> one.excluded(now) ? one.lastsNanos() : Math.min(suspicionNanos, 2 * one.lastsNanos()))
                .orElse(suspicionNanos / FIRST_PART);
    }

    private void forget(long now) {
        failed.values().removeIf(one -> now - one.at() >= suspicionNanos);
    }

    Set<DatanodeId> all() {
        return now(false);
    }

    /** The excluded datanodes that did not answer. */
    Set<DatanodeId> silent() {
        return now(true);
    }

    private Set<DatanodeId> now(boolean silentOnly) {
        if (failed.isEmpty()) {
            return Set.of();
        }
        long now = clock.nanos();
        forget(now);
        Set<DatanodeId> names = new LinkedHashSet<>();
        failed.forEach((datanode, one) -> {
            if (one.excluded(now) && (one.silent() || !silentOnly)) {
                names.add(datanode);
            }
        });
        return names;
    }
}
