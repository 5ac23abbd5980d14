package io.ecfs.namenode.stats;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.datanode.DatanodeLoad;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The load of each datanode as it tells it with its heartbeats, smoothed; from it omega of the ec-store paper (IV-C)
 * and o_j (V-B3). What was told too long ago counts as unknown. One entry a datanode. Times are monotonic milliseconds.
 */
public final class LoadTable {
    /** After so long a new word counts as much as all before it. */
    private static final double HALF_LIFE_MILLIS = Duration.ofSeconds(10).toMillis();

    /** A word that is older is none. */
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
            double kept = Math.pow(0.5, (nowMillis - atMillis) / HALF_LIFE_MILLIS);
            Smooth now = of(load, nowMillis);
            boolean serviceKnown = load.serviceMicros() > 0 && serviceMicros > 0;
            boolean cpuKnown = load.cpuPermille() >= 0 && cpu >= 0;
            return new Smooth(
                    nowMillis,
                    cpuKnown ? kept * cpu + (1 - kept) * now.cpu : now.cpu,
                    kept * read + (1 - kept) * now.read,
                    kept * written + (1 - kept) * now.written,
                    kept * waitMicros + (1 - kept) * now.waitMicros,
                    serviceKnown
                            ? kept * serviceMicros + (1 - kept) * now.serviceMicros
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

    /** Of memory, about: a node of the tree, an id with its name, an entry. */
    long bytes() {
        return loads.size() * ENTRY_BYTES;
    }

    public void told(DatanodeId datanode, DatanodeLoad load, long nowMillis) {
        loads.merge(
                datanode,
                Smooth.of(load, nowMillis),
                (old, fresh) -> nowMillis - old.atMillis() > STALE_MILLIS ? fresh : old.then(load, nowMillis));
    }

    /** Smoothed; empty when nothing was told of late. */
    public Optional<DatanodeLoad> load(DatanodeId datanode, long nowMillis) {
        return Optional.ofNullable(loads.get(datanode))
                .filter(smooth -> nowMillis - smooth.atMillis() <= STALE_MILLIS)
                .map(Smooth::load);
    }
}
