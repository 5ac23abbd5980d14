package io.ecfs.namenode.ring;

import io.ecfs.message.VolumeId;
import io.ecfs.message.ring.RingRole;
import io.ecfs.message.ring.RingVolumeStatus;
import io.ecfs.namenode.report.RingReports;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is written to a ring, rotation by rotation, and how fast its volumes write, from the counts that datanodes
 * report. A count that falls is that of a new process. Owner thread: the namenode's event thread.
 */
final class WriteDemand {
    private final TreeMap<VolumeId, RingReports.Received> last = new TreeMap<>();
    private final ArrayDeque<Double> rotations = new ArrayDeque<>();
    private long epoch;
    private long beganMillis;
    private long bytes;
    private double fastest;

    /**
     * Takes the newest reports.
     *
     * @param epoch of the ring: another one begins anew, since what was seen belongs to other writers
     * @param rotationMillis time of all positions
     */
    void observe(long newEpoch, long rotationMillis, List<RingReports.Received> reports, long nowMillis) {
        if (newEpoch != epoch) {
            epoch = newEpoch;
            rotations.clear();
            beganMillis = nowMillis;
            bytes = 0;
        }
        for (RingReports.Received report : reports) {
            RingReports.Received before = last.put(report.status().volume(), report);
            if (before != null && report.atMillis() > before.atMillis()) {
                bytes += grown(before.status().acceptedBytes(), report.status().acceptedBytes());
                rate(before, report).ifPresent(rate -> fastest = Math.max(fastest, rate));
            }
        }
        if (nowMillis - beganMillis >= rotationMillis && !reports.isEmpty()) {
            rotations.add(bytes * 1000.0 / (nowMillis - beganMillis) / reports.size());
            if (rotations.size() > WriterChoice.ROTATIONS) {
                rotations.remove();
            }
            beganMillis = nowMillis;
            bytes = 0;
        }
    }

    private static long grown(long before, long now) {
        return now >= before ? now - before : now;
    }

    /** Bytes a second of a volume that wrote all the time between two reports. */
    private static Optional<Double> rate(RingReports.Received before, RingReports.Received now) {
        RingVolumeStatus was = before.status();
        RingVolumeStatus is = now.status();
        boolean wrote = was.role() == RingRole.WRITING && is.role() == RingRole.WRITING && is.stagedBytes() > 0;
        long drained = grown(was.drainedBytes(), is.drainedBytes());
        return wrote && drained > 0
                ? Optional.of(drained * 1000.0 / (now.atMillis() - before.atMillis()))
                : Optional.empty();
    }

    /** Bytes a second written to a volume on average, of each of the last rotations. */
    List<Double> demands() {
        return new ArrayList<>(rotations);
    }

    /** Bytes a second of a volume that only writes, the most that was seen; 0: none was. */
    double writeRate() {
        return fastest;
    }
}
