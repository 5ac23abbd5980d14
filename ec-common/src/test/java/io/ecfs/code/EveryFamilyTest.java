package io.ecfs.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.kernel.Kernels;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every family must do, shown for every pattern of losses. */
class EveryFamilyTest {
    private static final int SUB_CHUNK_BYTES = 3;

    /**
     * Every loss that the code is to survive, and every larger one that leaves k chunks: computed, or refused, as the
     * rule says.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "rs-3-2",
                "rs-6-3",
                "rs-10-4",
                "rs-12-4",
                "rs-van-6-3",
                "rs-van-4-4",
                "xor-3-1",
                "replication-3",
                "lrc-6-2-2",
                "lrc-12-2-2",
                "lrc-4-2-1",
                "lrc-6-3-1",
                "clay-4-2-5",
                "clay-6-3-8",
                "clay-8-4-11",
                "clay-2-2-3",
                "clay-3-2-4",
                "clay-4-3-5",
                "clay-4-4-6",
                "clay-5-3-6",
                "clay-3-2-3",
                "clay-1-2-2",
                "crs-4-2",
                "crs-6-3",
                "crs-3-3-8",
                "crs-1-1",
                "liberation-4-2",
                "liberation-2-2-3",
                "liberation-7-2",
                "shec-4-3-2",
                "shec-6-3-2",
                "shec-8-4-3"
            })
    // HDDS-6319, HDDS-4940
    void computesEveryLossThatItsRuleCallsDecodable(String name) {
        ErasureCode code = Cells.code(name);
        ChunkSet all = ChunkSet.range(0, code.chunks());
        int bytes = SUB_CHUNK_BYTES * code.subChunks();
        ByteBuffer[] stripe = Cells.stripe(code, bytes);
        for (ChunkSet lost : Cells.subsets(code.chunks(), code.parityChunks())) {
            RepairPlanning outcome = code.plan(lost, all.minus(lost));
            boolean decodable = code.spec().decodable(all.minus(lost));
            assertThat(decodable || lost.size() > code.spec().survivedLosses()).isTrue();
            assertThat(outcome instanceof RepairPlan)
                    .as("%s lost %s", name, lost)
                    .isEqualTo(decodable);
            if (outcome instanceof RepairPlan plan) {
                assertRepairs(code, stripe, plan);
            }
        }
    }

    /**
     * With the lost chunks in both orders, and the reads in one of both (HDFS-15186, HADOOP-19180: an order in which
     * bytes came out wrong).
     */
    static void assertRepairs(ErasureCode code, ByteBuffer[] stripe, RepairPlan plan) {
        for (int[] order :
                new int[][] {plan.lost().toArray(), reversed(plan.lost().toArray())}) {
            Map<Integer, ByteBuffer> reads = new LinkedHashMap<>();
            for (int index : order.length % 2 == 0
                    ? reversed(plan.sources().toArray())
                    : plan.sources().toArray()) {
                reads.put(index, Cells.subChunks(stripe[index], plan.reads().get(index), plan.subChunks()));
            }
            Map<Integer, ByteBuffer> outputs = new LinkedHashMap<>();
            for (int index : order) {
                outputs.put(index, Cells.blank(stripe[index].remaining(), index % 3));
            }
            code.repair(plan, reads, outputs);
            outputs.forEach((index, output) -> {
                assertThat(output).as("chunk %s by %s", index, plan).isEqualTo(stripe[index]);
                assertThat(Cells.guarded(output))
                        .as("bytes around chunk %s by %s", index, plan)
                        .isTrue();
            });
        }
    }

    private static int[] reversed(int[] indexes) {
        return IntStream.range(0, indexes.length)
                .map(i -> indexes[indexes.length - 1 - i])
                .toArray();
    }

    /** Random shapes, sizes and losses; a failure names the seed, which is all that it takes to see it again. */
    @Test
    void anyShapeComputesAnyLossFromAnyAvailableChunksThatDetermineIt() {
        for (long seed = 1; seed <= 120; seed++) {
            Random random = new Random(seed);
            CodeSpec spec = randomSpec(random);
            String what = spec + ", seed " + seed;
            ErasureCode code = ErasureCodes.create(spec, Kernels.java());
            ByteBuffer[] stripe = Cells.stripe(code, random.nextInt(40) * code.subChunks());
            for (int round = 0; round < 4; round++) {
                ChunkSet lost = ChunkSet.empty();
                ChunkSet available = ChunkSet.range(0, code.chunks());
                for (int away = random.nextInt(code.parityChunks() + 1); away >= 0; away--) {
                    int index = random.nextInt(code.chunks());
                    lost = random.nextInt(4) > 0 ? lost.with(index) : lost;
                    available = available.without(index);
                }
                RepairPlanning outcome = code.plan(lost, available);
                if (spec.decodable(available)) {
                    assertThat(outcome).as(what).isInstanceOf(RepairPlan.class);
                }
                if (outcome instanceof RepairPlan plan) {
                    assertThat(available.containsAll(plan.sources())).as(what).isTrue();
                    assertThat(plan.bytesRead(code.subChunks()))
                            .as(what)
                            .isLessThanOrEqualTo((long) code.subChunks() * code.dataChunks());
                    assertRepairs(code, stripe, plan);
                }
            }
        }
    }

    private static CodeSpec randomSpec(Random random) {
        CodeFamily family = List.of(CodeFamily.values()).get(random.nextInt(CodeFamily.values().length));
        int k = 1 + random.nextInt(14);
        int m = 1 + random.nextInt(6);
        List<Integer> wished = switch (family) {
            case REPLICATION -> List.of(k);
            case RS, RS_VAN, XOR, LIBERATION -> List.of(k, m);
            case CRS -> random.nextBoolean() ? List.of(k, m) : List.of(k, m, 8);
            case LRC, SHEC -> List.of(k, m, 1 + random.nextInt(3));
            case CLAY -> List.of(k, m, k + random.nextInt(m));
        };
        return new CodeSpec(family, CodeLimits.nearest(family, wished));
    }
}
