package io.ecfs.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.field.Matrix;
import io.ecfs.code.kernel.Kernels;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ErasureCodeTest {
    private static ErasureCode code(String spec) {
        return ErasureCodes.create(CodeSpec.parse(spec), Kernels.java());
    }

    private static Map<Integer, ByteBuffer> pick(ByteBuffer[] stripe, Iterable<Integer> indexes) {
        Map<Integer, ByteBuffer> picked = new LinkedHashMap<>();
        indexes.forEach(index -> picked.put(index, stripe[index]));
        return picked;
    }

    private static Map<Integer, ByteBuffer> blanks(Iterable<Integer> indexes, int bytes) {
        Map<Integer, ByteBuffer> blanks = new LinkedHashMap<>();
        indexes.forEach(index -> blanks.put(index, Cells.blank(bytes, index % 3)));
        return blanks;
    }

    private static void assertRepaired(ByteBuffer[] stripe, Map<Integer, ByteBuffer> outputs, Object pattern) {
        outputs.forEach((index, output) -> {
            assertThat(Cells.bytes(output)).as("chunk %s of %s", index, pattern).isEqualTo(Cells.bytes(stripe[index]));
            assertThat(Cells.guarded(output)).as("bytes around chunk %s", index).isTrue();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"rs-3-2", "rs-6-3", "rs-10-4", "xor-2-1", "replication-3", "rs-1-1", "xor-1-1"})
    void repairsEveryLossUpToM(String spec) {
        ErasureCode code = code(spec);
        int bytes = 45;
        ByteBuffer[] stripe = Cells.stripe(code, bytes);
        ChunkSet all = ChunkSet.range(0, code.chunks());
        for (ChunkSet lost : Cells.subsets(code.chunks(), code.parityChunks())) {
            RepairPlan plan = (RepairPlan) code.plan(lost, all.minus(lost));
            assertThat(plan.bytesRead(bytes)).isEqualTo(lost.isEmpty() ? 0L : (long) bytes * code.dataChunks());
            Map<Integer, ByteBuffer> outputs = blanks(lost, bytes);
            code.repair(plan, pick(stripe, plan.sources()), outputs);
            assertRepaired(stripe, outputs, lost);
        }
    }

    /** HDFS-17094, HDFS-16538: what may be read is often less than all that is left. */
    @ParameterizedTest
    @ValueSource(strings = {"rs-3-2", "rs-6-3"})
    // HDFS-16544
    void repairsEveryChunkFromEverySetOfKOthers(String spec) {
        ErasureCode code = code(spec);
        ByteBuffer[] stripe = Cells.stripe(code, 17);
        ChunkSet all = ChunkSet.range(0, code.chunks());
        for (ChunkSet available : Cells.subsets(code.chunks(), code.dataChunks())) {
            if (available.size() == code.dataChunks()) {
                ChunkSet lost = all.minus(available);
                RepairPlan plan = (RepairPlan) code.plan(lost, available);
                assertThat(plan.sources()).isEqualTo(available);
                Map<Integer, ByteBuffer> outputs = blanks(lost, 17);
                code.repair(plan, pick(stripe, available), outputs);
                assertRepaired(stripe, outputs, lost);
            }
        }
    }

    /** HDFS-15186 and HADOOP-19180: an order of the erased chunks in which parity came out as zeros. */
    @Test
    void repairsInEveryOrderOfTheErasedAndOfTheInputs() {
        ErasureCode code = code("rs-3-2");
        ByteBuffer[] stripe = Cells.stripe(code, 9);
        ChunkSet all = ChunkSet.range(0, 5);
        for (ChunkSet lost : Cells.subsets(5, 2)) {
            RepairPlan plan = (RepairPlan) code.plan(lost, all.minus(lost));
            for (List<Integer> erased : permutations(List.copyOf(toList(lost)))) {
                for (List<Integer> inputs : permutations(toList(plan.sources()))) {
                    Map<Integer, ByteBuffer> outputs = blanks(erased, 9);
                    code.repair(plan, pick(stripe, inputs), outputs);
                    assertRepaired(stripe, outputs, erased);
                }
            }
            assertThat(code.plan(ChunkSet.of(reversed(lost)), ChunkSet.of(reversed(all.minus(lost)))))
                    .isEqualTo(plan);
        }
    }

    private static List<Integer> toList(ChunkSet set) {
        return set.stream().boxed().toList();
    }

    private static List<Integer> reversed(ChunkSet set) {
        List<Integer> list = new ArrayList<>(toList(set));
        Collections.reverse(list);
        return list;
    }

    private static List<List<Integer>> permutations(List<Integer> items) {
        if (items.isEmpty()) {
            return List.of(List.of());
        }
        List<List<Integer>> result = new ArrayList<>();
        for (Integer first : items) {
            List<Integer> rest = new ArrayList<>(items);
            rest.remove(first);
            for (List<Integer> tail : permutations(rest)) {
                List<Integer> whole = new ArrayList<>(List.of(first));
                whole.addAll(tail);
                result.add(whole);
            }
        }
        return result;
    }

    @ParameterizedTest
    @ValueSource(strings = {"rs-3-2", "rs-6-3", "xor-2-1", "replication-3"})
    void saysBeyondExactlyWhenFewerThanKChunksAreAvailable(String spec) {
        ErasureCode code = code(spec);
        ChunkSet all = ChunkSet.range(0, code.chunks());
        for (ChunkSet lost : Cells.subsets(code.chunks(), code.chunks())) {
            RepairPlanning outcome = code.plan(lost, all.minus(lost));
            if (lost.size() > code.parityChunks()) {
                assertThat(outcome).isEqualTo(new Unrecoverable(lost, all.minus(lost)));
            } else {
                assertThat(outcome).isInstanceOf(RepairPlan.class);
            }
        }
    }

    @Test
    void refusesToPlanWithImpossibleChunks() {
        ErasureCode code = code("rs-3-2");
        assertThatThrownBy(() -> code.plan(ChunkSet.of(5), ChunkSet.range(0, 5)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("chunk 5 does not exist in rs-3-2, which has 5 chunks");
        assertThatThrownBy(() -> code.plan(ChunkSet.of(1), ChunkSet.range(0, 5)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("chunks {1} are both lost and available");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rs-6-3", "rs-3-2", "xor-3-1", "replication-4"})
    void repairsCellsOfEveryLength(String spec) {
        ErasureCode code = code(spec);
        List<Integer> lengths = new ArrayList<>();
        for (int bytes = 0; bytes <= 129; bytes++) {
            lengths.add(bytes);
        }
        // The edges of a block of the Java kernel, and more than one.
        lengths.addAll(List.of(4095, 4096, 4097, 8191, 8193, 65536, 70001));
        ChunkSet lost = ChunkSet.range(0, code.parityChunks());
        if (!(code.plan(lost, ChunkSet.range(code.parityChunks(), code.chunks())) instanceof RepairPlan plan)) {
            throw new AssertionError("no plan");
        }
        for (int bytes : lengths) {
            ByteBuffer[] stripe = Cells.stripe(code, bytes);
            Map<Integer, ByteBuffer> outputs = blanks(lost, bytes);
            code.repair(plan, pick(stripe, plan.sources()), outputs);
            assertRepaired(stripe, outputs, bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rs-6-3",
                "rs-10-4",
                "rs-van-6-3",
                "xor-2-1",
                "replication-3",
                "lrc-6-2-2",
                "clay-4-2-5",
                "clay-6-3-8",
                "clay-4-3-5",
                "clay-5-3-6",
                "crs-6-3",
                "crs-4-2-8",
                "liberation-5-2",
                "shec-6-3-2"
            })
    void updateEqualsEncodingAnew(String spec) {
        ErasureCode code = code(spec);
        int bytes = (code.subChunks() == 1 ? 5001 : 33) * code.subChunks();
        for (int changed = 0; changed < code.dataChunks(); changed++) {
            ByteBuffer[] data = Cells.array(code.dataChunks(), chunk -> Cells.data(chunk, bytes));
            ByteBuffer[] parity = Cells.array(code.parityChunks(), i -> Cells.blank(bytes));
            code.encode(data, parity);
            ByteBuffer delta = Cells.data(77, bytes);
            code.update(changed, delta, parity);

            for (int p = 0; p < bytes; p++) {
                int at = data[changed].position() + p;
                data[changed].put(at, (byte) (data[changed].get(at) ^ delta.get(delta.position() + p)));
            }
            ByteBuffer[] fresh = Cells.array(code.parityChunks(), i -> Cells.blank(bytes));
            code.encode(data, fresh);
            for (int i = 0; i < parity.length; i++) {
                assertThat(Cells.bytes(parity[i])).isEqualTo(Cells.bytes(fresh[i]));
                assertThat(Cells.guarded(parity[i])).isTrue();
            }
        }
    }

    @Test
    void replicasEqualTheDataAndXorParityIsTheXor() {
        for (ByteBuffer chunk : Cells.stripe(code("replication-3"), 100)) {
            assertThat(Cells.bytes(chunk)).isEqualTo(Cells.bytes(Cells.data(0, 100)));
        }
        ByteBuffer[] stripe = Cells.stripe(code("xor-2-1"), 100);
        for (int p = 0; p < 100; p++) {
            assertThat(stripe[2].get(stripe[2].position() + p))
                    .isEqualTo((byte) (Cells.dataByte(0, p) ^ Cells.dataByte(1, p)));
        }
    }

    @Test
    void leavesPositionsAndInputsAlone() {
        ErasureCode code = code("rs-3-2");
        ByteBuffer[] data = Cells.array(3, chunk -> Cells.data(chunk, 33));
        ByteBuffer[] parity = Cells.array(2, i -> Cells.blank(33, 4));
        code.encode(data, parity);
        for (int i = 0; i < 3; i++) {
            assertThat(data[i]).isEqualTo(Cells.data(i, 33));
            assertThat(Cells.guarded(data[i])).isTrue();
        }
        for (ByteBuffer cell : parity) {
            assertThat(cell.position()).isEqualTo(11);
            assertThat(cell.remaining()).isEqualTo(33);
            assertThat(Cells.guarded(cell)).isTrue();
        }
    }

    /** HDFS-16422, HDDS-6271: a decoder shared by concurrent readers returned wrong bytes. */
    @Test
    void oneCodeServesManyThreadsWithDifferentPatterns() throws Exception {
        ErasureCode code = code("rs-6-3");
        int bytes = 1003;
        ByteBuffer[] stripe = Cells.stripe(code, bytes);
        ChunkSet all = ChunkSet.range(0, 9);
        List<ChunkSet> patterns = Cells.subsets(9, 3);
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try {
            List<Callable<Void>> jobs = new ArrayList<>();
            for (int t = 0; t < 6; t++) {
                Random random = new Random(4711 + t);
                jobs.add(() -> {
                    for (int i = 0; i < 400; i++) {
                        ChunkSet lost = patterns.get(random.nextInt(patterns.size()));
                        RepairPlan plan = (RepairPlan) code.plan(lost, all.minus(lost));
                        Map<Integer, ByteBuffer> outputs = blanks(lost, bytes);
                        code.repair(plan, pick(stripe, plan.sources()), outputs);
                        assertRepaired(stripe, outputs, lost);
                    }
                    return null;
                });
            }
            for (Future<Void> done : threads.invokeAll(jobs)) {
                done.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"clay-6-3-8", "crs-4-2", "liberation-4-2"})
    void refusesCellsThatDoNotDivideIntoSubChunks(String spec) {
        ErasureCode code = code(spec);
        int alpha = code.subChunks();
        ByteBuffer[] data = Cells.array(code.dataChunks(), chunk -> Cells.data(chunk, 3 * alpha + 1));
        ByteBuffer[] parity = Cells.array(code.parityChunks(), i -> Cells.blank(3 * alpha + 1));
        String message = "cells of " + (3 * alpha + 1) + " bytes do not divide into " + alpha + " sub-chunks for "
                + spec + "; nearest valid is " + 3 * alpha;
        assertRefused(() -> code.encode(data, parity), message);
        assertRefused(() -> code.update(0, data[0], parity), message);
        RepairPlan plan = (RepairPlan) code.plan(ChunkSet.of(0), ChunkSet.range(1, code.chunks()));
        Map<Integer, ByteBuffer> reads = blanks(plan.sources(), 3 * alpha + 1);
        assertRefused(() -> code.repair(plan, reads, blanks(plan.lost(), 3 * alpha + 1)), message);
    }

    @Test
    void refusesBuffersThatItCannotUse() {
        ErasureCode code = code("rs-3-2");
        ByteBuffer[] data = Cells.array(3, chunk -> Cells.data(chunk, 8));
        ByteBuffer[] parity = Cells.array(2, i -> Cells.blank(8));

        ByteBuffer[] heap = data.clone();
        heap[1] = ByteBuffer.allocate(8);
        assertRefused(() -> code.encode(heap, parity), "data cell 1 is a heap buffer; give a direct one");
        ByteBuffer[] readOnly = parity.clone();
        readOnly[1] = parity[1].asReadOnlyBuffer();
        assertRefused(() -> code.encode(data, readOnly), "parity cell 1 is read-only but would be written");
        ByteBuffer[] shorter = parity.clone();
        shorter[0] = Cells.blank(7);
        assertRefused(() -> code.encode(data, shorter), "parity cell 0 has 7 bytes remaining where 8 are due");
        ByteBuffer[] holed = data.clone();
        holed[2] = null;
        assertRefused(() -> code.encode(holed, parity), "data cell 2 is missing");
        assertRefused(() -> code.encode(new ByteBuffer[] {data[0]}, parity), "data cell: 1 buffers given, 3 needed");
        assertRefused(() -> code.update(3, data[0], parity), "chunk 3 is no data chunk of rs-3-2");
        assertRefused(
                () -> code.update(2, ByteBuffer.allocate(8), parity),
                "delta of chunk 2 is a heap buffer; give a direct one");

        ByteBuffer[] readOnlyData = Cells.array(3, chunk -> data[chunk].asReadOnlyBuffer());
        code.encode(readOnlyData, parity);
    }

    /** HDFS-16970, HDFS-14768: buffers are matched by chunk index, and what does not match is refused. */
    @Test
    void refusesBuffersThatThePlanDoesNotName() {
        ErasureCode code = code("rs-3-2");
        ByteBuffer[] stripe = Cells.stripe(code, 8);
        RepairPlan plan = (RepairPlan) code.plan(ChunkSet.of(0), ChunkSet.of(1, 2, 3, 4));
        assertThat(plan.sources()).isEqualTo(ChunkSet.of(1, 2, 3));
        Map<Integer, ByteBuffer> reads = pick(stripe, plan.sources());
        Map<Integer, ByteBuffer> outputs = blanks(plan.lost(), 8);

        Map<Integer, ByteBuffer> other = pick(stripe, List.of(1, 2, 4));
        assertRefused(
                () -> code.repair(plan, other, outputs),
                "read of chunk: buffers given for [1, 2, 4], the plan has {1,2,3}");
        Map<Integer, ByteBuffer> more = pick(stripe, List.of(1, 2, 3, 4));
        assertRefused(
                () -> code.repair(plan, more, outputs),
                "read of chunk: buffers given for [1, 2, 3, 4], the plan has {1,2,3}");
        assertRefused(
                () -> code.repair(plan, reads, blanks(ChunkSet.of(4), 8)),
                "output of chunk: buffers given for [4], the plan has {0}");
        assertRefused(
                () -> code.repair(
                        plan, reads, new TreeMap<>(Map.of(0, Cells.blank(8).asReadOnlyBuffer()))),
                "output of chunk 0 is read-only but would be written");
        assertRefused(() -> code("rs-3-3").repair(plan, reads, outputs), "a plan of rs-3-2 cannot be run by rs-3-3");
    }

    private static void assertRefused(Runnable call, String message) {
        assertThatThrownBy(call::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void everySquarePartOfACauchyMatrixIsInvertible() {
        for (int k = 1; k <= 7; k++) {
            for (int m = 1; m <= 4; m++) {
                Matrix generator = Matrix.identity(k).above(Matrix.cauchy(k, m));
                for (ChunkSet rows : Cells.subsets(k + m, k)) {
                    if (rows.size() == k) {
                        Matrix part = generator.select(rows.toArray());
                        assertThat(part.times(part.inverse().orElseThrow())).isEqualTo(Matrix.identity(k));
                    }
                }
            }
        }
        assertThat(Matrix.filled(2, 2, (r, c) -> 1).inverse()).isEmpty();
    }
}
