package io.ecfs.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.code.ChunkSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GreedyPlannerTest {
    private final GreedyPlanner greedy = new GreedyPlanner();

    /** Blocks A and B of the paper's figure 2, any two of three chunks each; sites 0 and 1 have chunks of both. */
    private static final List<BlockNeed> TWO_BLOCKS = List.of(block(2, 0, 1, 2), block(2, 3, 0, 1));

    @Test
    void takesSitesThatServeSeveralBlocks() {
        JointPlan plan = greedy.plan(TWO_BLOCKS, SiteCosts.uniform(5, 1)).orElseThrow();

        assertThat(plan.chunks()).containsExactly(ChunkSet.of(0, 1), ChunkSet.of(1, 2));
        assertThat(plan.cost()).isEqualTo(2 * 5 + 4 * 1);
    }

    @Test
    void avoidsASiteUnderLoad() {
        SiteCosts loaded = costs(site -> site == 0 ? 50 : 5);

        assertThat(greedy.plan(TWO_BLOCKS, loaded).orElseThrow().chunks())
                .containsExactly(ChunkSet.of(1, 2), ChunkSet.of(0, 2));
    }

    @Test
    void readsTheFewChunksThatHaveTheBytesUnlessTheirSiteIsSlow() {
        BlockNeed partial = new BlockNeed(2, ChunkSet.of(0), block(2, 0, 1, 2).candidates());

        assertThat(greedy.plan(List.of(partial), SiteCosts.uniform(5, 1))
                        .orElseThrow()
                        .chunks())
                .containsExactly(ChunkSet.of(0));
        assertThat(greedy.plan(List.of(partial), costs(site -> site == 0 ? 50 : 5))
                        .orElseThrow()
                        .chunks())
                .containsExactly(ChunkSet.of(1, 2));
    }

    @Test
    void isWithinFifteenPercentOfTheBestOnAverage() {
        double greedySum = 0;
        double bestSum = 0;
        double ratios = 0;
        for (int seed = 0; seed < 1000; seed++) {
            RandomNeeds needs = RandomNeeds.of(new Random(seed), true);
            JointPlan plan = greedy.plan(needs.blocks(), needs.costs()).orElseThrow();
            JointPlan best =
                    new ExhaustivePlanner().plan(needs.blocks(), needs.costs()).orElseThrow();
            assertThat(plan.cost())
                    .as("seed %d", seed)
                    .isEqualTo(AccessCost.of(needs.blocks(), plan.chunks(), needs.costs()), within(1e-9))
                    .isGreaterThanOrEqualTo(best.cost() - 1e-9);
            greedySum += plan.cost();
            bestSum += best.cost();
            ratios += plan.cost() / best.cost();
        }
        assertThat(greedySum / bestSum).isLessThan(1.15);
        assertThat(ratios / 1000).isLessThan(1.15);
    }

    @Test
    void findsAPlanWheneverThereIsOne() {
        int without = 0;
        for (int seed = 0; seed < 1000; seed++) {
            RandomNeeds needs = RandomNeeds.of(new Random(seed), false);
            Optional<JointPlan> plan = greedy.plan(needs.blocks(), needs.costs());
            Optional<JointPlan> best = new ExhaustivePlanner().plan(needs.blocks(), needs.costs());
            assertThat(plan.isPresent()).as("seed %d", seed).isEqualTo(best.isPresent());
            without += best.isEmpty() ? 1 : 0;
        }
        assertThat(without).isBetween(100, 900);
    }

    @Test
    void theCostCountsASiteOnce() {
        assertThat(AccessCost.of(TWO_BLOCKS, List.of(ChunkSet.of(0, 1), ChunkSet.of(0, 1)), SiteCosts.uniform(5, 1)))
                .isEqualTo(3 * 5 + 4);
        assertThat(new GreedyPlanner().plan(List.of(block(3, 0, 1)), SiteCosts.uniform(5, 1)))
                .isEmpty();
    }

    @Test
    void aChoiceThatDoesNotSufficeHasNoCost() {
        assertThatThrownBy(() ->
                        AccessCost.of(TWO_BLOCKS, List.of(ChunkSet.of(0), ChunkSet.of(0, 1)), SiteCosts.uniform(5, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("{0}");
    }

    private static BlockNeed block(int least, int... sites) {
        return BlockNeed.anyOf(
                least,
                IntStream.range(0, sites.length)
                        .mapToObj(i -> new Candidate(i, sites[i], 1))
                        .toList());
    }

    private static SiteCosts costs(java.util.function.IntToDoubleFunction access) {
        return new SiteCosts() {
            @Override
            public double access(int site) {
                return access.applyAsDouble(site);
            }

            @Override
            public double perByte(int site) {
                return 1;
            }
        };
    }
}
