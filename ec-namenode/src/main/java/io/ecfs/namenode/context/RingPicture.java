package io.ecfs.namenode.context;

import io.ecfs.layout.RingId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.ring.RingVolume.Duty;
import io.ecfs.namenode.cluster.RingFacts;
import io.ecfs.namenode.cluster.RingMember;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.RingPlaces;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The rings and their volumes at one moment, and on which volumes chunks may lie by {@link RingPlaces}. Immutable.
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

    private RingPlaces places(GroupFacts group) {
        return new RingPlaces(group, this::ring, this::member);
    }

    /** The volumes on which the chunk of an index may lie beside the others of its group where they are. */
    public Predicate<VolumeId> rule(GroupFacts group, int index) {
        RingPlaces places = places(group);
        if (places.ring().isEmpty()) {
            return places::accepts;
        }
        List<Integer> colours = places.colours();
        boolean[] legal = new boolean[places.ring().get().shape().colours()];
        for (int colour = 0; colour < legal.length; colour++) {
            colours.set(index, colour);
            legal[colour] = places.legal(colours);
        }
        return places.ofColours(colour -> legal[colour]);
    }

    /** All volumes that the log accepts for a chunk of the group: those of its ring that take chunks, legal or not. */
    public Predicate<VolumeId> accepted(GroupFacts group) {
        return places(group)::accepts;
    }

    /**
     * The volumes for the chunk of an index while none is legal, in the order in which they are to be tried: those with
     * which the group bears more writers first. The group may wait for a writer then, which costs less than a chunk
     * too few. Empty for a group in no ring.
     */
    public List<Predicate<VolumeId>> belowTheRule(GroupFacts group, int index) {
        RingPlaces places = places(group);
        if (places.ring().isEmpty()) {
            return List.of();
        }
        TreeMap<Integer, Set<Integer>> coloursByMost = new TreeMap<>(Comparator.reverseOrder());
        int[] most = mostByColour(places, index);
        for (int colour = 0; colour < most.length; colour++) {
            coloursByMost.computeIfAbsent(most[colour], m -> new HashSet<>()).add(colour);
        }
        List<Predicate<VolumeId>> tries = new ArrayList<>();
        coloursByMost.values().forEach(some -> tries.add(places.ofColours(some::contains)));
        return tries;
    }

    /** Returns whether a group bears fewer writers than its ring has. */
    public boolean below(GroupFacts group) {
        RingPlaces places = places(group);
        return places.ring()
                .filter(ring -> places.mostWriters(places.colours()).orElseThrow()
                        < ring.shape().writers())
                .isPresent();
    }

    /** The volumes on which the chunk of an index lets its group bear more writers than now. */
    public Predicate<VolumeId> better(GroupFacts group, int index) {
        RingPlaces places = places(group);
        if (places.ring().isEmpty()) {
            return volume -> false;
        }
        int now = places.mostWriters(places.colours()).orElseThrow();
        int[] most = mostByColour(places, index);
        return places.ofColours(colour -> most[colour] > now);
    }

    /** The most writers that a group in a ring bears with the chunk of an index in each colour. */
    private static int[] mostByColour(RingPlaces places, int index) {
        List<Integer> colours = places.colours();
        int[] most = new int[places.ring().orElseThrow().shape().colours()];
        for (int colour = 0; colour < most.length; colour++) {
            colours.set(index, colour);
            most[colour] = places.mostWriters(colours).orElseThrow();
        }
        return most;
    }
}
