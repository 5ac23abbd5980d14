package io.ecfs.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RepairPlanTest {
    private static final CodeSpec SPEC = CodeSpec.rs(4, 2);

    @Test
    void countsTheBytesOfSubChunkRanges() {
        RepairPlan plan = new RepairPlan(
                SPEC,
                ChunkSet.of(0),
                Map.of(
                        1,
                        List.of(new SubChunkRange(0, 2), new SubChunkRange(4, 6)),
                        5,
                        List.of(new SubChunkRange(0, 8))),
                8);
        assertThat(plan.sources()).containsExactly(1, 5);
        assertThat(plan.bytesRead(1, 800)).isEqualTo(400);
        assertThat(plan.bytesRead(5, 800)).isEqualTo(800);
        assertThat(plan.bytesRead(2, 800)).isZero();
        assertThat(plan.bytesRead(1L << 40)).isEqualTo(3L << 39);
        assertThat(plan.readsWhole(5)).isTrue();
        assertThat(plan.readsWhole(1)).isFalse();
        assertThatThrownBy(() -> plan.bytesRead(801)).hasMessageContaining("do not divide into 8 sub-chunks");
    }

    @Test
    void refusesRangesOutOfOrderAndReadsOfTheLost() {
        SubChunkRange low = new SubChunkRange(0, 2);
        SubChunkRange high = new SubChunkRange(3, 9);
        assertThatThrownBy(() -> new RepairPlan(SPEC, ChunkSet.of(0), Map.of(1, List.of(low, low)), 8))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RepairPlan(SPEC, ChunkSet.of(0), Map.of(1, List.of(low, high)), 8))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RepairPlan(SPEC, ChunkSet.of(0), Map.of(1, List.of()), 8))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RepairPlan(SPEC, ChunkSet.of(0), Map.of(0, List.of(low)), 8))
                .hasMessageContaining("cannot read what is lost");
        assertThatThrownBy(() -> new SubChunkRange(2, 2)).isInstanceOf(IllegalArgumentException.class);
    }
}
