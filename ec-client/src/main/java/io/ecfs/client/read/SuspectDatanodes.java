package io.ecfs.client.read;

import io.ecfs.env.Clock;
import io.ecfs.message.DatanodeId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Datanodes that failed to answer recently; reads request them last until the suspicion expires. Safe for use by
 * several threads.
 */
final class SuspectDatanodes {
    private final Clock clock;
    private final long lastsNanos;
    private final Map<DatanodeId, Long> since = new ConcurrentHashMap<>();

    SuspectDatanodes(Clock clock, Duration lasts) {
        this.clock = clock;
        this.lastsNanos = lasts.toNanos();
    }

    void suspect(DatanodeId datanode) {
        since.put(datanode, clock.nanos());
    }

    void answered(DatanodeId datanode) {
        since.remove(datanode);
    }

    boolean suspected(DatanodeId datanode) {
        Long at = since.get(datanode);
        return at != null && clock.nanos() - at < lastsNanos;
    }
}
