package io.ecfs.namenode.placement;

import io.ecfs.code.CodeSpec;
import io.ecfs.env.Randomness;
import io.ecfs.layout.Ring;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Chooses the volumes of a new group in a ring, so that it can be read at each position without a volume that writes.
 * The chunk of index i lies in colour (i + r) mod n_c with a random r, so that data chunks spread evenly over the
 * colours; with fewer chunks than colours in a random set of them with which it tolerates the writers. A matching of
 * the chunks to datanodes with augmenting paths keeps the datanodes distinct ({@link RingMatching}), and exchanges
 * along such paths spread it over the racks as evenly as the usable volumes allow. Weights are those of
 * {@link Placement}. Pure.
 *
 * @param room which volumes can take a chunk
 * @param preferred the ring with as many writers as the group is to tolerate, at least those that it has: other places
 *     are chosen where more chunks find one
 * @param colourOf of the volumes that may be chosen
 */
public record RingPlacement(Placement room, Ring ring, Ring preferred, CodeSpec code, Map<VolumeId, Integer> colourOf) {
    /** Random sets of colours that are tried for a group of fewer chunks than colours. */
    private static final int RANDOM_SETS = 16;

    public RingPlacement {
        Objects.requireNonNull(room, "room");
        Objects.requireNonNull(ring, "ring");
        Objects.requireNonNull(preferred, "preferred");
        Objects.requireNonNull(code, "code");
        colourOf = Map.copyOf(colourOf);
    }

    /** In a ring whose groups are to tolerate the writers that it has. */
    public RingPlacement(Placement room, Ring ring, CodeSpec code, Map<VolumeId, Integer> colourOf) {
        this(room, ring, ring, code, colourOf);
    }

    /**
     * The volumes by chunk index; fewer than the group has chunks when the others have no place: the last indexes are
     * absent then.
     *
     * @param candidates each datanode once
     */
    public Placement.Choice choose(List<PlacementCandidate> candidates, Set<DatanodeId> avoid, Randomness random) {
        Map<Placement.Unusable, List<DatanodeId>> unusable = new TreeMap<>();
        List<RingMatching.Option> options = new ArrayList<>();
        for (PlacementCandidate candidate : candidates) {
            List<RingMatching.Option> own = options(candidate, avoid, random);
            options.addAll(own);
            if (own.isEmpty() && candidate.volumes().stream().anyMatch(v -> colourOf.containsKey(v.volume()))) {
                unusable.computeIfAbsent(Placement.reason(candidate, avoid), r -> new ArrayList<>())
                        .add(candidate.datanode());
            }
        }
        List<List<Integer>> patterns = patterns(options, random);
        List<VolumeId> chosen = matched(preferred, patterns, options);
        if (chosen.size() < code.chunks() && !preferred.equals(ring)) {
            List<VolumeId> others = matched(ring, patterns, options);
            chosen = others.size() > chosen.size() ? others : chosen;
        }
        return new Placement.Choice(chosen, unusable);
    }

    /** The volumes of the best matching with colours with which the group tolerates the writers of a ring. */
    private List<VolumeId> matched(Ring rule, List<List<Integer>> patterns, List<RingMatching.Option> options) {
        RingMatching best = null;
        for (List<Integer> colours : patterns) {
            if (!rule.toleratedBy(code, colours)) {
                continue;
            }
            RingMatching matching = new RingMatching(colours, options);
            if (best == null || matching.betterThan(best)) {
                best = matching;
            }
            if (best.asEvenAsPossible()) {
                break;
            }
        }
        return best == null ? List.of() : best.volumes();
    }

    /**
     * The most chunks of a group that find datanodes of their own while all volumes work: fewer than the group has when
     * colours share datanodes.
     *
     * @param ownerOf datanodes of the volumes that take chunks
     */
    static int places(Ring ring, CodeSpec code, Map<VolumeId, Integer> colourOf, Map<VolumeId, DatanodeId> ownerOf) {
        List<RingMatching.Option> options = new ArrayList<>();
        new TreeMap<>(ownerOf)
                .forEach((volume, datanode) ->
                        options.add(new RingMatching.Option(datanode, "", volume, colourOf.get(volume), 0)));
        RingPlacement placement = new RingPlacement(new Placement(0), ring, code, colourOf);
        List<Integer> rotations = IntStream.range(0, ring.colours()).boxed().toList();
        return placement.rotated(rotations).stream()
                .filter(colours -> ring.toleratedBy(code, colours))
                .mapToInt(
                        colours -> new RingMatching(colours, options).volumes().size())
                .max()
                .orElse(0);
    }

    private List<RingMatching.Option> options(PlacementCandidate candidate, Set<DatanodeId> avoid, Randomness random) {
        Map<Integer, RingMatching.Option> byColour = new TreeMap<>();
        for (PlacementCandidate.Volume volume : room.room(candidate, avoid)) {
            Integer colour = colourOf.get(volume.volume());
            if (colour != null) {
                double key = Placement.key(Placement.weight(volume), random);
                byColour.merge(
                        colour,
                        new RingMatching.Option(candidate.datanode(), candidate.rack(), volume.volume(), colour, key),
                        (one, other) -> one.key() >= other.key() ? one : other);
            }
        }
        return List.copyOf(byColour.values());
    }

    /** Colours by chunk index, those to be tried first first. */
    private List<List<Integer>> patterns(List<RingMatching.Option> options, Randomness random) {
        int chunks = code.chunks();
        Set<List<Integer>> patterns = new LinkedHashSet<>();
        if (chunks < ring.colours()) {
            List<Integer> usable = options.stream()
                    .map(RingMatching.Option::colour)
                    .distinct()
                    .sorted()
                    .toList();
            for (int i = 0; i < RANDOM_SETS && usable.size() >= chunks; i++) {
                patterns.add(randomSet(usable, random));
            }
        }
        patterns.addAll(
                rotated(shuffled(IntStream.range(0, ring.colours()).boxed().toList(), random)));
        return List.copyOf(patterns);
    }

    private List<List<Integer>> rotated(List<Integer> rotations) {
        List<List<Integer>> patterns = new ArrayList<>();
        for (List<Integer> pattern : Ring.patterns(code, ring.colours())) {
            for (int rotation : rotations) {
                patterns.add(pattern.stream()
                        .map(colour -> (colour + rotation) % ring.colours())
                        .toList());
            }
        }
        return patterns;
    }

    /** Indexes follow each other around the ring, as in the other patterns, from a random colour of the set on. */
    private List<Integer> randomSet(List<Integer> usable, Randomness random) {
        List<Integer> set = new ArrayList<>(shuffled(usable, random).subList(0, code.chunks()));
        Collections.sort(set);
        Collections.rotate(set, random.nextInt(set.size()));
        return set;
    }

    private static List<Integer> shuffled(List<Integer> values, Randomness random) {
        List<Integer> mixed = new ArrayList<>(values);
        for (int i = mixed.size() - 1; i > 0; i--) {
            Collections.swap(mixed, i, random.nextInt(i + 1));
        }
        return mixed;
    }
}
