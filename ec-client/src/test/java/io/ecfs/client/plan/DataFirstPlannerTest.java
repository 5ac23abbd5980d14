package io.ecfs.client.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.CodeSpec;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.kernel.Kernels;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DataFirstPlannerTest {
    private final AccessPlanner planner = new DataFirstPlanner();

    /** All chunks live but those that failed and those at hand. */
    private Optional<AccessPlan> plan(String name, ChunkSet wanted, ChunkSet failed, ChunkSet atHand) {
        ErasureCode code = ErasureCodes.create(CodeSpec.parse(name), Kernels.java());
        TreeMap<Integer, Standing> sources = new TreeMap<>();
        for (int index = 0; index < code.chunks(); index++) {
            sources.put(
                    index,
                    failed.contains(index)
                            ? Standing.FAILED
                            : atHand.contains(index) ? Standing.AT_HAND : Standing.LIVE);
        }
        return planner.plan(new AccessQuestion(code, wanted, sources));
    }

    private ChunkSet sources(String name, ChunkSet wanted, ChunkSet failed, ChunkSet atHand) {
        return plan(name, wanted, failed, atHand)
                .flatMap(AccessPlan::repair)
                .map(RepairPlan::sources)
                .orElseThrow();
    }

    @Test
    void readsTheLocalGroupOfALostChunkAlone() {
        assertThat(sources("lrc-12-2-2", ChunkSet.of(8), ChunkSet.of(8), ChunkSet.empty()))
                .isEqualTo(ChunkSet.of(6, 7, 9, 10, 11, 13));
    }

    @Test
    void readsBeyondTheGroupWhenTheGroupCannotDoIt() {
        assertThat(sources("lrc-12-2-2", ChunkSet.of(8), ChunkSet.of(8, 9), ChunkSet.empty())
                        .size())
                .isEqualTo(12);
    }

    @Test
    void takesWhatIsAtHandOrReadAnywayBeforeItFetchesMore() {
        // The whole other group and both global parities are here: six more chunks than the local group would need.
        ChunkSet here = ChunkSet.of(0, 1, 2, 3, 4, 5, 12, 14, 15, 6, 7, 9, 10);
        ChunkSet sources = sources("lrc-12-2-2", ChunkSet.of(8), ChunkSet.of(8), here);
        assertThat(here.containsAll(sources)).isTrue();
        assertThat(sources("rs-6-3", ChunkSet.of(0, 4, 5), ChunkSet.of(0), ChunkSet.of(7, 8)))
                .isEqualTo(ChunkSet.of(1, 2, 4, 5, 7, 8));
    }

    /** A read fetches whole cells, of which six suffice. */
    @Test
    void decodesClayFromKWholeChunks() {
        assertThat(sources("clay-6-3-8", ChunkSet.of(0), ChunkSet.of(0), ChunkSet.empty()))
                .isEqualTo(ChunkSet.range(1, 7));
    }

    @Test
    void hasNoPlanWhenWhatLivesDoesNotDetermineTheWanted() {
        assertThat(plan("lrc-6-2-2", ChunkSet.of(0), ChunkSet.of(0, 1, 2, 6), ChunkSet.empty()))
                .isEmpty();
        assertThat(plan("lrc-6-2-2", ChunkSet.of(0), ChunkSet.of(0, 1, 3, 4), ChunkSet.empty()))
                .isPresent();
    }
}
