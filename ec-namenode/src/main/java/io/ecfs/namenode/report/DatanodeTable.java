package io.ecfs.namenode.report;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.datanode.DatanodeReport.VolumeStatus;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Liveness and load of the datanodes, as this namenode receives them. A datanode counts as if it had reported when this
 * namenode started, so that none is taken for dead because the namenode is young. It is healthy from its first
 * heartbeat on, not from its registration: only a heartbeat names the volumes that can receive chunks. Times inside are
 * monotonic milliseconds. Owner thread: the namenode's event thread.
 */
public final class DatanodeTable {
    /** Bounds of silence. */
    public record Silence(Duration suspectAfter) {
        public Silence {
            if (suspectAfter.isNegative() || suspectAfter.isZero()) {
                throw new IllegalArgumentException("silence.suspectAfter must be positive, got " + suspectAfter);
            }
        }
    }

    /** Place of a report in the sequence. */
    public enum Order {
        /** It is the newest. */
        NEWEST,
        /** A later one was taken already: a late message of a broken connection, whose content is outdated. */
        OVERTAKEN,
        /** It is so far above the last one that later reports might be rejected: the datanode must register again. */
        LEAP
    }

    /** Reports that may be missing between two that are taken: a datanode numbers those to all namenodes together. */
    static final long MOST_MISSING = 1 << 16;

    /**
     * @param beat a heartbeat has named its volumes since it registered
     * @param exitMillis when its process was found to have ended, after this report
     */
    private record LastReport(String uuid, long atMillis, long epochMillis, boolean beat, OptionalLong exitMillis) {
        LastReport(String uuid, long atMillis, long epochMillis, boolean beat) {
            this(uuid, atMillis, epochMillis, beat, OptionalLong.empty());
        }
    }

    /** @param placed groups that were given a chunk there lately */
    private record Loaded(VolumeStatus load, int placed) {}

    /** Share of the placed chunks that count on when a load is reported. */
    private static final int PLACED_KEPT = 3;

    private static final int PLACED_OF = 4;

    private final long suspectMillis;
    private final long graceMillis;
    private final long startedMillis;
    private final TreeMap<DatanodeId, LastReport> lastReports = new TreeMap<>();
    private final TreeMap<DatanodeId, Long> taken = new TreeMap<>();
    private final TreeSet<DatanodeId> unproved = new TreeSet<>();
    private final TreeMap<VolumeId, Loaded> loads = new TreeMap<>();
    private final TreeMap<VolumeId, Long> spokenOf = new TreeMap<>();

    /** @param grace how long a suspected datanode is not dead yet */
    public DatanodeTable(Silence silence, Duration grace, long nowMillis) {
        this.suspectMillis = silence.suspectAfter().toMillis();
        this.graceMillis = grace.toMillis();
        this.startedMillis = nowMillis;
    }

    /** Monotonic milliseconds at which this namenode began to listen. */
    public long startedMillis() {
        return startedMillis;
    }

    /**
     * @param sequence of the registration: reports that were sent before it are not taken any more
     * @param epochMillis the same moment for people
     */
    public void registered(DatanodeId datanode, String uuid, long sequence, long nowMillis, long epochMillis) {
        taken.put(datanode, sequence);
        lastReports.put(datanode, new LastReport(uuid, nowMillis, epochMillis, false));
    }

    /**
     * @param volumes all that the datanode has now
     * @param registered all that it ever had: those it does not speak of have no load any more
     * @return false when this datanode has not registered here: its beat is not counted
     */
    public boolean beat(
            DatanodeId datanode,
            String uuid,
            List<VolumeStatus> volumes,
            Collection<VolumeId> registered,
            long nowMillis,
            long epochMillis) {
        LastReport last = lastReports.get(datanode);
        if (last == null || !last.uuid().equals(uuid)) {
            return false;
        }
        lastReports.put(datanode, new LastReport(uuid, nowMillis, epochMillis, true));
        Map<VolumeId, Integer> placed = new TreeMap<>();
        volumes.forEach(load -> placed.put(load.volume(), placedLately(load.volume())));
        registered.forEach(loads::remove);
        for (VolumeStatus load : volumes) {
            loads.put(load.volume(), new Loaded(load, placed.get(load.volume()) * PLACED_KEPT / PLACED_OF));
            spokenOf.put(load.volume(), nowMillis);
        }
        return true;
    }

    /** Records a report of a registered datanode. */
    public Order order(DatanodeId datanode, long sequence) {
        long last = taken.getOrDefault(datanode, 0L);
        if (sequence < last) {
            return Order.OVERTAKEN;
        } else if (sequence - last > MOST_MISSING) {
            return Order.LEAP;
        }
        taken.put(datanode, sequence);
        return Order.NEWEST;
    }

