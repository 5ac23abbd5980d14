package io.ecfs.client.read;

import io.ecfs.env.Clock;
import io.ecfs.message.DatanodeId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Which datanodes failed to answer lately; reads leave them for last until the suspicion has passed. */
public final class SuspectDatanodes {
    private final Clock clock;
    private final long lastsNanos;
    private final Map<DatanodeId, Long> since = new ConcurrentHashMap<>();

    public SuspectDatanodes(Clock clock, Duration lasts) {
        this.clock = clock;
        this.lastsNanos = lasts.toNanos();
    }

    public void suspect(DatanodeId datanode) {
        since.put(datanode, clock.nanos());
    }

    public void answered(DatanodeId datanode) {
        since.remove(datanode);
    }

    public boolean suspected(DatanodeId datanode) {
        Long at = since.get(datanode);
        return at != null && clock.nanos() - at < lastsNanos;
    }
}
