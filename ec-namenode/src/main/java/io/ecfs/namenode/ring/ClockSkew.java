package io.ecfs.namenode.ring;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.ring.RingClock;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.cluster.RingFacts;
import io.ecfs.namenode.cluster.RingMember;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.RingPicture;
import io.ecfs.namenode.report.RingReports;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Clocks of rings that datanodes follow, compared with the leader's by their reports: a datanode whose clock stays off
 * by more than the guard reads and writes at times of its own. A clock that jumped once, or a report that was long on
 * its way, is none. Owner thread: the namenode's event thread.
 */
public final class ClockSkew {
    /** Time in which a datanode makes up for a jump of three seconds, at a tenth of the speed of time. */
    static final Duration LASTING = Duration.ofSeconds(30);

    private final ClusterView cluster;
    private final RingPositions positions;
    private final TreeMap<DatanodeId, Off> off = new TreeMap<>();

    /**
     * Reports without one between them whose clock is right.
     *
     * @param firstMillis monotonic time when the first was received
     * @param lastMillis when the latest was
     */
    private record Off(long firstMillis, long lastMillis) {}

    public ClockSkew(ClusterView cluster, RingPositions positions) {
        this.cluster = cluster;
        this.positions = positions;
    }

    /** Compares the latest reports. */
    public void tick() {
        TreeMap<DatanodeId, Off> now = new TreeMap<>();
        RingPicture rings = cluster.rings().now();
        for (RingFacts ring : rings.rings()) {
            for (RingMember member : rings.members(ring.ring())) {
                Optional<DatanodeId> owner =
                        cluster.topology().owner(member.volume()).map(DatanodeFacts::datanode);
                cluster.rings()
                        .reports()
                        .status(member.volume())
                        .filter(report -> owner.isPresent() && isOff(ring, report))
                        .ifPresent(report -> now.put(owner.get(), later(owner.get(), report.atMillis())));
            }
        }
        off.clear();
        off.putAll(now);
    }

    private boolean isOff(RingFacts ring, RingReports.Received report) {
        return !ring.paused()
                && report.status().ring().equals(ring.ring())
                && report.status().epoch() == ring.epoch()
                && positions.skewMillis(ring, report) > RingClock.GUARD_MILLIS;
    }

    private Off later(DatanodeId datanode, long receivedMillis) {
        Off before = off.get(datanode);
        return before == null ? new Off(receivedMillis, receivedMillis) : new Off(before.firstMillis(), receivedMillis);
    }

    /** Returns whether a clock of a ring that the datanode follows has been off for long. */
    public boolean isOff(DatanodeId datanode) {
        Off reports = off.get(datanode);
        return reports != null && reports.lastMillis() - reports.firstMillis() >= LASTING.toMillis();
    }
}
