package io.ecfs.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.code.field.Matrix;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans read exactly what theory says, and no plan that reads less exists. */
class RepairCostTest {
    private static RepairPlan one(ErasureCode code, int lost) {
        return (RepairPlan)
                code.plan(ChunkSet.of(lost), ChunkSet.range(0, code.chunks()).without(lost));
    }

    @ParameterizedTest
    @CsvSource({
        "clay-4-2-5, 2, 0, 3, 8, 4", "clay-6-3-8, 3, 0, 3, 27, 9", "clay-8-4-11, 4, 0, 3, 64, 16",
        "clay-10-4-13, 4, 2, 4, 256, 64", "clay-9-3-11, 3, 0, 4, 81, 27", "clay-8-4-10, 3, 0, 4, 81, 27",
        "clay-10-4-12, 3, 1, 5, 243, 81", "clay-2-2-3, 2, 0, 2, 4, 2"
    })
    void clayReadsOneQthOfEachOfDHelpersInTheRunsOfItsRow(String name, int q, int nu, int t, int alpha, int beta) {
        ErasureCode code = Cells.code(name);
        ClayGrid grid = code.spec().grid();
        assertThat(List.of(grid.q(), grid.virtual(), grid.t(), grid.subChunks()))
                .containsExactly(q, nu, t, alpha);
        int d = code.spec().parameters().get(2);
        for (int lost = 0; lost < code.chunks(); lost++) {
            RepairPlan plan = one(code, lost);
            assertThat(plan.sources().size()).isEqualTo(d);
            assertThat(plan.bytesRead(16L * alpha)).isEqualTo(16L * beta * d);
            int node = lost < code.dataChunks() ? lost : lost + nu;
            int x = node % q;
            int row = node / q;
            int run = (int) Math.round(Math.pow(q, t - 1.0 - row));
            List<SubChunkRange> runs = IntStream.range(0, alpha / (q * run))
                    .mapToObj(j -> new SubChunkRange((j * q + x) * run, (j * q + x) * run + run))
                    .toList();
            assertThat(plan.reads().values()).allMatch(runs::equals);
        }
    }

    /** 14 chunks of the LRC are in a local group, two are global parity; of the SHEC each parity covers four. */
    @ParameterizedTest
    @CsvSource({
        "rs-6-3, 6, 6",
        "replication-3, 1, 1",
        "xor-4-1, 4, 4",
        "liberation-4-2, 4, 4",
        "lrc-12-2-2, 6, 6.75",
        "clay-6-3-8, 2.6667, 2.6667",
        "shec-6-3-2, 4, 4"
    })
    void theMeanOfSingleLosses(String name, double ofData, double ofAll) {
        ErasureCode code = Cells.code(name);
        assertThat(RepairReads.perByte(code, ChunkSet.range(0, code.dataChunks())))
                .isCloseTo(ofData, within(1e-4));
        assertThat(RepairReads.perByte(code, ChunkSet.range(0, code.chunks()))).isCloseTo(ofAll, within(1e-4));
    }

    @Test
    void clayFallsBackToKWholeChunksWithoutDHelpersOrAMate() {
        ErasureCode code = Cells.code("clay-8-4-10");
        // Row 0 of the grid has the chunks 0, 1 and 2.
        assertThat(read(code, ChunkSet.of(0), ChunkSet.range(1, 11))).isEqualTo(10 * 27);
        assertThat(read(code, ChunkSet.of(0), ChunkSet.range(1, 12).without(5))).isEqualTo(10 * 27);
        assertThat(read(code, ChunkSet.of(0), ChunkSet.range(1, 10))).isEqualTo(8 * 81);
        assertThat(read(code, ChunkSet.of(0), ChunkSet.range(1, 12).without(2))).isEqualTo(8 * 81);
        assertThat(read(code, ChunkSet.of(0, 5), ChunkSet.range(1, 12).without(5)))
                .isEqualTo(8 * 81);
        assertThat(code.plan(ChunkSet.of(0), ChunkSet.range(1, 8))).isInstanceOf(Unrecoverable.class);
    }

    private static long read(ErasureCode code, ChunkSet lost, ChunkSet available) {
        return ((RepairPlan) code.plan(lost, available)).bytesRead(code.subChunks());
    }

