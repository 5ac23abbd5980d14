package io.ecfs.client.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.ChunkSet;
import io.ecfs.env.ManualTime;
import io.ecfs.plan.BlockNeed;
import io.ecfs.plan.Candidate;
import io.ecfs.plan.SiteCosts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RandomPlannerTest {
    private static final double SUSPECTED = 1_000_000_000;
    private static final int DRAWS = 6000;

    private final RandomPlanner planner = new RandomPlanner(new ManualTime(1).randomness());

    private static BlockNeed need(int least, double... extras) {
        return BlockNeed.anyOf(
                least,
                IntStream.range(0, extras.length)
                        .mapToObj(i -> new Candidate(i, i, 50_000, extras[i]))
                        .toList());
    }

    private ChunkSet draw(BlockNeed need) {
        return planner.plan(List.of(need), SiteCosts.uniform(1, 1))
                .orElseThrow()
                .chunks()
                .get(0);
    }

    @Test
    void everyPairIsAsLikelyAsTheOthersWhateverDecodingCosts() {
        Map<ChunkSet, Integer> drawn = new HashMap<>();
        for (int i = 0; i < DRAWS; i++) {
            drawn.merge(draw(need(2, 0, 0, 55_000, 55_000)), 1, Integer::sum);
        }
        assertThat(drawn).hasSize(6);
        assertThat(drawn.values()).allSatisfy(count -> assertThat(count).isBetween(850, 1150));
    }

    @Test
    void whatIsInDoubtIsTakenOnlyWhereTheOthersDoNotSuffice() {
        for (int i = 0; i < 100; i++) {
            assertThat(draw(need(2, SUSPECTED, 0, 0, SUSPECTED))).isEqualTo(ChunkSet.of(1, 2));
            assertThat(draw(need(3, SUSPECTED, 0, 0, SUSPECTED)).containsAll(ChunkSet.of(1, 2)))
                    .isTrue();
        }
    }

    @Test
    void aBlockWithTooFewChunksHasNoPlan() {
        assertThat(planner.plan(List.of(need(3, 0, 0)), SiteCosts.uniform(1, 1)))
                .isEmpty();
    }
}
