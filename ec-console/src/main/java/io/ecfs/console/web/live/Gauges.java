package io.ecfs.console.web.live;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.console.view.Json;
import io.ecfs.console.web.history.Imbalance;
import io.ecfs.message.datanode.DatanodeLoad;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.LoadReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Metrics of one poll that no record of the cluster has: sums, rates since the previous poll, λ. Owned by the poller's
 * thread.
 */
final class Gauges {
    private Map<String, Double> values = Map.of();
    private ObjectNode last = Json.node();
    private long beforeMillis;
    private long repairedBefore;
    private long movedBefore;

    /**
     * Computes them; keys with units: {@code capacityBytes}, {@code repairedBytesPerSecond}, {@code imbalancePercent}
     * (λ of the bytes read per second), {@code heldImbalancePercent} (λ of the bytes stored on healthy datanodes) …
     */
    ObjectNode at(long nowMillis, ClusterReport report, LoadReport loads, Incidents incidents) {
        Map<String, Double> now = new TreeMap<>();
        long capacity = 0;
        long used = 0;
        long free = 0;
        long chunks = 0;
        List<Double> stored = new ArrayList<>();
        for (ClusterReport.Datanode datanode : report.datanodes()) {
            if (datanode.state() == ClusterReport.DatanodeState.DEAD) {
                continue;
            }
            long usedHere = 0;
            for (ClusterReport.Volume volume : datanode.volumes()) {
                capacity += volume.capacityBytes();
                usedHere += volume.usedBytes();
                free += volume.freeBytes();
                chunks += volume.chunks();
            }
            used += usedHere;
            if (datanode.state() == ClusterReport.DatanodeState.HEALTHY) {
                stored.add((double) usedHere);
            }
        }
        double storedImbalance = Imbalance.percent(stored);
        long read = 0;
        long written = 0;
        for (LoadReport.Datanode datanode : loads.datanodes()) {
            long readHere =
                    datanode.load().map(DatanodeLoad::readBytesPerSecond).orElse(0L);
            long writtenHere =
                    datanode.load().map(DatanodeLoad::writtenBytesPerSecond).orElse(0L);
            read += readHere;
            written += writtenHere;
            now.put("datanode." + datanode.id().name() + ".bytesPerSecond", (double) (readHere + writtenHere));
        }
        double seconds = beforeMillis == 0 ? 0 : Math.max(1, nowMillis - beforeMillis) / 1e3;
        now.put("usedBytes", (double) used);
        now.put("imbalancePercent", loads.imbalance());
        now.put("heldImbalancePercent", storedImbalance);
        now.put("readBytesPerSecond", (double) read);
        now.put("writtenBytesPerSecond", (double) written);
        now.put("groups.healthy", (double) report.groups().healthy());
        now.put("groups.degraded", (double) report.groups().degraded());
        now.put("groups.lost", (double) report.groups().lost());
        now.put("groups.open", (double) report.groups().open());
        now.put("repairedBytesPerSecond", rate(incidents.repairedBytes() - repairedBefore, seconds));
        now.put("movedBytesPerSecond", rate(incidents.movedBytes() - movedBefore, seconds));
        beforeMillis = nowMillis;
        repairedBefore = incidents.repairedBytes();
        movedBefore = incidents.movedBytes();
        values = now;
        last = Json.node();
        last.put("capacityBytes", capacity);
        last.put("usedBytes", used);
        last.put("freeBytes", free);
        last.put("chunks", chunks);
        last.put("imbalancePercent", loads.imbalance());
        last.put("heldImbalancePercent", storedImbalance);
        last.put("readBytesPerSecond", read);
        last.put("writtenBytesPerSecond", written);
        last.put("repairedBytesPerSecond", Math.round(now.get("repairedBytesPerSecond")));
        last.put("movedBytesPerSecond", Math.round(now.get("movedBytesPerSecond")));
        last.put("repairedBytes", incidents.repairedBytes());
        last.put("movedBytes", incidents.movedBytes());
        last.put("incidents", incidents.count(false));
        last.put("plannedIncidents", incidents.count(true));
        return last;
    }

    /** Values of the latest poll, by series. */
    Map<String, Double> values() {
        return values;
    }

    ObjectNode last() {
        return last;
    }

    private static double rate(long bytes, double seconds) {
        return seconds == 0 ? 0 : Math.max(0, bytes) / seconds;
    }
}
