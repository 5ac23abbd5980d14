package io.ecfs.namenode.stats;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.datanode.DatanodeLoad;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The load of each datanode as its heartbeats report it, smoothed; from it omega of the ec-store paper (IV-C) and o_j
 * (V-B3). A stale report counts as unknown. One entry a datanode. Times are monotonic milliseconds.
 */
public final class LoadTable {
    /** Age at which a new report counts as much as all before it. */
    private static final double HALF_LIFE_MILLIS = Duration.ofSeconds(10).toMillis();

    /** Age from which a report is ignored. */
    static final long STALE_MILLIS = Duration.ofSeconds(30).toMillis();

    private static final long ENTRY_BYTES = 200;

    private final TreeMap<DatanodeId, Smooth> loads = new TreeMap<>();

    private record Smooth(
            long atMillis, double cpu, double read, double written, double waitMicros, double serviceMicros) {
        static Smooth of(DatanodeLoad load, long nowMillis) {
            return new Smooth(
                    nowMillis,
                    load.cpuPermille(),
                    load.readBytesPerSecond(),
                    load.writtenBytesPerSecond(),
                    load.waitMicros(),
                    load.serviceMicros());
        }

        Smooth then(DatanodeLoad load, long nowMillis) {
            double weight = Math.pow(0.5, (nowMillis - atMillis) / HALF_LIFE_MILLIS);
            Smooth now = of(load, nowMillis);
            boolean serviceKnown = load.serviceMicros() > 0 && serviceMicros > 0;
            boolean cpuKnown = load.cpuPermille() >= 0 && cpu >= 0;
            return new Smooth(
                    nowMillis,
                    cpuKnown ? weight * cpu + (1 - weight) * now.cpu : now.cpu,
                    weight * read + (1 - weight) * now.read,
                    weight * written + (1 - weight) * now.written,
                    weight * waitMicros + (1 - weight) * now.waitMicros,
                    serviceKnown
                            ? weight * serviceMicros + (1 - weight) * now.serviceMicros
                            : Math.max(serviceMicros, now.serviceMicros));
        }

        DatanodeLoad load() {
            return new DatanodeLoad(
                    (int) Math.round(cpu),
                    Math.round(read),
                    Math.round(written),
                    Math.round(waitMicros),
                    Math.round(serviceMicros));
        }
    }

    /** Approximate memory: a node of the tree, an id with its name, an entry. */
    long bytes() {
        return loads.size() * ENTRY_BYTES;
    }

    public void told(DatanodeId datanode, DatanodeLoad load, long nowMillis) {
        loads.merge(
                datanode,
                Smooth.of(load, nowMillis),
                (old, fresh) -> nowMillis - old.atMillis() > STALE_MILLIS ? fresh : old.then(load, nowMillis));
    }

    /** The smoothed load; empty when none was reported lately. */
    public Optional<DatanodeLoad> load(DatanodeId datanode, long nowMillis) {
        return Optional.ofNullable(loads.get(datanode))
                .filter(smooth -> nowMillis - smooth.atMillis() <= STALE_MILLIS)
                .map(Smooth::load);
    }
}
