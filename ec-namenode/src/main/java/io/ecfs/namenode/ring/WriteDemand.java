package io.ecfs.namenode.ring;

import io.ecfs.message.VolumeId;
import io.ecfs.message.ring.RingRole;
import io.ecfs.message.ring.RingVolumeStatus;
import io.ecfs.namenode.cluster.RingFacts;
import io.ecfs.namenode.report.RingReports;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * What is written to a ring, rotation by rotation, and how fast its volumes write, from the counts that datanodes
 * report. A count that falls is that of a new process. Times are those at which reports were received, which a leader
 * that was busy sets late: a rate is that of all reports of a window together, and one rotation alone decides nothing.
 * Owner thread: the namenode's event thread.
 */
final class WriteDemand {
    /** Shortest time of a rate: half of that between two heartbeats. A window of a short period ends sooner. */
    private static final long SHORTEST_MILLIS = 1500;

    /** Last rotations that have a rate and count for it. */
    private static final int RATES = 5;

    private final TreeMap<VolumeId, RingReports.Received> last = new TreeMap<>();
    private final TreeMap<VolumeId, Writing> writing = new TreeMap<>();
    private final ArrayDeque<Double> rotations = new ArrayDeque<>();
    private final ArrayDeque<Double> rates = new ArrayDeque<>();
    private long epoch;
    private long beganMillis;
    private long bytes;
    private double fastest;

    /**
     * What a volume that writes all the time has drained.
     *
     * @param sinceMillis when the first report of that time was received
     * @param untilMillis when the latest was
     */
    private record Writing(long sinceMillis, long untilMillis, long drained) {}

    /**
     * Takes the newest reports.
     *
     * @param ring another epoch begins anew, since what was seen belongs to other writers
     */
    void observe(RingFacts ring, List<RingReports.Received> reports, long nowMillis) {
        if (ring.epoch() != epoch) {
            epoch = ring.epoch();
            rotations.clear();
            beganMillis = nowMillis;
            bytes = 0;
        }
        for (RingReports.Received report : reports) {
            RingReports.Received before = last.put(report.status().volume(), report);
            if (before != null && report.atMillis() > before.atMillis()) {
                bytes += grown(before.status().acceptedBytes(), report.status().acceptedBytes());
                drained(ring, before, report);
            }
        }
        if (nowMillis - beganMillis >= ring.periodMillis() * ring.shape().colours() && !reports.isEmpty()) {
            append(rotations, bytes * 1000.0 / (nowMillis - beganMillis) / reports.size(), WriterChoice.ROTATIONS);
            List.copyOf(writing.keySet()).forEach(volume -> rest(ring, volume));
            if (fastest > 0) {
                append(rates, fastest, RATES);
            }
            beganMillis = nowMillis;
            bytes = 0;
            fastest = 0;
        }
    }

    private static void append(ArrayDeque<Double> values, double value, int most) {
        values.add(value);
        if (values.size() > most) {
            values.remove();
        }
    }

    private static long grown(long before, long now) {
        return now >= before ? now - before : now;
    }

    private void drained(RingFacts ring, RingReports.Received before, RingReports.Received now) {
        RingVolumeStatus was = before.status();
        RingVolumeStatus is = now.status();
        long more = is.drainedBytes() - was.drainedBytes();
        boolean wrote = was.role() == RingRole.WRITING && is.role() == RingRole.WRITING && is.stagedBytes() > 0;
        if (!wrote || more <= 0 || now.atMillis() - before.atMillis() > longestMillis(ring)) {
            rest(ring, is.volume());
            return;
        }
        Writing until = writing.getOrDefault(is.volume(), new Writing(before.atMillis(), before.atMillis(), 0));
        writing.put(is.volume(), new Writing(until.sinceMillis(), now.atMillis(), until.drained() + more));
    }

    /** Two reports further apart may be of two windows, between which the volume read. */
    private static long longestMillis(RingFacts ring) {
        int writers = ring.shape().writers();
        return ring.periodMillis() * Math.max(writers, ring.shape().colours() - writers);
    }

    /** A volume does not write any more, or its rotation ends: its rate counts if it wrote for long enough. */
    private void rest(RingFacts ring, VolumeId volume) {
        Writing wrote = writing.remove(volume);
        if (wrote != null) {
            long millis = wrote.untilMillis() - wrote.sinceMillis();
            if (millis >= Math.min(SHORTEST_MILLIS, ring.periodMillis() / 2)) {
                fastest = Math.max(fastest, wrote.drained() * 1000.0 / millis);
            }
        }
    }

    /** Bytes a second written to a volume on average, of each of the last rotations. */
    List<Double> demands() {
        return new ArrayList<>(rotations);
    }

    /**
     * Bytes a second of a volume that only writes: the most of a rotation, of the last rotations the middle one; 0:
     * none was seen.
     */
    double writeRate() {
        List<Double> sorted = rates.stream().sorted().toList();
        return sorted.isEmpty() ? 0 : sorted.get((sorted.size() - 1) / 2);
    }
}
