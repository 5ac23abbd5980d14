package io.ecfs.namenode.group;

import io.ecfs.layout.Ring;
import io.ecfs.layout.RingId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.ring.RingVolume.Duty;
import io.ecfs.namenode.cluster.RingFacts;
import io.ecfs.namenode.cluster.RingMember;
import io.ecfs.namenode.group.GroupFacts.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The volumes on which the chunks of a group may lie: those of a group in a ring on volumes of it that take chunks,
 * with which the group tolerates the writers where there are such; those of any other group, and of a group whose ring
 * is being dropped, on volumes of no ring. One rule for the log and for the leader, which reads copies of its facts.
 * Pure.
 */
public final class RingPlaces {
    private final GroupFacts group;
    private final Optional<RingFacts> ring;
    private final Function<VolumeId, Optional<RingMember>> memberOf;

    /**
     * @param ringOf facts of a ring; empty for one that is gone
     * @param memberOf a volume's place in a ring; empty: it is in none
     */
    public RingPlaces(
            GroupFacts group,
            Function<RingId, Optional<RingFacts>> ringOf,
            Function<VolumeId, Optional<RingMember>> memberOf) {
        this.group = group;
        this.ring = group.ring().flatMap(ringOf);
        this.memberOf = memberOf;
    }

    /** The ring on whose volumes its chunks stay; empty: they belong on volumes of none. */
    public Optional<RingFacts> ring() {
        return ring.filter(facts -> !facts.dropping());
    }

    /** Returns whether the group leaves its ring, which is being dropped. */
    boolean leaves() {
        return ring.filter(RingFacts::dropping).isPresent();
    }

    /** Returns whether a chunk of the group may be placed on the volume, by the rule or not. */
    public boolean accepts(VolumeId volume) {
        return ring().isPresent() ? takesChunks(volume) : memberOf.apply(volume).isEmpty();
    }

    /** As {@link #accepts}, or it is in a ring that is being dropped: a chunk may have been on its way there. */
    boolean acceptsRebuilt(VolumeId volume) {
        return accepts(volume) || (leaves() && takesChunks(volume));
    }

    private boolean takesChunks(VolumeId volume) {
        return member(volume).filter(member -> member.is(Duty.ACTIVE)).isPresent();
    }

    private Optional<RingMember> member(VolumeId volume) {
        return memberOf.apply(volume).filter(member -> group.ring().equals(Optional.of(member.ring())));
    }

    /** The volumes of the ring that take chunks and have one of these colours. */
    public Predicate<VolumeId> ofColours(Predicate<Integer> colours) {
        return volume -> takesChunks(volume)
                && member(volume).flatMap(RingMember::colour).filter(colours).isPresent();
    }

    /** Colours of its chunks in index order, {@link Ring#ABSENT} for one that is on no volume of the ring. */
    public List<Integer> colours() {
        List<Integer> colours = new ArrayList<>();
        for (Place place : group.places()) {
            colours.add(place.volume()
                    .flatMap(this::member)
                    .flatMap(RingMember::colour)
                    .orElse(Ring.ABSENT));
        }
        return colours;
    }

    /** The most writers that the group tolerates with these colours of its chunks; empty: it is in no ring. */
    public Optional<Integer> mostWriters(List<Integer> colours) {
        return ring.map(
                facts -> Ring.mostWriters(group.policy().code(), facts.shape().colours(), colours));
    }

    /**
     * Returns whether the group tolerates the writers with these colours of its chunks, and with some of those that are
     * absent.
     *
     * @param rule the ring with the writers that the group is to tolerate
     */
    public boolean toleratedBy(Ring rule, List<Integer> colours) {
        return RingCompletion.possible(rule, group.policy().code(), colours);
    }
}
