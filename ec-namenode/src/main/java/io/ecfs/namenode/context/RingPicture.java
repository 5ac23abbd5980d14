package io.ecfs.namenode.context;

import io.ecfs.layout.Policy;
import io.ecfs.layout.Ring;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * The rings and their volumes at one moment, and on which volumes chunks may lie by {@link RingPlaces}. Immutable but
 * for what it has computed. Owner thread: the namenode's event thread.
 */
public final class RingPicture {
    /** Rings and policies of which the rule is retained. */
    private static final int MOST_RULES = 1000;

    private final TreeMap<RingId, RingFacts> rings = new TreeMap<>();
    private final TreeMap<VolumeId, RingMember> members = new TreeMap<>();
    private final TreeMap<RingId, Integer> mostByDirectories = new TreeMap<>();
    private final Map<Ruled, Ring> rules = new HashMap<>();

    private record Ruled(RingId ring, Policy policy) {}

    /** @param mostByDirectories the most writers that groups of the directories which name a ring tolerate */
    public RingPicture(
            Collection<RingFacts> all, Collection<RingMember> volumes, ToIntFunction<RingFacts> mostByDirectories) {
        all.forEach(ring -> rings.put(ring.ring(), ring));
        volumes.forEach(member -> members.put(member.volume(), member));
        all.forEach(ring -> this.mostByDirectories.put(ring.ring(), mostByDirectories.applyAsInt(ring)));
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

    /**
     * The ring with the writers that groups of a policy are to tolerate: those that it has; if it is adaptive as many
     * as the policy and those of its directories tolerate, since it never takes more than its groups tolerate.
     */
    public Ring rule(RingFacts ring, Policy policy) {
        if (!ring.adaptive()) {
            return ring.shape();
        }
        if (rules.size() >= MOST_RULES) {
            rules.clear();
        }
        return rules.computeIfAbsent(new Ruled(ring.ring(), policy), ruled -> {
            int colours = ring.shape().colours();
            int most = Math.min(mostToTolerate(ring), Ring.mostWriters(policy.code(), colours));
            return new Ring(colours, Math.max(most, ring.shape().writers()));
        });
    }

    /** The most writers that groups of a ring are to tolerate, whatever their policy. */
    public int mostToTolerate(RingFacts ring) {
        int writers = ring.shape().writers();
        return ring.adaptive() ? Math.max(writers, mostByDirectories.getOrDefault(ring.ring(), writers)) : writers;
    }

    /** The volumes of the chunk of an index with which its group tolerates as many writers as it is to. */
    public Predicate<VolumeId> byTheRule(GroupFacts group, int index) {
        RingPlaces places = places(group);
        if (places.ring().isEmpty()) {
            return places::accepts;
        }
        List<Integer> colours = places.colours();
        Ring rule = rule(places.ring().get(), group.policy());
        boolean[] tolerated = new boolean[rule.colours()];
        for (int colour = 0; colour < tolerated.length; colour++) {
            colours.set(index, colour);
            tolerated[colour] = places.toleratedBy(rule, colours);
        }
        return places.ofColours(colour -> tolerated[colour]);
    }

    /**
     * All volumes that the log accepts for a chunk of the group: those of its ring that take chunks, by the rule or
     * not.
     */
    public Predicate<VolumeId> accepted(GroupFacts group) {
        return places(group)::accepts;
    }

    /**
     * The volumes for the chunk of an index while there is none by the rule, in the order in which they are to be
     * tried: those with which the group tolerates more writers first. The group may wait for a writer then, which costs
     * less than a chunk too few. Empty for a group in no ring.
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

    /** Returns whether a group tolerates fewer writers than it is to tolerate. */
    public boolean below(GroupFacts group) {
        RingPlaces places = places(group);
        return places.ring()
                .filter(ring ->
                        !rule(ring, group.policy()).toleratedBy(group.policy().code(), places.colours()))
                .isPresent();
    }

    /** The volumes on which the chunk of an index lets its group tolerate more writers than now. */
    public Predicate<VolumeId> better(GroupFacts group, int index) {
        RingPlaces places = places(group);
        if (places.ring().isEmpty()) {
            return volume -> false;
        }
        int all = places.ring().get().shape().colours();
        List<Integer> colours = places.colours();
        int more = places.mostWriters(colours).orElseThrow() + 1;
        if (more >= all) {
            return volume -> false;
        }
        Ring rule = new Ring(all, more);
        boolean[] tolerated = new boolean[all];
        for (int colour = 0; colour < all; colour++) {
            colours.set(index, colour);
            tolerated[colour] = rule.toleratedBy(group.policy().code(), colours);
        }
        return places.ofColours(colour -> tolerated[colour]);
    }

    /** The most writers that a group in a ring tolerates with the chunk of an index in each colour. */
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
