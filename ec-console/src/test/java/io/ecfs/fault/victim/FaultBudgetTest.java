package io.ecfs.fault.victim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.construction.Codes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.config.ConfigReader;
import io.ecfs.error.EcfsException;
import io.ecfs.fault.profile.FaultProfile;
import io.ecfs.fault.profile.FaultProfile.Budget;
import io.ecfs.fault.profile.LabLoad.During;
import io.ecfs.fault.profile.Level;
import io.ecfs.fault.profile.VictimRule;
import io.ecfs.fault.profile.VictimSource;
import io.ecfs.layout.Policy;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FaultBudgetTest {
    private static final Codes CODES = new Codes(Kernels.best());
    private static final int USUAL_PLACEMENTS = 1_000;
    private static final int PLACEMENTS = 10_000;

    private static final List<Policy> POLICIES = List.of(
            Policy.parse("rs-3-2-64k"),
            Policy.parse("lrc-4-2-1-64k"),
            Policy.parse("shec-4-3-2-64k"),
            Policy.parse("replication-3-64k"));

    /** The judge counts chunks by itself. */
    private static boolean withinBudget(Placement placement, Set<StoredVolume> away, During during) {
        for (PlacedGroup group : placement.groups()) {
            Set<Integer> left = new HashSet<>();
            group.chunks().forEach((index, volume) -> {
                if (!away.contains(volume)) {
                    left.add(index);
                }
            });
            boolean whole = left.size() == group.chunks().size();
            boolean enough = during.writes()
                    ? group.policy().code().redundant(ChunkSet.of(left))
                    : group.policy().code().decodable(ChunkSet.of(left));
            if (!whole && !enough) {
                return false;
            }
        }
        return true;
    }

    @Test
    void noChoiceGoesBeyondTheBudget() throws EcfsException {
        choose(0, USUAL_PLACEMENTS);
    }

    @Tag("soak")
    @Test
    void noChoiceEverGoesBeyondTheBudget() throws EcfsException {
        choose(USUAL_PLACEMENTS, PLACEMENTS);
    }

    private static void choose(int from, int to) throws EcfsException {
        int chosen = 0;
        for (int seed = from; seed < to; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Policy policy = POLICIES.get(random.nextInt(POLICIES.size()));
            Placement placement = Placements.random(
                    policy,
                    1 + random.nextInt(6),
                    policy.chunks() + random.nextInt(4),
                    1 + random.nextInt(2),
                    3,
                    random);
            During during = random.nextBoolean() ? During.NONE : During.MIXED;
            VictimChoice choice = new VictimChoice(placement, new FaultBudget(Budget.STRICT, during), CODES);
            Set<StoredVolume> away = new HashSet<>();
            for (int fault = 0; fault < 3; fault++) {
                Level level = List.of(Level.VOLUME, Level.DATANODE, Level.RACK).get(random.nextInt(3));
                VictimRule rule = new VictimRule(
                        level,
                        1 + random.nextInt(2),
                        VictimSource.RANDOM,
                        VictimRule.Place.ANY,
                        VictimRule.Chunks.ANY,
                        VictimRule.Plan.ANY);
                try {
                    away.addAll(choice.choose(rule, away, random).volumes());
                    chosen++;
                } catch (EcfsException noneIsLegal) {
                    assertThat(noneIsLegal).hasMessageContaining("no victims");
                }
                assertThat(withinBudget(placement, away, during))
                        .as("seed %s", seed)
                        .isTrue();
            }
        }
        assertThat(chosen).isGreaterThan((to - from) / 2);
    }

    @Test
    void aRefusalNamesTheGroupAndWhatItWouldKeep() {
        Placement placement = Placements.random(Policy.parse("rs-3-2-64k"), 1, 5, 1, 1, new SplittableRandom(1));
        FaultBudget budget = new FaultBudget(Budget.STRICT, During.NONE);
        assertThat(budget.refusal(placement, placement.volumes().subList(0, 2))).isEmpty();
        assertThat(budget.refusal(placement, placement.volumes().subList(0, 3)).orElseThrow())
                .contains("group g1 of /f0 would keep 2 of 5 chunks")
                .contains("is not decodable");
        assertThat(new FaultBudget(Budget.STRICT, During.WRITE)
                        .refusal(placement, placement.volumes().subList(0, 2))
                        .orElseThrow())
                .contains("is not redundant");
        assertThat(new FaultBudget(Budget.BEYOND, During.NONE).refusal(placement, placement.volumes()))
                .isEmpty();
        VictimChoice choice = new VictimChoice(placement, budget, CODES);
        VictimRule three = new VictimRule(
                Level.DATANODE,
                3,
                VictimSource.FULLEST,
                VictimRule.Place.ANY,
                VictimRule.Chunks.ANY,
                VictimRule.Plan.ANY);
        assertThatThrownBy(() -> choice.choose(three, Set.of(), new SplittableRandom(1)))
                .hasMessageContaining("no victims within the budget")
                .hasMessageContaining("'budget: beyond'");
    }

    @Test
    void aFaultThatTakesNoChunkAwayNeedsNoBudget() throws EcfsException {
        Placement placement = Placements.random(Policy.parse("rs-3-2-64k"), 1, 5, 1, 1, new SplittableRandom(1));
        VictimChoice choice = new VictimChoice(placement, new FaultBudget(Budget.STRICT, During.NONE), CODES);
        Set<StoredVolume> away = Set.copyOf(placement.volumes().subList(0, 2));
        FaultProfile profile =
                ConfigReader.read(FaultProfile.class, "p", "faults: [{fault: slow-link}, {fault: kill}]", List.of());
        assertThat(choice.choose(profile.faults().get(0), away, away, new SplittableRandom(1))
                        .names())
                .hasSize(1);
        assertThatThrownBy(() -> choice.choose(profile.faults().get(1), away, away, new SplittableRandom(1)))
                .hasMessageContaining("no victims within the budget");
    }
}
