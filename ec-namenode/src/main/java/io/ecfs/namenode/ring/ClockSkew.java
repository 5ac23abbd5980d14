package io.ecfs.namenode.ring;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import io.ecfs.message.ring.RingClock;
import io.ecfs.message.ring.RingVolumeStatus;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.cluster.RingFacts;
import io.ecfs.namenode.cluster.RingMember;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.RingPicture;
import io.ecfs.namenode.report.RingReports;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Clocks of rings that datanodes follow, compared with the leader's by their reports: a datanode whose clock stays off
 * by more than the guard reads and writes at times of its own. A clock that jumped once, or a report that was long on
 * its way, is none. What is known of a datanode stays while it is silent, or follows an earlier epoch, until it is
 * dead: nobody reads or writes there then. Owner thread: the namenode's event thread.
 */
public final class ClockSkew {
    /** Time in which a datanode makes up for a jump of three seconds, at a tenth of the speed of time. */
    static final Duration LASTING = Duration.ofSeconds(30);

    private final ClusterView cluster;
    private final RingPositions positions;
    private final TreeMap<DatanodeId, Off> off = new TreeMap<>();
    private final TreeMap<DatanodeId, Clock> clocks = new TreeMap<>();
    private boolean compared;

    /** A clock by its latest report; a datanode has the greatest of its clocks. */
    private enum Clock {
        UNKNOWN,
        RIGHT,
        OFF
    }

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
        clocks.clear();
        RingPicture rings = cluster.rings().now();
        for (RingFacts ring : rings.rings()) {
            for (RingMember member : ring.paused() ? List.<RingMember>of() : rings.members(ring.ring())) {
                cluster.topology()
                        .owner(member.volume())
                        .map(DatanodeFacts::datanode)
                        .ifPresent(owner -> compare(ring, member.volume(), owner));
            }
        }
        off.keySet().removeIf(datanode -> clocks.getOrDefault(datanode, Clock.RIGHT) == Clock.RIGHT);
        compared = true;
    }

    private void compare(RingFacts ring, VolumeId volume, DatanodeId owner) {
        DatanodeState state = cluster.state(owner);
        Optional<RingReports.Received> report = cluster.rings().reports().status(volume);
        if (state == DatanodeState.SUSPECTED) {
            note(owner, Clock.UNKNOWN);
        } else if (state == DatanodeState.HEALTHY && report.isPresent()) {
            Clock clock = clock(ring, report.get());
            note(owner, clock);
            if (clock == Clock.OFF) {
                long now = report.get().atMillis();
                off.merge(owner, new Off(now, now), (before, later) -> new Off(before.firstMillis(), now));
            }
        }
    }

    private void note(DatanodeId datanode, Clock clock) {
        clocks.merge(datanode, clock, (one, other) -> one.compareTo(other) > 0 ? one : other);
    }

    private Clock clock(RingFacts ring, RingReports.Received report) {
        RingVolumeStatus status = report.status();
        if (!status.ring().equals(ring.ring()) || status.epoch() != ring.epoch()) {
            return Clock.UNKNOWN;
        }
        return positions.skewMillis(ring, report) > RingClock.GUARD_MILLIS ? Clock.OFF : Clock.RIGHT;
    }

    /** Returns whether a clock of a ring that the datanode follows has been off for long. */
    public boolean isOff(DatanodeId datanode) {
        Off reports = off.get(datanode);
        return reports != null && reports.lastMillis() - reports.firstMillis() >= LASTING.toMillis();
    }

    /** Returns whether the datanode's clocks are known not to be off: it follows them, or none, or is dead. */
    public boolean isRight(DatanodeId datanode) {
        return compared && clocks.getOrDefault(datanode, Clock.RIGHT) == Clock.RIGHT;
    }
}
