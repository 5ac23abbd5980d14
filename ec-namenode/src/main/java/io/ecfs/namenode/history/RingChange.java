package io.ecfs.namenode.history;

import io.ecfs.layout.RingId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.report.ClusterEvent.RingChanged;
import io.ecfs.message.ring.RingVolumeChange;
import io.ecfs.namenode.cluster.RingFacts;
import io.ecfs.namenode.cluster.RingMember;
import io.ecfs.namenode.cluster.Rings;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** A change of a ring and of its volumes: how they were before it, and its event in the history after it. */
public final class RingChange {
    private final Optional<RingFacts> before;
    private final Map<VolumeId, RingMember> volumesBefore;

    private RingChange(Optional<RingFacts> before, Map<VolumeId, RingMember> volumesBefore) {
        this.before = before;
        this.volumesBefore = volumesBefore;
    }

    /** A ring that is being made. */
    public static RingChange making() {
        return new RingChange(Optional.empty(), Map.of());
    }

    /** A change that begins now. */
    public static RingChange of(View view, RingFacts ring) {
        return new RingChange(Optional.of(ring), volumes(view, ring.ring()));
    }

    private static Map<VolumeId, RingMember> volumes(View view, RingId ring) {
        Map<VolumeId, RingMember> volumes = new HashMap<>();
        Rings.members(view, ring).forEach(member -> volumes.put(member.volume(), member));
        return volumes;
    }

    /**
     * Records the change, which has been applied.
     *
     * @param now the ring in the epoch that began with it, also when it is gone
     */
    public void record(Transaction transaction, long nowMillis, RingFacts now, String who) {
        boolean gone = Rings.find(transaction, now.ring()).isEmpty();
        History.record(
                transaction,
                nowMillis,
                RingChanged.of(
                        now.name(),
                        now.epoch(),
                        before.map(RingFacts::settings),
                        gone ? Optional.empty() : Optional.of(now.settings()),
                        volumes(volumes(transaction, now.ring())),
                        who));
    }

    private List<RingVolumeChange> volumes(Map<VolumeId, RingMember> volumesNow) {
        TreeSet<VolumeId> all = new TreeSet<>(volumesBefore.keySet());
        all.addAll(volumesNow.keySet());
        List<RingVolumeChange> changes = new ArrayList<>();
        for (VolumeId volume : all) {
            Optional<RingMember> was = Optional.ofNullable(volumesBefore.get(volume));
            Optional<RingMember> is = Optional.ofNullable(volumesNow.get(volume));
            if (!was.equals(is)) {
                changes.add(new RingVolumeChange(
                        volume,
                        was.map(RingMember::duty),
                        is.map(RingMember::duty),
                        is.or(() -> was).flatMap(RingMember::colour)));
            }
        }
        return changes;
    }
}
