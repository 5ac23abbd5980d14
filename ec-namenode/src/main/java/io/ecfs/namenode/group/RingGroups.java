package io.ecfs.namenode.group;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.layout.RingId;
import io.ecfs.layout.RingRule;
import io.ecfs.message.VolumeId;
import io.ecfs.message.ring.RingVolume.Duty;
import io.ecfs.namenode.cluster.RingFacts;
import io.ecfs.namenode.cluster.RingMember;
import io.ecfs.namenode.cluster.Rings;
import io.ecfs.namenode.group.GroupFacts.Place;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Groups in rings: on which volumes their chunks may lie, and how many bear how many writers. Chunks of a group in a
 * ring lie on volumes of it, those of any other group on volumes of none.
 */
public final class RingGroups {
    private RingGroups() {}

    /** Colours of a group's chunks in index order, {@link RingRule#ABSENT} for one that is on no volume of the ring. */
    public static List<Integer> colours(View view, GroupFacts group) {
        List<Integer> colours = new ArrayList<>();
        for (Place place : group.places()) {
            colours.add(place.volume()
                    .flatMap(volume -> Rings.member(view, volume))
                    .filter(member -> group.ring().equals(Optional.of(member.ring())))
                    .flatMap(RingMember::colour)
                    .orElse(RingRule.ABSENT));
        }
        return colours;
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
                colours.add(RingRule.ABSENT);
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
        Optional<RingMember> member = Rings.member(view, target);
        boolean outside = member.isEmpty() && (group.ring().isEmpty() || dropping(view, group));
        boolean inside = member.filter(m -> m.is(Duty.ACTIVE) && group.ring().equals(Optional.of(m.ring())))
                .isPresent();
        if (!outside && !inside) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "no chunk of group " + group.group() + " of "
                            + group.ring().map(r -> "ring " + r).orElse("no ring")
                            + " is rebuilt on volume " + target + " of "
                            + member.map(m -> "ring " + m.ring()).orElse("no ring"));
        }
    }

    private static boolean dropping(View view, GroupFacts group) {
        return group.ring()
                .flatMap(ring -> Rings.find(view, ring))
                .filter(RingFacts::dropping)
                .isPresent();
    }

    /** The group without its ring, when that is being dropped and no chunk is on a volume of it any more. */
    static GroupFacts released(View view, GroupFacts group) {
        boolean released = dropping(view, group)
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
        Optional<RingFacts> ring = group.ring().flatMap(id -> Rings.find(transaction, id));
        if (ring.isPresent()) {
            int colours = ring.get().shape().colours();
            int most = RingRule.mostWriters(group.policy().code(), colours, colours(transaction, group));
            Rings.addGroups(transaction, ring.get().ring(), most, change);
        }
    }
}
