package io.ecfs.client.read;

import io.ecfs.env.Clock;
import io.ecfs.message.DatanodeId;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Datanodes that failed a writer of this client recently: new groups are requested without them. An exclusion expires
 * after the suspicion time; a datanode that is still unwell then fails one writer again. Owned by the client's owner
 * thread; contains at most the datanodes that failed within that time.
 */
final class ExcludedDatanodes {
    /** @param silent it did not refuse, it did not answer: the next request to it would wait as long again */
    private record Failed(long at, boolean silent) {}

    private final Clock clock;
    private final long lastsNanos;
    private final Map<DatanodeId, Failed> failed = new LinkedHashMap<>();

    ExcludedDatanodes(Clock clock, Duration lasts) {
        this.clock = clock;
        this.lastsNanos = lasts.toNanos();
    }

    void add(Collection<DatanodeId> datanodes, boolean silent) {
        long now = clock.nanos();
        datanodes.forEach(datanode -> failed.put(datanode, new Failed(now, silent)));
    }

    Set<DatanodeId> all() {
        return now(false);
    }

    /** Those that did not answer. */
    Set<DatanodeId> silent() {
        return now(true);
    }

    private Set<DatanodeId> now(boolean silentOnly) {
        if (failed.isEmpty()) {
            return Set.of();
        }
        long now = clock.nanos();
        failed.values().removeIf(one -> now - one.at() >= lastsNanos);
        Set<DatanodeId> names = new LinkedHashSet<>();
        failed.forEach((datanode, one) -> {
            if (one.silent() || !silentOnly) {
                names.add(datanode);
            }
        });
        return names;
    }
}
