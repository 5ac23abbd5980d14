package io.ecfs.code.construction;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.CodeSpec;
import io.ecfs.code.RepairPlan;
import io.ecfs.code.SubChunkRange;
import io.ecfs.code.field.Matrix;
import io.ecfs.code.kernel.Schedule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A code that is its generator matrix: region r of the group (chunk r / alpha, sub-chunk r mod alpha) is row r times
 * the data. Every family is one of these but Clay, whose matrix would be too large to be quick.
 *
 * <p>A repair solves the rows of the lost chunks by the rows of what is read. With one sub-chunk the solution is
 * multiplied out over GF(2^8); with more of them the matrix has only zeros and ones and becomes XORs (see
 * {@link XorSchedule}).
 */
final class LinearConstruction implements Construction {
    private final Matrix generator;
    private final SourceChoice choice;
    private final int k;
    private final int m;
    private final int alpha;

    LinearConstruction(CodeSpec spec, Matrix generator, SourceChoice choice) {
        this.generator = generator;
        this.choice = choice;
        this.k = spec.dataChunks();
        this.m = spec.parityChunks();
        this.alpha = spec.subChunks();
    }

    @Override
    public Optional<Map<Integer, List<SubChunkRange>>> reads(ChunkSet lost, ChunkSet available) {
        List<SubChunkRange> whole = List.of(new SubChunkRange(0, alpha));
        return choice.cheapest(lost, available).map(sources -> {
            Map<Integer, List<SubChunkRange>> reads = new TreeMap<>();
            sources.forEach(index -> reads.put(index, whole));
            return reads;
        });
    }

    @Override
    public Schedule encode() {
        return schedule(rows(ChunkSet.range(k, k + m)), k, m);
    }

    @Override
    public Schedule repair(RepairPlan plan) {
        Matrix solution = rows(plan.sources())
                .express(rows(plan.lost()))
                .orElseThrow(() -> new IllegalArgumentException(plan + " does not determine what it computes"));
        return schedule(solution, plan.sources().size(), plan.lost().size());
    }

    @Override
    public Schedule update(int index) {
        Matrix column = rows(ChunkSet.range(k, k + m))
                .selectColumns(
                        IntStream.range(index * alpha, (index + 1) * alpha).toArray());
        Schedule.Builder builder = builder(1, m);
        alike(column).forEach((in, rows) -> {
            if (!in.isEmpty()) {
                builder.add(outputs(rows, alpha), ints(in), coefficients(column, rows, in));
            }
        });
        return builder.build();
    }

    private Matrix rows(ChunkSet chunks) {
        return generator.select(chunks.stream()
                .flatMap(chunk -> IntStream.range(chunk * alpha, (chunk + 1) * alpha))
                .toArray());
    }

    private Schedule schedule(Matrix matrix, int inputs, int outputs) {
        Schedule.Builder builder = builder(inputs, outputs);
        if (alpha > 1) {
            return XorSchedule.of(builder, matrix);
        }
        alike(matrix)
                .forEach((in, rows) ->
                        builder.set(outputs(rows, matrix.columns()), ints(in), coefficients(matrix, rows, in)));
        return builder.build();
    }

    private Schedule.Builder builder(int inputs, int outputs) {
        int[] in = new int[inputs];
        Arrays.fill(in, alpha);
        int[] out = new int[outputs];
        Arrays.fill(out, alpha);
        return new Schedule.Builder(in, out);
    }

    /**
     * Rows by the columns in which they are not 0: one step serves rows that are alike, multiplies by no 0 and reads
     * its inputs once.
     */
    private static Map<List<Integer>, List<Integer>> alike(Matrix matrix) {
        Map<List<Integer>, List<Integer>> alike = new LinkedHashMap<>();
        for (int row = 0; row < matrix.rows(); row++) {
            int r = row;
            List<Integer> columns = IntStream.range(0, matrix.columns())
                    .filter(c -> matrix.at(r, c) != 0)
                    .boxed()
                    .toList();
            alike.computeIfAbsent(columns, c -> new ArrayList<>()).add(row);
        }
        return alike;
    }

    private static byte[] coefficients(Matrix matrix, List<Integer> rows, List<Integer> columns) {
        return matrix.select(ints(rows)).selectColumns(ints(columns)).toBytes();
    }

    private static int[] outputs(List<Integer> rows, int first) {
        return rows.stream().mapToInt(row -> first + row).toArray();
    }

    private static int[] ints(List<Integer> numbers) {
        return numbers.stream().mapToInt(Integer::intValue).toArray();
    }
}
