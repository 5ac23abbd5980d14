package io.ecfs.namenode.context;

import io.ecfs.layout.RingId;
import io.ecfs.layout.RingRule;
import io.ecfs.message.VolumeId;
import io.ecfs.message.ring.RingVolume.Duty;
import io.ecfs.namenode.cluster.RingFacts;
import io.ecfs.namenode.cluster.RingMember;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.GroupFacts.Place;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The rings and their volumes at one moment, and on which volumes chunks may lie: those of a group in a ring on volumes
 * of it with which the group is readable at each position, those of any other group on volumes of no ring. Immutable.
 */
public final class RingPicture {
    private final TreeMap<RingId, RingFacts> rings = new TreeMap<>();
    private final TreeMap<VolumeId, RingMember> members = new TreeMap<>();

    public RingPicture(Collection<RingFacts> all, Collection<RingMember> volumes) {
        all.forEach(ring -> rings.put(ring.ring(), ring));
        volumes.forEach(member -> members.put(member.volume(), member));
    }

    /** In the order of their numbers. */
    public Collection<RingFacts> rings() {
        return Collections.unmodifiableCollection(rings.values());
    }

    public Optional<RingFacts> ring(RingId ring) {
        return Optional.ofNullable(rings.get(ring));
    }

    /** The volume's place in a ring; empty: it is in none. */
    public Optional<RingMember> member(VolumeId volume) {
        return Optional.ofNullable(members.get(volume));
    }

    /** The volumes of a ring in the order of their numbers. */
    public List<RingMember> members(RingId ring) {
        return members.values().stream()
                .filter(member -> member.ring().equals(ring))
                .toList();
    }

    /** Returns whether a volume is in no ring. */
    public boolean outside(VolumeId volume) {
        return !members.containsKey(volume);
    }

    /** Returns whether the chunks on the volume are to be moved to others: it leaves its ring, or that is dropped. */
    public boolean leaves(VolumeId volume) {
        return member(volume)
                .filter(member -> member.is(Duty.LEAVING) || dropping(Optional.of(member.ring())))
                .isPresent();
    }

    private boolean dropping(Optional<RingId> ring) {
        return ring.map(rings::get).filter(RingFacts::dropping).isPresent();
    }

    /** The volumes on which the chunk of an index may lie beside the others of its group where they are. */
    public Predicate<VolumeId> rule(GroupFacts group, int index) {
        Optional<RingFacts> ring = group.ring().map(rings::get).filter(facts -> !facts.dropping());
        if (ring.isEmpty()) {
            return this::outside;
        }
        List<Integer> colours = new ArrayList<>();
        for (Place place : group.places()) {
            colours.add(
                    place.volume().flatMap(volume -> colour(volume, ring.get())).orElse(RingRule.ABSENT));
        }
        boolean[] legal = new boolean[ring.get().shape().colours()];
        for (int colour = 0; colour < legal.length; colour++) {
            colours.set(index, colour);
            legal[colour] =
                    RingRule.completable(ring.get().shape(), group.policy().code(), colours);
        }
        return volume -> member(volume).filter(member -> member.is(Duty.ACTIVE)).isPresent()
                && colour(volume, ring.get()).filter(colour -> legal[colour]).isPresent();
    }

    private Optional<Integer> colour(VolumeId volume, RingFacts ring) {
        return member(volume)
                .filter(member -> member.ring().equals(ring.ring()))
                .flatMap(RingMember::colour);
    }
}
