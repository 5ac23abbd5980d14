package io.ecfs.code.construction;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.Cells;
import io.ecfs.code.ChunkSet;
import io.ecfs.code.CodeFamily;
import io.ecfs.code.CodeSpec;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.code.kernel.Schedule;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many XORs a liberation code costs. */
class LiberationScheduleTest {
    @ParameterizedTest
    @CsvSource({"2, 7", "4, 7", "6, 7", "7, 7", "8, 11", "3, 3", "5, 5", "61, 61"})
    void encodingCostsAnXorForEachOneOfTheMatrix(int k, int w) {
        CodeSpec spec = new CodeSpec(CodeFamily.LIBERATION, List.of(k, 2, w));
        assertThat(xors(ErasureCodes.construction(spec).encode())).isLessThanOrEqualTo(2 * w * (k - 1) + (k - 1));
    }

    /**
     * Two lost data chunks cost little more than encoding: 2 w (k-1) XORs at the least, and the first packet is dear.
     */
    @ParameterizedTest
    @CsvSource({"4, 7", "6, 7", "7, 7", "8, 11"})
    void liberationDecodesTwoDataChunksByAZigzag(int k, int w) {
        CodeSpec spec = new CodeSpec(CodeFamily.LIBERATION, List.of(k, 2, w));
        Construction construction = ErasureCodes.construction(spec);
        ErasureCode code = ErasureCodes.create(spec, Kernels.java());
        for (ChunkSet lost : Cells.subsets(k, 2)) {
            ChunkSet available = ChunkSet.range(0, k + 2).minus(lost);
            if (lost.size() == 2 && code.plan(lost, available) instanceof RepairPlan plan) {
                assertThat(xors(construction.repair(plan))).isLessThan(2 * w * (k - 1) * 3 / 2);
            }
        }
    }

    private static int xors(Schedule schedule) {
        assertThat(schedule.steps()).allMatch(Schedule.Step::isXor);
        return schedule.steps().stream()
                .mapToInt(step -> step.out().length * (step.in().length - 1))
                .sum();
    }
}
