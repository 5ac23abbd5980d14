package io.ecfs.namenode.ring;

import io.ecfs.layout.RingId;
import io.ecfs.message.ring.RingClock;
import io.ecfs.message.ring.RingVolumeStatus;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.cluster.RingFacts;
import io.ecfs.namenode.cluster.RingMember;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.RingPicture;
import io.ecfs.namenode.report.RingReports;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Positions of the rings, by the leader's monotonic clock. They are no facts: a new leader goes on from the latest
 * report of a datanode that follows the ring's clock, or from 0, and a change of the ring leaves its position. Wall
 * clocks play no part. Owner thread: the namenode's event thread.
 */
public final class RingPositions {
    private final NamenodeContext context;
    private final ClusterView cluster;
    private final TreeMap<RingId, Turning> turning = new TreeMap<>();

    /**
     * @param position in [0, colours) at {@code sinceMillis}
     * @param sinceMillis monotonic time of the last turn
     */
    private record Turning(long epoch, long periodMillis, boolean paused, int position, long sinceMillis) {}

    /** Position of a ring and the milliseconds until its next turn. */
    public record Place(int position, long millisToMove) {}

    public RingPositions(NamenodeContext context, ClusterView cluster) {
        this.context = context;
        this.cluster = cluster;
    }

    /** Where a ring is now. */
    public Place place(RingFacts ring) {
        long now = context.nowMillis();
        Turning before = turning.computeIfAbsent(ring.ring(), id -> resumed(ring, now));
        Turning turned = turned(ring, before, now);
        turning.put(ring.ring(), turned);
        long left = ring.paused() ? ring.periodMillis() : turned.sinceMillis() + ring.periodMillis() - now;
        return new Place(turned.position(), Math.max(0, Math.min(ring.periodMillis(), left)));
    }

    /** A term begins where the ring is by now by the latest report. */
    private Turning resumed(RingFacts ring, long now) {
        Optional<RingReports.Received> latest = cluster.rings().now().members(ring.ring()).stream()
                .flatMap(member -> cluster.rings().reports().status(member.volume()).stream())
                .filter(received -> received.status().ring().equals(ring.ring())
                        && received.status().epoch() <= ring.epoch())
                .max(Comparator.comparingLong((RingReports.Received received) ->
                                received.status().epoch())
                        .thenComparingLong(RingReports.Received::atMillis));
        if (latest.isEmpty()) {
            return new Turning(ring.epoch(), ring.periodMillis(), ring.paused(), 0, now);
        }
        RingVolumeStatus status = latest.get().status();
        long turnAt = latest.get().atMillis() + Math.min(status.millisToMove(), ring.periodMillis());
        int position = Math.floorMod(status.position(), ring.shape().colours());
        return new Turning(ring.epoch(), ring.periodMillis(), ring.paused(), position, turnAt - ring.periodMillis());
    }

    /** Takes all turns that were due by now; the period and the pause that held until now count. */
    private static Turning turned(RingFacts ring, Turning before, long now) {
        int position = before.position();
        long since = before.sinceMillis();
        if (before.paused()) {
            since = now;
        } else {
            long turns = Math.max(0, (now - since) / before.periodMillis());
            position = (int) ((position + turns) % ring.shape().colours());
            since += turns * before.periodMillis();
        }
        return new Turning(ring.epoch(), ring.periodMillis(), ring.paused(), position, since);
    }

    /** Milliseconds by which the clock of a report, at the time when it was received, is off the ring's. */
    long skewMillis(RingFacts ring, RingReports.Received report) {
        Place place = place(ring);
        long cycle = ring.periodMillis() * ring.shape().colours();
        long own = (place.position() + 1) * ring.periodMillis() - place.millisToMove();
        RingVolumeStatus status = report.status();
        long reported = (status.position() + 1) * ring.periodMillis() - status.millisToMove();
        long off = Math.floorMod(own - reported - (context.nowMillis() - report.atMillis()), cycle);
        return Math.min(off, cycle - off);
    }

    /** The clocks of the rings in which a datanode has volumes with a colour. */
    public List<RingClock> clocks(DatanodeFacts datanode) {
        RingPicture rings = cluster.rings().now();
        List<RingClock> clocks = new ArrayList<>();
        for (RingFacts ring : rings.rings()) {
            List<RingClock.Coloured> own = rings.members(ring.ring()).stream()
                    .filter(member -> datanode.volumes().containsValue(member.volume()))
                    .flatMap(member -> coloured(member).stream())
                    .toList();
            if (!own.isEmpty()) {
                Place place = place(ring);
                clocks.add(new RingClock(
                        ring.ring(),
                        ring.epoch(),
                        ring.shape().colours(),
                        ring.shape().writers(),
                        ring.periodMillis(),
                        place.position(),
                        place.millisToMove(),
                        ring.paused(),
                        own));
            }
        }
        return clocks;
    }

    private static Optional<RingClock.Coloured> coloured(RingMember member) {
        return member.colour().map(colour -> new RingClock.Coloured(member.volume(), colour));
    }

    /** Forgets rings that are gone. */
    void retain(RingPicture rings) {
        turning.keySet().removeIf(ring -> rings.ring(ring).isEmpty());
    }
}
