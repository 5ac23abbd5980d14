package io.ecfs.namenode.group;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Ring;
import io.ecfs.layout.RingId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.ring.RingVolume.Duty;
import io.ecfs.namenode.cluster.RingFacts;
import io.ecfs.namenode.cluster.RingMember;
import io.ecfs.namenode.cluster.Rings;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Groups in rings by the facts of the log: refuses chunks on volumes on which {@link RingPlaces} has none, and counts
 * how many groups tolerate how many writers.
 */
final class RingGroups {
    private RingGroups() {}

    private static RingPlaces places(View view, GroupFacts group) {
        return new RingPlaces(group, ring -> Rings.find(view, ring), volume -> Rings.member(view, volume));
    }

    /**
     * The ring of a new group by the volumes that the leader chose; empty when they are in none.
     *
     * @throws EcfsException {@code NO_SPACE}, to be tried again, when the ring has changed since they were chosen
     */
    static Optional<RingId> ringOf(View view, Policy policy, List<VolumeId> chosen) throws EcfsException {
        if (!Rings.used(view)) {
            return Optional.empty();
        }
        List<Optional<RingMember>> members =
                chosen.stream().map(volume -> Rings.member(view, volume)).toList();
        Optional<RingId> ring = members.get(0).map(RingMember::ring);
        for (Optional<RingMember> member : members) {
            if (!member.map(RingMember::ring).equals(ring)
                    || member.filter(m -> !m.is(Duty.ACTIVE)).isPresent()) {
                throw changed(chosen, ring);
            }
        }
        Optional<RingFacts> facts = ring.flatMap(id -> Rings.find(view, id));
        if (facts.isPresent()) {
            List<Integer> colours = new ArrayList<>();
            members.forEach(
                    member -> colours.add(member.flatMap(RingMember::colour).orElseThrow()));
            while (colours.size() < policy.chunks()) {
                colours.add(Ring.ABSENT);
            }
            if (facts.get().dropping() || !RingCompletion.possible(facts.get().shape(), policy.code(), colours)) {
                throw changed(chosen, ring);
            }
        }
        return ring;
    }

    private static EcfsException changed(List<VolumeId> chosen, Optional<RingId> ring) {
        return new EcfsException(
                ErrorCode.NO_SPACE,
                "volumes " + chosen + " are no place for a group "
                        + ring.map(id -> "of ring " + id).orElse("of no ring") + " any more: the ring has changed");
    }

    /**
     * @throws EcfsException {@code INVALID_ARGUMENT} when a chunk of the group may not be rebuilt on the volume: it is
     *     in another ring, or in none, or takes no chunks
     */
    static void checkTarget(View view, GroupFacts group, VolumeId target) throws EcfsException {
        if (!Rings.used(view)) {
            return;
        }
        if (!places(view, group).acceptsRebuilt(target)) {
            Optional<RingMember> member = Rings.member(view, target);
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "no chunk of group " + group.group() + " of "
                            + group.ring().map(r -> "ring " + r).orElse("no ring")
                            + " is rebuilt on volume " + target + " of "
                            + member.map(m -> "ring " + m.ring()).orElse("no ring"));
        }
    }

    /**
     * The group without its ring, when that is gone, or is being dropped and no chunk is on a volume of it any more.
     */
    static GroupFacts released(View view, GroupFacts group) {
        boolean released = group.ring().isPresent()
                && places(view, group).ring().isEmpty()
                && group.places().stream()
                        .flatMap(place -> place.volume().stream())
                        .noneMatch(volume -> Rings.member(view, volume).isPresent());
        return released ? group.outsideRings() : group;
    }

    /** Counts a group as it is now, and no more as it was; empty: it is not there. */
    static void count(Transaction transaction, Optional<GroupFacts> before, Optional<GroupFacts> now) {
        if (before.isPresent()
                && now.isPresent()
                && before.get().ring().equals(now.get().ring())
                && before.get().places().equals(now.get().places())) {
            return;
        }
        before.ifPresent(group -> count(transaction, group, -1));
        now.ifPresent(group -> count(transaction, group, 1));
    }

    private static void count(Transaction transaction, GroupFacts group, long change) {
        if (group.ring().isEmpty()) {
            return;
        }
        RingPlaces places = places(transaction, group);
        places.mostWriters(places.colours())
                .ifPresent(most -> Rings.addGroups(transaction, group.ring().orElseThrow(), most, change));
    }
}
