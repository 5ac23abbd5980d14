package io.ecfs.namenode.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.CodeSpec;
import io.ecfs.env.Randomness;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Ring;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RingPlacementTest {
    private static final long GIB = 1L << 30;
    private static final Placement ROOM = new Placement(GIB);

    /** A cluster with a ring: where its volumes are, and what colour they have. */
    private static final class Site {
        final List<PlacementCandidate> nodes = new ArrayList<>();
        final Map<VolumeId, Integer> colourOf = new HashMap<>();
        final Map<VolumeId, PlacementCandidate> owner = new HashMap<>();

        void node(String rack, VolumeState state, int... colours) {
            int number = nodes.size() + 1;
            List<PlacementCandidate.Volume> volumes = new ArrayList<>();
            for (int i = 0; i < colours.length; i++) {
                VolumeId id = new VolumeId(number * 100 + i);
                volumes.add(new PlacementCandidate.Volume(id, state, 10 * GIB, 0));
                if (colours[i] >= 0) {
                    colourOf.put(id, colours[i]);
                }
            }
            PlacementCandidate node = new PlacementCandidate(
                    new DatanodeId("dn" + number), rack, DatanodeState.HEALTHY, AdminState.State.IN_SERVICE, volumes);
            nodes.add(node);
            volumes.forEach(volume -> owner.put(volume.volume(), node));
        }

        List<VolumeId> choose(Ring ring, CodeSpec code, long seed) {
            return new RingPlacement(ROOM, ring, code, colourOf)
                    .choose(nodes, Set.of(), Randomness.over(new SplittableRandom(seed)))
                    .volumes();
        }

        List<Integer> colours(List<VolumeId> volumes) {
            return volumes.stream().map(colourOf::get).toList();
        }

        List<DatanodeId> datanodes(List<VolumeId> volumes) {
            return volumes.stream().map(volume -> owner.get(volume).datanode()).toList();
        }

        int unevenness(List<VolumeId> volumes) {
            return volumes.stream()
                    .collect(Collectors.groupingBy(volume -> owner.get(volume).rack(), Collectors.counting()))
                    .values()
                    .stream()
                    .mapToInt(count -> (int) (count * count))
                    .sum();
        }
    }

    private static CodeSpec code(String policy) {
        return Policy.parse(policy).code();
    }

    /** Volumes of the ring get the colours in turn; each datanode has another volume, of no ring. */
    private static Site random(SplittableRandom random, int colours, int fewest) {
        Site site = new Site();
        int nodes = fewest + random.nextInt(12);
        int racks = 1 + random.nextInt(4);
        int next = 0;
        for (int i = 0; i < nodes; i++) {
            int[] own = new int[1 + random.nextInt(3)];
            for (int v = 0; v < own.length; v++) {
                own[v] = next++ % colours;
            }
            int[] all = Arrays.copyOf(own, own.length + 1);
            all[own.length] = -1;
            site.node("r" + random.nextInt(racks), VolumeState.HEALTHY, all);
        }
        return site;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rs-3-3-64k",
                "rs-2-1-64k",
                "rs-6-3-64k",
                "replication-3",
                "lrc-4-2-2-64k",
                "clay-4-2-5-64k",
                "shec-4-3-2-64k"
            })
    void groupsTolerateTheWritersOnDistinctDatanodesAndOnVolumesOfTheRingAlone(String policy) {
        CodeSpec code = code(policy);
        for (long seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int colours = 2 + random.nextInt(10);
            int most = Ring.mostWriters(code, colours);
            if (most == 0) {
                continue;
            }
            Ring ring = new Ring(colours, 1 + random.nextInt(most));
            Site site = random(random, colours, code.chunks() + colours);
            List<VolumeId> chosen = site.choose(ring, code, seed);
            assertThat(site.colourOf.keySet()).as("seed %s", seed).containsAll(chosen);
            assertThat(site.datanodes(chosen)).as("seed %s", seed).doesNotHaveDuplicates();
            assertThat(chosen).as("seed %s: %s", seed, ring).hasSize(code.chunks());
            assertThat(ring.toleratedBy(code, site.colours(chosen)))
                    .as("seed %s: %s on %s", seed, ring, site.colours(chosen))
                    .isTrue();
        }
    }

    /** All choices of volumes with the colours of the paper: no matching of them is more even over the racks. */
    @Test
    void racksAreAsEvenAsTheColoursAllow() {
        CodeSpec code = code("rs-2-2-64k");
        Ring ring = new Ring(4, 2);
        for (long seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Site site = new Site();
            int nodes = 5 + random.nextInt(4);
            for (int i = 0; i < nodes; i++) {
                site.node("r" + random.nextInt(3), VolumeState.HEALTHY, random.nextInt(4), random.nextInt(4));
            }
            int best = Integer.MAX_VALUE;
            int longest = 0;
            List<VolumeId> all = List.copyOf(site.colourOf.keySet());
            for (int mask = 0; mask < 1 << all.size(); mask++) {
                if (Integer.bitCount(mask) <= 4) {
                    int chosen = mask;
                    List<VolumeId> some = all.stream()
                            .filter(volume -> (chosen >> all.indexOf(volume) & 1) == 1)
                            .toList();
                    boolean matched = new HashSet<>(site.colours(some)).size() == some.size()
                            && new HashSet<>(site.datanodes(some)).size() == some.size();
                    longest = matched ? Math.max(longest, some.size()) : longest;
                    best = matched && some.size() == 4 ? Math.min(best, site.unevenness(some)) : best;
                }
            }
            List<VolumeId> chosen = site.choose(ring, code, seed);
            if (longest == 4) {
                assertThat(chosen).as("seed %s", seed).hasSize(4);
                assertThat(site.unevenness(chosen)).as("seed %s", seed).isEqualTo(best);
            } else {
                assertThat(chosen).as("seed %s", seed).hasSizeLessThan(4);
            }
        }
    }

    /** Small cases, all of them: each code with all rings that it tolerates, on just as many datanodes. */
    @Test
    void aFullRingOfOneVolumeAColourTakesEachGroup() {
        for (String policy : List.of("rs-2-1-64k", "rs-2-2-64k", "rs-3-3-64k", "replication-3")) {
            CodeSpec code = code(policy);
            for (int colours = code.chunks(); colours <= 9; colours++) {
                for (int writers = 1; writers <= Ring.mostWriters(code, colours); writers++) {
                    Site site = new Site();
                    for (int colour = 0; colour < colours; colour++) {
                        site.node("r" + colour % 2, VolumeState.HEALTHY, colour);
                    }
                    Ring ring = new Ring(colours, writers);
                    List<VolumeId> chosen = site.choose(ring, code, colours);
                    assertThat(chosen).as("%s on %s", policy, ring).hasSize(code.chunks());
                    assertThat(ring.toleratedBy(code, site.colours(chosen))).isTrue();
                }
            }
        }
    }

    /** On datanodes with volumes of one colour, and where one of them has all colours and the others have one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "rs-2-1-64k",
                "rs-3-3-64k",
                "replication-3",
                "lrc-4-2-2-64k",
                "lrc-6-2-2-64k",
                "clay-4-2-5-64k",
                "shec-4-3-2-64k"
            })
    void aRingServesAPolicyWhereItsGroupsFindPlaces(String policy) {
        CodeSpec code = code(policy);
        for (int colours = 2; colours <= code.chunks(); colours++) {
            for (int writers = 1; writers < colours; writers++) {
                for (int nodes : List.of(code.chunks() - 1, code.chunks(), 2 * code.chunks())) {
                    for (boolean shared : List.of(false, true)) {
                        Site site = new Site();
                        for (int i = 0; i < nodes; i++) {
                            int[] all = IntStream.range(0, colours).toArray();
                            int[] own = {shared ? 0 : i % colours};
                            site.node("r", VolumeState.HEALTHY, shared && i == 0 ? all : own);
                        }
                        Map<VolumeId, DatanodeId> owners = new TreeMap<>();
                        site.owner.forEach((volume, node) -> owners.put(volume, node.datanode()));
                        Ring ring = new Ring(colours, writers);
                        boolean placed = site.choose(ring, code, nodes).size() == code.chunks();
                        assertThat(new RingFit("flash", ring, site.colourOf, owners).refusal(Policy.parse(policy)))
                                .as("%s on %s of %s datanodes", policy, ring, nodes)
                                .matches(refusal -> refusal.isEmpty() == placed, "as groups find places: " + placed);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"rs-3-3-64k, 6, 3", "rs-2-1-64k, 6, 2", "rs-3-3-64k, 4, 2"})
    void dataChunksSpreadEvenlyOverTheColours(String policy, int colours, int writers) {
        Site site = new Site();
        for (int i = 0; i < 2 * colours; i++) {
            site.node("r", VolumeState.HEALTHY, i % colours);
        }
        Map<Integer, Integer> first = new TreeMap<>();
        Map<VolumeId, Integer> chunks = new TreeMap<>();
        for (long seed = 0; seed < 3000; seed++) {
            List<VolumeId> chosen = site.choose(new Ring(colours, writers), code(policy), seed);
            first.merge(site.colours(chosen).get(0), 1, Integer::sum);
            chosen.forEach(volume -> chunks.merge(volume, 1, Integer::sum));
        }
        double expected = 3000.0 / colours;
        assertThat(first.values()).hasSize(colours).allMatch(count -> Math.abs(count - expected) < 0.2 * expected);
        double each = 3000.0 * code(policy).chunks() / (2 * colours);
        assertThat(chunks.values()).hasSize(2 * colours).allMatch(count -> Math.abs(count - each) < 0.2 * each);
    }

    @Test
    void aColourWithoutAUsableVolumeLeavesTheLastChunkAbsent() {
        Site site = new Site();
        for (int colour = 0; colour < 6; colour++) {
            site.node("r", colour == 2 ? VolumeState.FAILED : VolumeState.HEALTHY, colour);
        }
        for (long seed = 0; seed < 50; seed++) {
            List<VolumeId> chosen = site.choose(new Ring(6, 3), code("rs-3-3-64k"), seed);
            assertThat(site.colours(chosen)).containsExactly(3, 4, 5, 0, 1);
        }
    }

    @Test
    void aRingWithTooManyWritersForTheCodeHasNoPlace() {
        Site site = new Site();
        for (int colour = 0; colour < 6; colour++) {
            site.node("r", VolumeState.HEALTHY, colour);
        }
        assertThat(site.choose(new Ring(6, 4), code("rs-3-3-64k"), 1)).isEmpty();
    }

    /** A datanode with two colours must give the one that no other has. */
    @Test
    void anAugmentingPathFindsTheOnlyMatching() {
        Site site = new Site();
        site.node("r", VolumeState.HEALTHY, 0, 1);
        site.node("r", VolumeState.HEALTHY, 0, 2);
        site.node("r", VolumeState.HEALTHY, 0);
        for (long seed = 0; seed < 50; seed++) {
            List<VolumeId> chosen = site.choose(new Ring(3, 1), code("rs-2-1-64k"), seed);
            assertThat(site.colours(chosen)).containsExactlyInAnyOrder(0, 1, 2);
            assertThat(site.datanodes(chosen)).doesNotHaveDuplicates();
        }
    }
}
