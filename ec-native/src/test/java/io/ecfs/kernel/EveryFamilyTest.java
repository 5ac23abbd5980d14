package io.ecfs.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.CodeSpec;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.code.SubChunkRange;
import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.code.kernel.Kernels;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The compiled kernels give the Java kernel's bytes for everything that every family computes. */
class EveryFamilyTest {
    private static final List<String> CODES = List.of(
            "rs-6-3",
            "rs-12-4",
            "rs-200-55",
            "rs-van-6-3",
            "xor-5-1",
            "replication-3",
            "lrc-12-2-2",
            "clay-4-2-5",
            "clay-6-3-8",
            "clay-8-4-10",
            "crs-6-3",
            "crs-4-2-8",
            "liberation-6-2",
            "shec-8-4-3");

    static Stream<Arguments> codesOnKernels() {
        return CODES.stream()
                .flatMap(name -> Stream.concat(
                                Stream.of(Kernels.choose("isal")),
                                NativeKernelProvider.runningHere().mapToObj(NativeKernelProvider::kernel))
                        .map(kernel -> Arguments.of(name, kernel.description(), kernel)));
    }

    @ParameterizedTest(name = "{0} on {1}")
    @MethodSource("codesOnKernels")
    void encodesRepairsAndUpdatesAsTheJavaKernelDoes(String name, String description, GaloisKernel kernel) {
        ErasureCode code = ErasureCodes.create(CodeSpec.parse(name), kernel);
        ErasureCode java = ErasureCodes.create(CodeSpec.parse(name), Kernels.java());
        ChunkSet all = ChunkSet.range(0, code.chunks());
        for (int subChunkBytes : new int[] {0, 1, 16, 67, 144, 4096 + 33}) {
            long seed = 1000L * name.hashCode() + subChunkBytes;
            String what = name + " on " + description + ", " + subChunkBytes + " bytes a sub-chunk, seed " + seed;
            Random random = new Random(seed);
            int bytes = Math.multiplyExact(
                    subChunkBytes > 1000 && code.chunks() > 100 ? 99 : subChunkBytes, code.subChunks());
            ByteBuffer[] data = cells(code.dataChunks(), bytes, random);
            ByteBuffer[] parity = cells(code.parityChunks(), bytes, random);
            ByteBuffer[] expected = cells(code.parityChunks(), bytes, random);
            code.encode(data, parity);
            java.encode(data, expected);
            assertThat(parity).as("parity, " + what).containsExactly(expected);

            ByteBuffer[] stripe = Stream.of(data, parity).flatMap(Stream::of).toArray(ByteBuffer[]::new);
            for (ChunkSet lost : losses(code, random)) {
                RepairPlan plan = (RepairPlan) code.plan(lost, all.minus(lost));
                assertThat(java.plan(lost, all.minus(lost))).isEqualTo(plan);
                Map<Integer, ByteBuffer> reads = new TreeMap<>();
                plan.reads()
                        .forEach(
                                (index, ranges) -> reads.put(index, gathered(stripe[index], ranges, code.subChunks())));
                Map<Integer, ByteBuffer> outputs = new TreeMap<>();
                lost.forEach(index -> outputs.put(index, cells(1, bytes, random)[0]));
                code.repair(plan, reads, outputs);
                outputs.forEach((index, output) -> assertThat(output)
                        .as("chunk %s by %s, %s", index, plan, what)
                        .isEqualTo(stripe[index]));
            }

            ByteBuffer delta = cells(1, bytes, random)[0];
            code.update(code.dataChunks() - 1, delta, parity);
            java.update(code.dataChunks() - 1, delta, expected);
            assertThat(parity).as("updated parity, " + what).containsExactly(expected);
        }
    }

    /** Each chunk alone of a small code, and some larger losses up to what the code promises. */
    private static List<ChunkSet> losses(ErasureCode code, Random random) {
        Stream<ChunkSet> single = random.ints(0, code.chunks()).limit(4).mapToObj(ChunkSet::of);
        Stream<ChunkSet> several = IntStream.range(0, 4)
                .mapToObj(i -> ChunkSet.of(random.ints(0, code.chunks())
                        .limit(code.spec().survivedLosses())
                        .toArray()));
        return Stream.concat(single, several).toList();
    }

    private static ByteBuffer[] cells(int count, int bytes, Random random) {
        ByteBuffer[] cells = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            byte[] content = new byte[bytes];
            random.nextBytes(content);
            cells[i] = ByteBuffer.allocateDirect(bytes).put(0, content);
        }
        return cells;
    }

    private static ByteBuffer gathered(ByteBuffer cell, List<SubChunkRange> ranges, int subChunks) {
        int size = cell.remaining() / subChunks;
        ByteBuffer gathered = ByteBuffer.allocateDirect(
                size * ranges.stream().mapToInt(SubChunkRange::count).sum());
        ranges.forEach(range -> gathered.put(cell.slice(range.from() * size, range.count() * size)));
        return gathered.flip();
    }
}
