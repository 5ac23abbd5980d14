package io.ecfs.client.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.CodeSpec;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.layout.Ring;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Chunks on volumes that write, at each position of a ring and for each set of lost chunks. */
class WritersTest {
    private final AccessPlanner planner = new DataFirstPlanner();

    /** Chunk i has colour i. */
    private static ChunkSet writers(Ring ring, int position) {
        return ChunkSet.of(IntStream.range(0, ring.colours())
                .filter(colour -> ring.writes(colour, position))
                .toArray());
    }

    private ChunkSet read(ErasureCode code, ChunkSet wanted, ChunkSet lost, ChunkSet writers) {
        TreeMap<Integer, Standing> sources = new TreeMap<>();
        for (int index = 0; index < code.chunks(); index++) {
            sources.put(
                    index,
                    lost.contains(index)
                            ? Standing.FAILED
                            : writers.contains(index) ? Standing.WRITING : Standing.LIVE);
        }
        AccessPlan plan =
                planner.plan(new AccessQuestion(code, wanted, sources)).orElseThrow();
        return plan.repair().map(RepairPlan::sources).orElse(ChunkSet.empty()).union(plan.direct());
    }

    private static boolean readable(ErasureCode code, ChunkSet wanted, ChunkSet available) {
        ChunkSet missing = wanted.minus(available);
        return missing.isEmpty() || code.plan(missing, available) instanceof RepairPlan;
    }

    private static List<ChunkSet> subsets(ChunkSet all, int most) {
        int[] members = all.toArray();
        List<ChunkSet> subsets = new ArrayList<>();
        for (int bits = 0; bits < 1 << members.length; bits++) {
            if (Integer.bitCount(bits) <= most) {
                int chosen = bits;
                subsets.add(ChunkSet.of(IntStream.range(0, members.length)
                        .filter(i -> (chosen >> i & 1) == 1)
                        .map(i -> members[i])
                        .toArray()));
            }
        }
        return subsets;
    }

    private static int fewestWriters(ErasureCode code, ChunkSet wanted, ChunkSet lost, ChunkSet writers) {
        ChunkSet others = ChunkSet.range(0, code.chunks()).minus(lost).minus(writers);
        return subsets(writers.minus(lost), code.chunks()).stream()
                .filter(some -> readable(code, wanted, others.union(some)))
                .mapToInt(ChunkSet::size)
                .min()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"rs-3-3,3,3", "rs-3-3,2,3", "rs-4-2,1,2", "replication-3,2,2", "lrc-4-2-2,3,3", "shec-4-3-2,2,3"})
    void aReadOfAGroupThatToleratesTheWritersReadsNoneAndWithoutEnoughOthersAsFewAsItNeeds(
            String name, int writers, int mostLost) {
        ErasureCode code = ErasureCodes.create(CodeSpec.parse(name), Kernels.java());
        Ring ring = new Ring(code.chunks(), writers);
        List<Integer> colours = IntStream.range(0, code.chunks()).boxed().toList();
        boolean tolerated = ring.toleratedBy(code.spec(), colours);
        int needed = 0;
        for (int position = 0; position < ring.colours(); position++) {
            ChunkSet writing = writers(ring, position);
            for (ChunkSet wanted : subsets(ChunkSet.range(0, code.dataChunks()), code.dataChunks())) {
                if (wanted.isEmpty()) {
                    continue;
                }
                for (ChunkSet lost : subsets(ChunkSet.range(0, code.chunks()), mostLost)) {
                    if (!readable(code, wanted, ChunkSet.range(0, code.chunks()).minus(lost))) {
                        continue;
                    }
                    int fewest = fewestWriters(code, wanted, lost, writing);
                    needed += fewest;
                    assertThat(read(code, wanted, lost, writing)
                                    .intersection(writing)
                                    .size())
                            .as("%s, %s wanted, %s lost, %s write", name, wanted, lost, writing)
                            .isEqualTo(lost.isEmpty() && tolerated ? 0 : fewest);
                }
            }
        }
        assertThat(needed).as("some losses leave too few others").isPositive();
    }

    @ParameterizedTest
    @CsvSource({"rs-3-3", "lrc-4-2-2"})
    void aVolumeThatIsAboutToWriteIsReadBeforeOneThatWrites(String name) {
        ErasureCode code = ErasureCodes.create(CodeSpec.parse(name), Kernels.java());
        TreeMap<Integer, Standing> sources = new TreeMap<>();
        for (int index = 0; index < code.chunks(); index++) {
            sources.put(index, index < code.dataChunks() ? Standing.LIVE : Standing.WRITING);
        }
        sources.put(0, Standing.WRITING);
        sources.put(code.dataChunks(), Standing.TURNING);
        AccessPlan plan =
                planner.plan(new AccessQuestion(code, ChunkSet.of(0), sources)).orElseThrow();
        assertThat(plan.direct()).isEqualTo(ChunkSet.empty());
        assertThat(plan.repair().orElseThrow().sources().minus(ChunkSet.range(1, code.dataChunks())))
                .isEqualTo(ChunkSet.of(code.dataChunks()));
    }
}
