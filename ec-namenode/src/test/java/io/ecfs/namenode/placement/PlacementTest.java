package io.ecfs.namenode.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.env.Randomness;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlacementTest {
    private static final long GIB = 1L << 30;
    private final Placement placement = new Placement(GIB);

    private static PlacementCandidate node(
            int number, String rack, DatanodeState state, PlacementCandidate.Volume... volumes) {
        return new PlacementCandidate(
                new DatanodeId("dn" + number), rack, state, AdminState.State.IN_SERVICE, List.of(volumes));
    }

    private static PlacementCandidate.Volume volume(int id, long freeBytes, int queued) {
        return new PlacementCandidate.Volume(new VolumeId(id), VolumeState.HEALTHY, freeBytes, queued);
    }

    @Test
    void everyPrefixHasDistinctDatanodesAndEvenRacks() {
        for (long seed = 0; seed < 500; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<PlacementCandidate> nodes = randomNodes(random);
            Map<VolumeId, PlacementCandidate> owner = new HashMap<>();
            nodes.forEach(n -> n.volumes().forEach(v -> owner.put(v.volume(), n)));
            Placement.Choice choice =
                    placement.choose(nodes, Set.of(new DatanodeId("dn1")), 32, Randomness.over(random));

            List<PlacementCandidate> chosen =
                    choice.volumes().stream().map(owner::get).toList();
            assertThat(chosen.stream().map(PlacementCandidate::datanode))
                    .as("seed %s", seed)
                    .doesNotHaveDuplicates();
            assertThat(chosen).as("seed %s", seed).allMatch(c -> c.state() == DatanodeState.HEALTHY);
            assertThat(chosen.stream().map(c -> c.datanode().name()))
                    .as("seed %s", seed)
                    .doesNotContain("dn1");
            assertThat(chosen.size()
                            + choice.unusable().values().stream()
                                    .mapToInt(List::size)
                                    .sum())
                    .as("seed %s: every datanode is chosen or told why not", seed)
                    .isEqualTo(nodes.size());
            Map<String, Long> room = perRack(chosen);
            for (int n = 1; n <= chosen.size(); n++) {
                Map<String, Long> used = perRack(chosen.subList(0, n));
                long most = used.values().stream().mapToLong(x -> x).max().orElseThrow();
                assertThat(room.keySet())
                        .as("seed %s: a rack gives two fewer only when it is used up", seed)
                        .allMatch(r -> used.getOrDefault(r, 0L) >= Math.min(most - 1, room.get(r)));
            }
        }
    }

    private static Map<String, Long> perRack(List<PlacementCandidate> nodes) {
        return nodes.stream().collect(Collectors.groupingBy(PlacementCandidate::rack, Collectors.counting()));
    }

    private static List<PlacementCandidate> randomNodes(SplittableRandom random) {
        List<PlacementCandidate> nodes = new ArrayList<>();
        int count = random.nextInt(1, 25);
        int racks = random.nextInt(1, 6);
        for (int i = 1; i <= count; i++) {
            PlacementCandidate.Volume[] volumes = new PlacementCandidate.Volume[random.nextInt(0, 4)];
            for (int v = 0; v < volumes.length; v++) {
                volumes[v] = new PlacementCandidate.Volume(
                        new VolumeId(i * 10 + v),
                        List.of(VolumeState.HEALTHY, VolumeState.FULL, VolumeState.FAILED)
                                .get(random.nextInt(3)),
                        random.nextLong(0, 20 * GIB),
                        random.nextInt(0, 20));
            }
            DatanodeState state = List.of(DatanodeState.HEALTHY, DatanodeState.SUSPECTED, DatanodeState.DEAD)
                    .get(random.nextInt(5) == 0 ? random.nextInt(3) : 0);
            nodes.add(node(i, "r" + random.nextInt(racks), state, volumes));
        }
        return nodes;
    }

    @Test
    void oneSeedGivesOneChoice() {
        List<PlacementCandidate> nodes = randomNodes(new SplittableRandom(7));
        assertThat(placement.choose(nodes, Set.of(), 9, Randomness.over(new SplittableRandom(3))))
                .isEqualTo(placement.choose(nodes, Set.of(), 9, Randomness.over(new SplittableRandom(3))));
    }

    @Test
    void freeSpaceAttractsAndLoadRepels() {
        List<PlacementCandidate> nodes = List.of(
                node(1, "r", DatanodeState.HEALTHY, volume(1, 90 * GIB, 0)),
                node(2, "r", DatanodeState.HEALTHY, volume(2, 10 * GIB, 0)),
                node(3, "r", DatanodeState.HEALTHY, volume(3, 90 * GIB, 8)));
        int[] first = new int[4];
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 10_000; i++) {
            first[
                    placement
                            .choose(nodes, Set.of(), 1, Randomness.over(random))
                            .volumes()
                            .get(0)
                            .value()]++;
        }
        // Weights 90 : 10 : 10, so 8181 : 909 : 909.
        assertThat(first[1]).isBetween(7900, 8450);
        assertThat(first[2]).isBetween(750, 1080);
        assertThat(first[3]).isBetween(750, 1080);
    }

    @Test
    void whatMakesRoomGoesToFullVolumesToo() {
        List<PlacementCandidate> nodes = List.of(
                node(
                        1,
                        "r",
                        DatanodeState.HEALTHY,
                        new PlacementCandidate.Volume(new VolumeId(1), VolumeState.FULL, 5 * GIB, 0)),
                node(
                        2,
                        "r",
                        DatanodeState.HEALTHY,
                        new PlacementCandidate.Volume(new VolumeId(2), VolumeState.FULL, GIB / 2, 0)));
        Randomness random = Randomness.over(new SplittableRandom(1));
        assertThat(placement.choose(nodes, Set.of(), 2, random).volumes()).isEmpty();
        assertThat(Placement.inReserve(GIB).choose(nodes, Set.of(), 2, random).volumes())
                .containsExactly(new VolumeId(1));
    }

    @Test
    void explainsWhyDatanodesAreNotUsable() {
        List<PlacementCandidate> nodes = List.of(
                node(1, "r", DatanodeState.HEALTHY, volume(1, 9 * GIB, 0)),
                node(2, "r", DatanodeState.DEAD, volume(2, 9 * GIB, 0)),
                node(3, "r", DatanodeState.HEALTHY, volume(3, 10, 0)),
                node(4, "r", DatanodeState.SUSPECTED, volume(4, 9 * GIB, 0)),
                node(5, "r", DatanodeState.HEALTHY, volume(5, 9 * GIB, 0)),
                node(6, "r", DatanodeState.HEALTHY));
        String text = placement
                .choose(nodes, Set.of(new DatanodeId("dn5")), 9, Randomness.over(new SplittableRandom(1)))
                .explain();
        assertThat(text)
                .isEqualTo(
                        "1 datanodes can take a chunk; not usable: 1 dead (dn2), 1 without a recent heartbeat (dn4), "
                                + "1 could not be reached by the writer (dn5), 1 without enough free space (dn3), "
                                + "1 without a healthy volume for it (dn6)");
    }

    @Test
    void spreadsOneChunkEachOverNineRacks() {
        List<PlacementCandidate> nodes = IntStream.rangeClosed(1, 27)
                .mapToObj(i -> node(i, "r" + i % 9, DatanodeState.HEALTHY, volume(i, 9 * GIB, 0)))
                .toList();
        Set<Integer> racks = new TreeSet<>();
        placement
                .choose(nodes, Set.of(), 9, Randomness.over(new SplittableRandom(5)))
                .volumes()
                .forEach(v -> racks.add(v.value() % 9));
        assertThat(racks).hasSize(9);
    }

    @Test
    void datanodesThatAreNotInServiceGetNothingAndTheReasonIsTold() {
        List<PlacementCandidate> nodes = new ArrayList<>();
        List<AdminState.State> duties = List.of(AdminState.State.values());
        for (int i = 0; i < duties.size(); i++) {
            List<PlacementCandidate.Volume> volumes = List.of(volume(i + 1, 10 * GIB, 0));
            nodes.add(new PlacementCandidate(
                    new DatanodeId("dn" + i), "/r", DatanodeState.HEALTHY, duties.get(i), volumes));
        }
        Placement.Choice choice = placement.choose(nodes, Set.of(), 10, Randomness.over(new SplittableRandom(1)));
        assertThat(choice.volumes()).containsExactly(new VolumeId(1));
        assertThat(choice.explain())
                .isEqualTo(
                        "1 datanodes can take a chunk; not usable: 2 decommissioned (dn1, dn2), 1 in maintenance (dn3)");
    }
}