    /** Records whether a datanode proved its identity when it last registered. */
    public void proved(DatanodeId datanode, boolean proved) {
        if (proved) {
            unproved.remove(datanode);
        } else {
            unproved.add(datanode);
        }
    }

    /** Datanodes that last registered without a proof of identity, and are not dead. */
    public List<DatanodeId> unproved(long nowMillis) {
        return unproved.stream()
                .filter(lastReports::containsKey)
                .filter(datanode -> state(datanode, nowMillis) != DatanodeState.DEAD)
                .toList();
    }

    public boolean knows(DatanodeId datanode, String uuid) {
        LastReport last = lastReports.get(datanode);
        return last != null && last.uuid().equals(uuid);
    }

    public DatanodeState state(DatanodeId datanode, long nowMillis) {
        LastReport last = lastReports.get(datanode);
        if (nowMillis >= deadAtMillis(datanode)) {
            return DatanodeState.DEAD;
        }
        return last == null || !last.beat() || nowMillis >= suspectedAtMillis(datanode)
                ? DatanodeState.SUSPECTED
                : DatanodeState.HEALTHY;
    }

    /** Monotonic milliseconds at which it became suspected, or will. */
    public long suspectedAtMillis(DatanodeId datanode) {
        LastReport last = lastReports.get(datanode);
        long silentMillis = silentAtMillis(datanode);
        return last == null
                ? silentMillis
                : Math.min(silentMillis, last.exitMillis().orElse(silentMillis));
    }

    /** Monotonic milliseconds at which its silence alone made it suspected, or will. */
    public long silentAtMillis(DatanodeId datanode) {
        return lastSignMillis(datanode) + suspectMillis;
    }

    /** Suspects a datanode from now on, until it reports again: its process has ended. */
    public void processEnded(DatanodeId datanode, long nowMillis) {
        lastReports.computeIfPresent(
                datanode,
                (id, last) -> new LastReport(
                        last.uuid(),
                        last.atMillis(),
                        last.epochMillis(),
                        last.beat(),
                        OptionalLong.of(last.exitMillis().orElse(nowMillis))));
    }

    /** Monotonic milliseconds at which it became dead, or will. */
    public long deadAtMillis(DatanodeId datanode) {
        return suspectedAtMillis(datanode) + graceMillis;
    }

    /** Returns whether it has reported later than this. */
    public boolean reportedAfter(DatanodeId datanode, long millis) {
        return lastSignMillis(datanode) > millis;
    }

    private long lastSignMillis(DatanodeId datanode) {
        LastReport last = lastReports.get(datanode);
        return last == null ? startedMillis : last.atMillis();
    }

    /**
     * True when its volumes without a load are known to be gone; false while no heartbeat has named its volumes yet.
     */
    public boolean reportedVolumes(DatanodeId datanode) {
        LastReport last = lastReports.get(datanode);
        return last != null && last.beat();
    }

    /** Milliseconds since the epoch; 0: never. */
    public long lastHeartbeatMillis(DatanodeId datanode) {
        LastReport last = lastReports.get(datanode);
        return last == null ? 0 : last.epochMillis();
    }

    /**
     * True while a volume that its live datanode does not report may still come back, as long as a silent datanode may:
     * its drive may only not be mounted.
     */
    public boolean away(VolumeId volume, long nowMillis) {
        return !loads.containsKey(volume) && nowMillis < awayUntilMillis(volume);
    }

    /** Monotonic milliseconds at which a volume that its datanode does not report counts as lost. */
    public long awayUntilMillis(VolumeId volume) {
        return spokenOf.getOrDefault(volume, startedMillis) + suspectMillis + graceMillis;
    }

    public Optional<VolumeStatus> load(VolumeId volume) {
        return Optional.ofNullable(loads.get(volume)).map(Loaded::load);
    }

    /**
     * Chunks that were placed on the volume lately: each report of its load forgets a quarter of them. If it forgot
     * all, a datanode would get chunks of every group after its report until it caught up with the others, and groups
     * would share datanodes whose reports come at about the same moment: few sources for a lost one's chunks.
     */
    public int placedLately(VolumeId volume) {
        Loaded loaded = loads.get(volume);
        return loaded == null ? 0 : loaded.placed();
    }

    /** Notes that a chunk was placed, so that a burst of allocations between two beats spreads. */
    public void placed(VolumeId volume) {
        loads.computeIfPresent(volume, (v, loaded) -> new Loaded(loaded.load(), loaded.placed() + 1));
    }
}