    @Test
    void lrcRepairsDataAndLocalParityFromTheirGroup() {
        ErasureCode code = Cells.code("lrc-12-2-2");
        assertThat(one(code, 3).sources()).isEqualTo(ChunkSet.of(0, 1, 2, 4, 5, 12));
        assertThat(one(code, 13).sources()).isEqualTo(ChunkSet.range(6, 12));
        assertThat(one(code, 15).sources()).isEqualTo(ChunkSet.range(0, 12));
        for (int lost = 0; lost < 14; lost++) {
            assertThat(one(code, lost).bytesRead(1)).isEqualTo(6);
        }
        assertThat(read(code, ChunkSet.of(0, 7), ChunkSet.range(0, 16).minus(ChunkSet.of(0, 7))))
                .isEqualTo(12);
        assertThat(read(code, ChunkSet.of(0, 1), ChunkSet.range(2, 16))).isEqualTo(12);
    }

    /** One data chunk is rebuilt from the parity that covers the fewest chunks with it. */
    @ParameterizedTest
    @CsvSource({"4, 3, 2", "6, 3, 2", "8, 4, 3", "10, 6, 3"})
    void shecReadsTheNarrowestParity(int k, int m, int c) {
        ErasureCode code = Cells.code("shec-" + k + "-" + m + "-" + c);
        for (int lost = 0; lost < k; lost++) {
            int chunk = lost;
            int narrowest = IntStream.range(0, m)
                    .filter(r -> IntStream.range(r * k / m, (r + c) * k / m).anyMatch(j -> j % k == chunk))
                    .map(r -> (r + c) * k / m - r * k / m)
                    .min()
                    .orElseThrow();
            assertThat(one(code, lost).bytesRead(1)).isEqualTo(narrowest).isLessThan(k);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rs-6-3", "rs-van-6-3", "crs-6-3", "liberation-6-2", "xor-6-1"})
    void mdsCodesReadTheLowestKChunks(String name) {
        ErasureCode code = Cells.code(name);
        RepairPlan plan = one(code, 2);
        assertThat(plan.sources()).isEqualTo(ChunkSet.of(0, 1, 3, 4, 5, 6));
        assertThat(plan.bytesRead(code.subChunks())).isEqualTo(6L * code.subChunks());
    }

    /** Tries every set of available chunks, the smallest first and those of low indexes first among equals. */
    @ParameterizedTest
    @ValueSource(strings = {"lrc-6-2-2", "lrc-4-2-1", "shec-4-3-2", "shec-6-3-2", "shec-5-5-3", "rs-van-3-3"})
    void noSmallerOrLowerSetOfSourcesExists(String name) {
        ErasureCode code = Cells.code(name);
        Matrix generator = Generators.of(code.spec());
        long seed = 20261121;
        Random random = new Random(seed);
        for (int round = 0; round < 150; round++) {
            int[] dice = random.ints(code.chunks(), 0, 8).toArray();
            ChunkSet lost = where(dice, 0, 1);
            ChunkSet available = where(dice, 2, 7);
            if (lost.isEmpty()) {
                continue;
            }
            Optional<ChunkSet> best = cheapest(generator, lost, available);
            RepairPlanning outcome = code.plan(lost, available);
            assertThat(outcome instanceof RepairPlan plan ? Optional.of(plan.sources()) : Optional.empty())
                    .as("%s lost %s available %s seed %s round %s", name, lost, available, seed, round)
                    .isEqualTo(best);
        }
    }

    private static ChunkSet where(int[] dice, int from, int to) {
        return ChunkSet.of(IntStream.range(0, dice.length)
                .filter(i -> dice[i] >= from && dice[i] <= to)
                .toArray());
    }

    private static Optional<ChunkSet> cheapest(Matrix generator, ChunkSet lost, ChunkSet available) {
        Matrix targets = generator.select(lost.toArray());
        int[] members = available.toArray();
        return IntStream.range(0, 1 << members.length)
                .mapToObj(bits -> IntStream.range(0, members.length)
                        .filter(i -> (bits >>> i & 1) != 0)
                        .map(i -> members[i])
                        .toArray())
                .sorted((a, b) -> a.length == b.length ? Arrays.compare(a, b) : a.length - b.length)
                .filter(sources -> generator.select(sources).express(targets).isPresent())
                .findFirst()
                .map(ChunkSet::of);
    }
}
