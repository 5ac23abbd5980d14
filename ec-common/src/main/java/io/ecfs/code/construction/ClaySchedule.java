package io.ecfs.code.construction;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.ClayGrid;
import io.ecfs.code.field.GaloisField;
import io.ecfs.code.field.Matrix;
import io.ecfs.code.kernel.Schedule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Writes the schedule of one Clay computation, plane by plane, in the order of the intersection score: the number of
 * unknown nodes that are dots of the plane.
 *
 * <p>Pairs of known symbols are uncoupled once, for the two planes that they belong to. Where only one of a pair is
 * known, the other, of an unknown node, lies in a plane of a lower score and was solved before; U = C + 2 C' is then
 * put into the matrix instead of being computed. One step solves one plane. Its outputs are, for the unknown symbol (x,
 * y; z),
 * <ul>
 *   <li>C itself for a dot, where U = C,
 *   <li>C = U + 2 C' where the partner is known,
 *   <li>U where the partner is unknown too: when both are solved, another step takes them to C = (U + 2 U') / 5,
 *   <li>the partner's C' = (U + C) / 2 where C was read and the partner is the lost chunk.
 * </ul>
 * Symbols that are known to be zero, those of virtual nodes and of unchanged data, have no region.
 */
final class ClaySchedule {
    private static final int GAMMA = 2;
    /** 1 / (1 + gamma^2). */
    private static final int BOTH = GaloisField.invert(1 ^ GaloisField.multiply(GAMMA, GAMMA));

    private static final int ZERO = -1;

    /**
     * An output of a plane's step: {@code factor} U(node) + {@code addendFactor} addend, for the place of one symbol.
     */
    private record Row(int node, int factor, int addend, int addendFactor, int[][] table, int toNode, int toPlane) {}

    private final ClayGrid grid;
    private final Schedule.Builder builder;
    private final int[] known;
    private final int[] unknown;
    /** unknown x known. */
    private final Matrix solution;
    /** By node and plane the region of the symbol, or {@link #ZERO}. */
    private final int[][] coupled;

    private final int[][] uncoupled;
    /** By node and plane the output region that the coupled symbol must be in, or {@link #ZERO}. */
    private final int[][] targets;

    private final boolean[] wanted;
    private final ArrayDeque<Integer> free = new ArrayDeque<>();

    private ClaySchedule(ClayGrid grid, boolean[] unknown, Schedule.Builder builder) {
        this.grid = grid;
        this.builder = builder;
        this.known =
                IntStream.range(0, grid.nodes()).filter(node -> !unknown[node]).toArray();
        this.unknown =
                IntStream.range(0, grid.nodes()).filter(node -> unknown[node]).toArray();
        int rank = grid.nodes() - grid.m();
        Matrix generator = Matrix.identity(rank).above(Matrix.cauchy(rank, grid.m()));
        this.solution =
                generator.select(known).express(generator.select(this.unknown)).orElseThrow();
        this.coupled = zeros();
        this.uncoupled = zeros();
        this.targets = zeros();
        this.wanted = new boolean[grid.nodes()];
    }

    private int[][] zeros() {
        int[][] table = new int[grid.nodes()][grid.subChunks()];
        for (int[] row : table) {
            Arrays.fill(row, ZERO);
        }
        return table;
    }

    /** The wanted chunks from k whole chunks. */
    static Schedule ofWhole(ClayGrid grid, ChunkSet sources, ChunkSet wanted) {
        ClaySchedule schedule = new ClaySchedule(
                grid, realNodes(grid, index -> !sources.contains(index)), builder(grid, sources.size(), wanted.size()));
        int[] planes = IntStream.range(0, grid.subChunks()).toArray();
        schedule.read(sources, planes);
        schedule.want(wanted);
        schedule.solve(planes, Optional.empty());
        return schedule.builder.build();
    }

    /** One lost chunk from those planes of d helpers of which it is a dot. */
    static Schedule ofOne(ClayGrid grid, ChunkSet helpers, int lost) {
        int node = grid.node(lost);
        int[] planes = IntStream.range(0, grid.subChunks())
                .filter(plane -> grid.isDot(node, plane))
                .toArray();
        boolean[] unknown = realNodes(grid, index -> !helpers.contains(index));
        IntStream.range(0, grid.nodes())
                .filter(mate -> grid.y(mate) == grid.y(node))
                .forEach(mate -> unknown[mate] = true);
        int[] inputs = new int[helpers.size()];
        Arrays.fill(inputs, planes.length);
        ClaySchedule schedule =
                new ClaySchedule(grid, unknown, new Schedule.Builder(inputs, new int[] {grid.subChunks()}));
        schedule.read(helpers, planes);
        schedule.want(ChunkSet.of(lost));
        schedule.solve(planes, Optional.of(node));
        return schedule.builder.build();
    }

    /**
     * The change of all parity from the change of one data chunk, which is the code's parity were all other data zero.
     */
    static Schedule ofUpdate(ClayGrid grid, int index) {
        ClaySchedule schedule =
                new ClaySchedule(grid, realNodes(grid, chunk -> chunk >= grid.k()), builder(grid, 1, grid.m()));
        int[] planes = IntStream.range(0, grid.subChunks()).toArray();
        schedule.read(ChunkSet.of(index), planes);
        for (int parity = 0; parity < grid.m(); parity++) {
            schedule.wanted[grid.node(grid.k() + parity)] = true;
        }
        schedule.solve(planes, Optional.empty());
        for (int parity = 0; parity < grid.m(); parity++) {
            for (int plane : planes) {
                int change = schedule.coupled[grid.node(grid.k() + parity)][plane];
                if (change != ZERO) {
                    schedule.builder.add(
                            new int[] {schedule.builder.output(parity, plane)}, new int[] {change}, new byte[] {1});
                }
            }
        }
        return schedule.builder.build();
    }

    private static boolean[] realNodes(ClayGrid grid, IntPredicate chunks) {
        boolean[] nodes = new boolean[grid.nodes()];
        IntStream.range(0, grid.k() + grid.m()).filter(chunks).forEach(chunk -> nodes[grid.node(chunk)] = true);
        return nodes;
    }

    private static Schedule.Builder builder(ClayGrid grid, int inputs, int outputs) {
        int[] in = new int[inputs];
        Arrays.fill(in, grid.subChunks());
        int[] out = new int[outputs];
        Arrays.fill(out, grid.subChunks());
        return new Schedule.Builder(in, out);
    }

    /** The inputs are these planes of these chunks. */
    private void read(ChunkSet chunks, int[] planes) {
        int input = 0;
        for (int chunk : chunks) {
            for (int i = 0; i < planes.length; i++) {
                coupled[grid.node(chunk)][planes[i]] = builder.input(input, i);
            }
            input++;
        }
    }

    /** The outputs are these chunks. */
    private void want(ChunkSet chunks) {
        int output = 0;
        for (int chunk : chunks) {
            int node = grid.node(chunk);
            wanted[node] = true;
            for (int plane = 0; plane < grid.subChunks(); plane++) {
                targets[node][plane] = builder.output(output, plane);
            }
            output++;
        }
    }

    /** @param lost the one lost node whose row's C is read; empty when nothing of unknown nodes is read */
    private void solve(int[] planes, Optional<Integer> lost) {
        int[] order = IntStream.of(planes)
                .boxed()
                .sorted(Comparator.comparingLong(this::score))
                .mapToInt(plane -> plane)
                .toArray();
        boolean[] solved = new boolean[grid.subChunks()];
        for (int plane : order) {
            List<Row> rows = new ArrayList<>();
            for (int node : unknown) {
                row(node, plane, lost).ifPresent(rows::add);
            }
            solvePlane(plane, rows);
            solved[plane] = true;
            if (lost.isEmpty()) {
                IntStream.of(unknown).forEach(node -> couple(node, plane, solved));
            }
        }
    }

    private long score(int plane) {
        return IntStream.of(unknown).filter(node -> grid.isDot(node, plane)).count();
    }

    private Optional<Row> row(int node, int plane, Optional<Integer> lost) {
        if (grid.isDot(node, plane)) {
            return wanted[node] ? Optional.of(new Row(node, 1, ZERO, 0, coupled, node, plane)) : Optional.empty();
        }
        int partner = grid.partner(node, plane);
        int partnerPlane = grid.partnerPlane(node, plane);
        if (lost.equals(Optional.of(partner))) {
            int half = GaloisField.invert(GAMMA);
            return Optional.of(new Row(node, half, coupled[node][plane], half, coupled, partner, partnerPlane));
        }
        if (!isUnknown(partner)) {
            return Optional.of(new Row(node, 1, coupled[partner][partnerPlane], GAMMA, coupled, node, plane));
        }
        return wanted[node] || wanted[partner]
                ? Optional.of(new Row(node, 1, ZERO, 0, uncoupled, node, plane))
                : Optional.empty();
    }

    private boolean isUnknown(int node) {
        return Arrays.binarySearch(unknown, node) >= 0;
    }

    private void solvePlane(int plane, List<Row> rows) {
        Map<Integer, int[]> columns = new LinkedHashMap<>();
        List<Integer> used = new ArrayList<>();
        for (int i = 0; i < known.length; i++) {
            int node = known[i];
            int partner = grid.partner(node, plane);
            int partnerPlane = grid.partnerPlane(node, plane);
            if (!grid.isDot(node, plane) && canUncouple(node, plane) && canUncouple(partner, partnerPlane)) {
                uncouple(node, plane);
                add(columns, rows, uncoupled[node][plane], i, 1);
                used.add(uncoupled[node][plane]);
            } else {
                add(columns, rows, coupled[node][plane], i, 1);
                if (!grid.isDot(node, plane)) {
                    add(columns, rows, coupled[partner][partnerPlane], i, GAMMA);
                }
            }
        }
        for (int r = 0; r < rows.size(); r++) {
            if (rows.get(r).addend() != ZERO) {
                columns.computeIfAbsent(rows.get(r).addend(), region -> new int[rows.size()])[r] ^=
                        rows.get(r).addendFactor();
            }
        }
        emit(columns, rows, r -> true);
        used.forEach(free::push);
    }

    private boolean canUncouple(int node, int plane) {
        return !isUnknown(node) && coupled[node][plane] != ZERO;
    }

    /** Takes a pair of known symbols to scratch, each of which the step of one plane then uses. */
    private void uncouple(int node, int plane) {
        if (uncoupled[node][plane] != ZERO) {
            return;
        }
        int partner = grid.partner(node, plane);
        int partnerPlane = grid.partnerPlane(node, plane);
        int[] in = {coupled[node][plane], coupled[partner][partnerPlane]};
        int[] out = {scratch(), scratch()};
        builder.set(out, in, new byte[] {1, GAMMA, GAMMA, 1});
        uncoupled[node][plane] = out[0];
        uncoupled[partner][partnerPlane] = out[1];
    }

    /** One step for the rows that are asked for and are not zero. */
    private void emit(Map<Integer, int[]> columns, List<Row> rows, IntPredicate asked) {
        int[] made = IntStream.range(0, rows.size())
                .filter(asked)
                .filter(r -> columns.values().stream().anyMatch(column -> column[r] != 0))
                .toArray();
        if (made.length == 0) {
            return;
        }
        int[] in = columns.keySet().stream().mapToInt(region -> region).toArray();
        int[] out = IntStream.of(made).map(r -> place(rows.get(r))).toArray();
        byte[] coefficients = new byte[in.length * out.length];
        for (int r = 0; r < made.length; r++) {
            for (int c = 0; c < in.length; c++) {
                coefficients[r * in.length + c] = (byte) columns.get(in[c])[made[r]];
            }
        }
        builder.set(out, in, coefficients);
    }

    /** Puts {@code factor} times a region into the U of the known node {@code i} and so into all rows. */
    private void add(Map<Integer, int[]> columns, List<Row> rows, int region, int i, int factor) {
        if (region == ZERO) {
            return;
        }
        int[] column = columns.computeIfAbsent(region, r -> new int[rows.size()]);
        for (int r = 0; r < column.length; r++) {
            int coefficient =
                    solution.at(Arrays.binarySearch(unknown, rows.get(r).node()), i);
            column[r] ^= GaloisField.multiply(rows.get(r).factor(), GaloisField.multiply(coefficient, factor));
        }
    }

    private int place(Row row) {
        int region = row.table() == coupled ? targets[row.toNode()][row.toPlane()] : ZERO;
        row.table()[row.toNode()][row.toPlane()] = region != ZERO ? region : scratch();
        return row.table()[row.toNode()][row.toPlane()];
    }

    private int scratch() {
        return free.isEmpty() ? builder.scratch() : free.pop();
    }

    /** Takes a pair of uncoupled symbols to the coupled ones that are wanted, if both are solved. */
    private void couple(int node, int plane, boolean[] solved) {
        int partner = grid.partner(node, plane);
        int partnerPlane = grid.partnerPlane(node, plane);
        boolean needed = wanted[node] || wanted[partner];
        if (grid.isDot(node, plane) || !isUnknown(partner) || !solved[partnerPlane] || !needed) {
            return;
        }
        Map<Integer, int[]> columns = new LinkedHashMap<>();
        int[] pair = {uncoupled[node][plane], uncoupled[partner][partnerPlane]};
        if (pair[0] != ZERO) {
            columns.put(pair[0], new int[] {BOTH, GaloisField.multiply(BOTH, GAMMA)});
        }
        if (pair[1] != ZERO) {
            columns.put(pair[1], new int[] {GaloisField.multiply(BOTH, GAMMA), BOTH});
        }
        List<Row> rows = List.of(
                new Row(node, 1, ZERO, 0, coupled, node, plane),
                new Row(partner, 1, ZERO, 0, coupled, partner, partnerPlane));
        emit(columns, rows, r -> wanted[rows.get(r).toNode()]);
        columns.keySet().forEach(free::push);
    }
}
