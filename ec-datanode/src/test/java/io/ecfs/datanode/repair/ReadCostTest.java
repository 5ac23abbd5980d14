package io.ecfs.datanode.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.CodeSpec;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.layout.Policy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadCostTest {
    private static ErasureCode code(String policy) {
        return ErasureCodes.create(Policy.parse(policy).code(), Kernels.java());
    }

    private static ChunkSet others(ErasureCode code, int lost) {
        return ChunkSet.range(0, code.spec().chunks()).without(lost);
    }

    private static RepairPlan plan(ErasureCode code, int lost, ChunkSet available) {
        return (RepairPlan) code.plan(ChunkSet.of(lost), available);
    }

    private static boolean whole(ErasureCode code, int lost, int cellBytes) {
        ChunkSet from = ReadCost.cheapest(code, lost, others(code, lost), cellBytes);
        return plan(code, lost, from).readsWhole(from.next(0));
    }

    @Test
    void runsAreCountedWithTheirWindows() {
        ErasureCode clay = code("clay-6-3-8-108k");
        RepairPlan oneRun = plan(clay, 0, others(clay, 0));
        assertThat(ReadCost.of(oneRun, 27 * 4096)).isEqualTo(8 * (ReadCost.RUN_BYTES + 9 * 4096L));
        RepairPlan nineRuns = plan(clay, 8, others(clay, 8));
        assertThat(ReadCost.of(nineRuns, 27 * 4096)).isEqualTo(8 * 9 * (ReadCost.RUN_BYTES + 4096L));
        assertThat(ReadCost.of(nineRuns, 27 * 16))
                .as("sixteen bytes are read as a window")
                .isEqualTo(8 * 9 * 15096L);
    }

    @Test
    void largeCellsAreReadInRunsAndSmallOnesWhole() {
        ErasureCode clay = code("clay-9-3-11-1024k");
        int cell = Policy.parse("clay-9-3-11-1024k").cellBytes();
        for (int lost = 0; lost < 12; lost++) {
            assertThat(whole(clay, lost, cell))
                    .as("chunk %d of full cells", lost)
                    .isFalse();
            assertThat(whole(clay, lost, 81 * 16))
                    .as("chunk %d of small tails", lost)
                    .isTrue();
        }
        assertThat(whole(clay, 11, 81 * 4096)).as("27 runs of a window each").isTrue();
        assertThat(whole(clay, 0, 81 * 4096)).as("one run").isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rs-6-3", "crs-4-2", "liberation-4-2", "lrc-4-2-2", "shec-4-3-2"})
    void codesThatReadWholeChunksChooseForThemselves(String name) {
        ErasureCode code = ErasureCodes.create(CodeSpec.parse(name), Kernels.java());
        for (int lost = 0; lost < code.spec().chunks(); lost++) {
            ChunkSet available = others(code, lost);
            assertThat(ReadCost.cheapest(code, lost, available, code.subChunks() * 64))
                    .isEqualTo(available);
        }
    }
}
