package io.ecfs.namenode.stats;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.datanode.RelayLoad;
import io.ecfs.message.report.WriteReport.Master;
import java.util.List;
import java.util.TreeMap;

/**
 * The latest load by relays of each datanode, as its heartbeats report it; a stale report counts as unknown. One entry
 * a datanode. Times are monotonic milliseconds. Owner thread: the namenode's event thread.
 */
public final class RelayTable {
    private static final long ENTRY_BYTES = 160;

    private record Reported(RelayLoad load, long atMillis) {}

    private final TreeMap<DatanodeId, Reported> loads = new TreeMap<>();

    public void onReport(DatanodeId datanode, RelayLoad load, long nowMillis) {
        loads.put(datanode, new Reported(load, nowMillis));
    }

    /** The datanodes that reported lately, by name. */
    public List<Master> masters(long nowMillis) {
        return loads.entrySet().stream()
                .filter(entry -> nowMillis - entry.getValue().atMillis() <= LoadTable.STALE_MILLIS)
                .map(entry -> new Master(entry.getKey(), entry.getValue().load()))
                .toList();
    }

    /** Approximate memory. */
    long bytes() {
        return loads.size() * ENTRY_BYTES;
    }
}
