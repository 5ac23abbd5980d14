package io.ecfs.namenode.context;

import io.ecfs.layout.RingId;
import io.ecfs.layout.RingRule;
import io.ecfs.message.VolumeId;
import io.ecfs.message.ring.RingVolume.Duty;
import io.ecfs.namenode.cluster.RingFacts;
import io.ecfs.namenode.cluster.RingMember;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.GroupFacts.Place;
import io.ecfs.namenode.group.RingCompletion;
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
        Optional<RingFacts> ring = ring(group);
        if (ring.isEmpty()) {
            return this::outside;
        }
        List<Integer> colours = colours(group, ring.get());
        boolean[] legal = new boolean[ring.get().shape().colours()];
        for (int colour = 0; colour < legal.length; colour++) {
            colours.set(index, colour);
            legal[colour] =
                    RingCompletion.possible(ring.get().shape(), group.policy().code(), colours);
        }
        return active(ring.get(), colour -> legal[colour]);
    }

    /** All volumes that the log accepts for a chunk of the group: those of its ring that take chunks, legal or not. */
    public Predicate<VolumeId> accepted(GroupFacts group) {
        Optional<RingFacts> ring = ring(group);
        return ring.isEmpty() ? this::outside : active(ring.get(), colour -> true);
    }

    /**
     * The volumes for the chunk of an index while none is legal, in the order in which they are to be tried: those with
     * which the group bears more writers first. The group may wait for a writer then, which costs less than a chunk
     * too few. Empty for a group in no ring.
     */
    public List<Predicate<VolumeId>> belowTheRule(GroupFacts group, int index) {
        Optional<RingFacts> ring = ring(group);
        if (ring.isEmpty()) {
            return List.of();
        }
        List<Integer> colours = colours(group, ring.get());
        TreeMap<Integer, Set<Integer>> coloursByMost = new TreeMap<>(Comparator.reverseOrder());
        for (int colour = 0; colour < ring.get().shape().colours(); colour++) {
            colours.set(index, colour);
            coloursByMost
                    .computeIfAbsent(most(group, ring.get(), colours), m -> new HashSet<>())
                    .add(colour);
        }
        List<Predicate<VolumeId>> tries = new ArrayList<>();
        coloursByMost.values().forEach(some -> tries.add(active(ring.get(), some::contains)));
        return tries;
    }

    /** Returns whether a group bears fewer writers than its ring has. */
    public boolean below(GroupFacts group) {
        return ring(group)
                .filter(ring ->
                        most(group, ring, colours(group, ring)) < ring.shape().writers())
                .isPresent();
    }

    /** The volumes on which the chunk of an index lets its group bear more writers than now. */
    public Predicate<VolumeId> better(GroupFacts group, int index) {
        Optional<RingFacts> ring = ring(group);
        if (ring.isEmpty()) {
            return volume -> false;
        }
        List<Integer> colours = colours(group, ring.get());
        int now = most(group, ring.get(), colours);
        boolean[] better = new boolean[ring.get().shape().colours()];
        for (int colour = 0; colour < better.length; colour++) {
            colours.set(index, colour);
            better[colour] = most(group, ring.get(), colours) > now;
        }
        return active(ring.get(), colour -> better[colour]);
    }

    private static int most(GroupFacts group, RingFacts ring, List<Integer> colours) {
        return RingRule.mostWriters(group.policy().code(), ring.shape().colours(), colours);
    }

    /** The ring in whose volumes the chunks of a group stay. */
    private Optional<RingFacts> ring(GroupFacts group) {
        return group.ring().map(rings::get).filter(facts -> !facts.dropping());
    }

    /** Colours by chunk index. */
    private List<Integer> colours(GroupFacts group, RingFacts ring) {
        List<Integer> colours = new ArrayList<>();
        for (Place place : group.places()) {
            colours.add(place.volume().flatMap(volume -> colour(volume, ring)).orElse(RingRule.ABSENT));
        }
        return colours;
    }

    private Predicate<VolumeId> active(RingFacts ring, Predicate<Integer> colours) {
        return volume -> member(volume).filter(member -> member.is(Duty.ACTIVE)).isPresent()
                && colour(volume, ring).filter(colours).isPresent();
    }

    private Optional<Integer> colour(VolumeId volume, RingFacts ring) {
        return member(volume)
                .filter(member -> member.ring().equals(ring.ring()))
                .flatMap(RingMember::colour);
    }
}
