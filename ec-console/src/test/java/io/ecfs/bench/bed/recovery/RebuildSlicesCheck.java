package io.ecfs.bench.bed.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.layout.GroupLayout;
import java.util.List;

/** Slices against the layout of a group. */
final class RebuildSlicesCheck {
    private RebuildSlicesCheck() {}

    static void check(GroupLayout layout) {
        ErasureCode code = ErasureCodes.create(layout.policy().code(), Kernels.java());
        ChunkSet all = ChunkSet.range(0, code.chunks());
        for (int lost : all) {
            RepairPlan plan = (RepairPlan) code.plan(ChunkSet.of(lost), all.without(lost));
            List<RebuildSlices.Slice> slices = RebuildSlices.of(layout, plan, lost, 1 << 20);
            String what = layout.policy() + " of " + layout.length() + ", chunk " + lost;
            assertThat(slices.stream()
                            .mapToLong(RebuildSlices.Slice::repairedBytes)
                            .sum())
                    .as(what)
                    .isEqualTo(layout.chunkBytes(lost));
            for (int source : plan.sources()) {
                long read = slices.stream()
                        .flatMap(slice -> slice.reads().stream())
                        .filter(reads -> reads.index() == source)
                        .mapToLong(SourceReads::bytes)
                        .sum();
                long stored = Math.min(layout.chunkBytes(source), layout.codedChunkBytes());
                if (plan.readsWhole(source)) {
                    // Where the lost chunk has no more bytes, nothing more is read.
                    assertThat(read)
                            .as(what + " of " + source)
                            .isBetween(Math.min(stored, layout.chunkBytes(lost)), stored);
                } else {
                    assertThat(read).as(what + " of " + source).isLessThanOrEqualTo(stored);
                }
            }
            slices.forEach(slice -> slice.reads().forEach(reads -> {
                assertThat(reads.bytes()).isPositive().isLessThanOrEqualTo(reads.spanBytes());
                assertThat(reads.runs()).isPositive();
            }));
        }
    }
}
