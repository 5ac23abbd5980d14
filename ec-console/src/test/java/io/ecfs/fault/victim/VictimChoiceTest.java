package io.ecfs.fault.victim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.RepairPlan;
import io.ecfs.code.construction.Codes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.error.EcfsException;
import io.ecfs.fault.profile.FaultProfile.Budget;
import io.ecfs.fault.profile.LabLoad.During;
import io.ecfs.fault.profile.Level;
import io.ecfs.fault.profile.VictimRule;
import io.ecfs.fault.profile.VictimRule.Chunks;
import io.ecfs.fault.profile.VictimRule.Place;
import io.ecfs.fault.profile.VictimRule.Plan;
import io.ecfs.fault.profile.VictimSource;
import io.ecfs.layout.Policy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VictimChoiceTest {
    private static final Codes CODES = new Codes(Kernels.best());
    private static final FaultBudget STRICT = new FaultBudget(Budget.STRICT, During.NONE);
    private static final FaultBudget BEYOND = new FaultBudget(Budget.BEYOND, During.NONE);

    private static VictimRule rule(Level level, int count, VictimSource of, Place place, Chunks chunks, Plan plan) {
        return new VictimRule(level, count, of, place, chunks, plan);
    }

    private static Victims choose(Placement placement, FaultBudget budget, VictimRule rule) throws EcfsException {
        return new VictimChoice(placement, budget, CODES).choose(rule, Set.of(), new SplittableRandom(1));
    }

    /** Bytes that the repair of these datanodes reads, by the codes' plans, written anew. */
    private static double bytes(Placement placement, List<String> datanodes) {
        double bytes = 0;
        for (PlacedGroup group : placement.groups()) {
            Set<Integer> lost = new TreeSet<>();
            group.chunks().forEach((index, volume) -> {
                if (datanodes.contains(volume.datanode())) {
                    lost.add(index);
                }
            });
            ChunkSet left = ChunkSet.range(0, group.policy().chunks()).minus(ChunkSet.of(lost));
            for (int index : lost) {
                RepairPlan plan = (RepairPlan) CODES.of(group.policy().code()).plan(ChunkSet.of(index), left);
                int alpha = group.policy().code().subChunks();
                bytes += plan.bytesRead(alpha) / (double) alpha * group.chunkBytes();
            }
        }
        return bytes;
    }

    private static boolean decodable(Placement placement, List<String> datanodes) {
        return placement.groups().stream().allMatch(group -> {
            Set<Integer> left = new TreeSet<>();
            group.chunks().forEach((index, volume) -> {
                if (!datanodes.contains(volume.datanode())) {
                    left.add(index);
                }
            });
            return group.policy().code().decodable(ChunkSet.of(left));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"clay-4-2-5-64k", "lrc-4-2-1-64k", "shec-4-3-2-64k", "rs-3-2-64k"})
    void cheapestAndDearestAreThoseOfAllPairs(String name) throws EcfsException {
        Policy policy = Policy.parse(name);
        for (int seed = 0; seed < 5; seed++) {
            Placement placement = Placements.random(policy, 4, policy.chunks() + 1, 1, 2, new SplittableRandom(seed));
            List<Double> all = new ArrayList<>();
            int datanodes = policy.chunks() + 1;
            for (int one = 0; one < datanodes; one++) {
                for (int other = one + 1; other < datanodes; other++) {
                    List<String> pair = List.of("dn" + one, "dn" + other);
                    if (decodable(placement, pair)) {
                        all.add(bytes(placement, pair));
                    }
                }
            }
            for (Plan plan : List.of(Plan.CHEAPEST, Plan.DEAREST)) {
                Victims victims = choose(
                        placement, STRICT, rule(Level.DATANODE, 2, VictimSource.FULLEST, Place.ANY, Chunks.ANY, plan));
                double best = all.stream()
                        .mapToDouble(Double::doubleValue)
                        .reduce(plan == Plan.CHEAPEST ? Math::min : Math::max)
                        .orElseThrow();
                assertThat(bytes(placement, victims.names()))
                        .as(name + " " + plan)
                        .isEqualTo(best);
            }
        }
    }

    @Test
    void rulesAreKept() throws EcfsException {
        Policy lrc = Policy.parse("lrc-4-2-1-64k");
        Placement placement = Placements.random(lrc, 8, 12, 2, 4, new SplittableRandom(3));
        VictimSource third = new VictimSource(VictimSource.Kind.GROUP, "2");
        for (Chunks kind : List.of(Chunks.DATA, Chunks.LOCAL_PARITY, Chunks.GLOBAL_PARITY)) {
            Victims victims = choose(placement, BEYOND, rule(Level.VOLUME, 1, third, Place.ANY, kind, Plan.ANY));
            ChunkSet hurt = placement.groups().get(2).on(victims.volumes());
            int index = hurt.iterator().next();
            assertThat(hurt.size()).isOne();
            assertThat(kind)
                    .isEqualTo(index < 4 ? Chunks.DATA : index < 6 ? Chunks.LOCAL_PARITY : Chunks.GLOBAL_PARITY);
        }
        Victims same = choose(
                placement, BEYOND, rule(Level.DATANODE, 2, VictimSource.RANDOM, Place.SAME_RACK, Chunks.ANY, Plan.ANY));
        assertThat(same.volumes())
                .extracting(StoredVolume::rack)
                .containsOnly(same.volumes().get(0).rack());
        Victims apart =
                choose(placement, BEYOND, rule(Level.DATANODE, 3, third, Place.DIFFERENT_RACKS, Chunks.ANY, Plan.ANY));
        assertThat(new HashSet<>(
                        apart.volumes().stream().map(StoredVolume::rack).toList()))
                .hasSize(3);
        Victims rack =
                choose(placement, BEYOND, rule(Level.RACK, 1, VictimSource.RANDOM, Place.ANY, Chunks.ANY, Plan.ANY));
        assertThat(rack.volumes()).hasSize(6);
        Victims named = choose(
                placement,
                BEYOND,
                rule(Level.VOLUME, 1, VictimSource.parse("dn11/1"), Place.ANY, Chunks.ANY, Plan.ANY));
        assertThat(named.names()).containsExactly("dn11/1");
        assertThat(choose(placement, BEYOND, VictimRule.defaults()).names().get(0))
                .isEqualTo(fullest(placement));
    }

    private static String fullest(Placement placement) {
        String fullest = "";
        long most = -1;
        for (int datanode = 0; datanode < 12; datanode++) {
            String name = "dn" + datanode;
            long bytes = placement.bytesOn(placement.volumes().stream()
                    .filter(volume -> volume.datanode().equals(name))
                    .toList());
            if (bytes > most) {
                most = bytes;
                fullest = name;
            }
        }
        return fullest;
    }

    @Test
    void whatMatchesNoRuleSaysWhatWould() {
        Placement placement = Placements.random(Policy.parse("rs-3-2-64k"), 2, 6, 1, 2, new SplittableRandom(3));
        assertRefused(placement, VictimSource.parse("group:9"), Place.ANY, "nearest valid is 'of: group:1'");
        assertRefused(placement, VictimSource.parse("file:/none"), Place.ANY, "nearest valid is 'of: file:/f0'");
        assertRefused(placement, VictimSource.parse("dn77"), Place.ANY, "no victim 'dn77'");
        assertThatThrownBy(() -> choose(
                        placement,
                        BEYOND,
                        rule(Level.DATANODE, 3, VictimSource.RANDOM, Place.DIFFERENT_RACKS, Chunks.ANY, Plan.ANY)))
                .hasMessageContaining("'place: different-racks'");
    }

    private static void assertRefused(Placement placement, VictimSource of, Place place, String message) {
        assertThatThrownBy(() -> choose(placement, BEYOND, rule(Level.DATANODE, 1, of, place, Chunks.ANY, Plan.ANY)))
                .isInstanceOf(EcfsException.class)
                .hasMessageContaining(message);
    }
}
