package io.ecfs.code.construction;

import io.ecfs.code.field.Matrix;
import io.ecfs.code.kernel.Schedule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Turns a matrix of zeros and ones into XORs, few of them: a row may begin with rows that were computed before it when
 * what then remains is shorter than the row itself (Plank, The RAID-6 Liberation Codes, section 6: "bit matrix
 * scheduling").
 *
 * <p>Each row becomes one step that XORs all it needs at once, so that a packet is written once however many it is made
 * of. Rows are taken in the order of their cost at that moment, cheapest first. For the rows that two lost chunks are
 * solved by, which are dense but differ little from one another, this finds the zigzag between the two parities.
 */
final class XorSchedule {
    /** A row that is still to be computed. */
    private static final class Target {
        final int region;
        final long[] row;
        /** The computed regions that it begins with, and what then remains. */
        List<Integer> parents = List.of();

        long[] rest;

        Target(int region, long[] row) {
            this.region = region;
            this.row = row;
            this.rest = row;
        }

        int cost() {
            return parents.size() + ones(rest);
        }

        /** Adds one more computed row, or begins with that alone, whichever is cheaper. */
        void offer(Target computed) {
            long[] further = sum(rest, computed.row);
            long[] anew = sum(row, computed.row);
            if (parents.size() + 1 + ones(further) < Math.min(cost(), 1 + ones(anew))) {
                parents = new ArrayList<>(parents);
                parents.add(computed.region);
                rest = further;
            } else if (1 + ones(anew) < cost()) {
                parents = List.of(computed.region);
                rest = anew;
            }
        }
    }

    private XorSchedule() {}

    /**
     * Adds the steps that compute all rows.
     *
     * @param builder of a schedule whose input regions are the columns and whose output regions are the rows; no row is
     *     zero
     */
    static Schedule of(Schedule.Builder builder, Matrix matrix) {
        List<Target> waiting = new ArrayList<>();
        for (int row = 0; row < matrix.rows(); row++) {
            waiting.add(new Target(matrix.columns() + row, bits(matrix, row)));
        }
        while (!waiting.isEmpty()) {
            int cheapest = 0;
            for (int i = 1; i < waiting.size(); i++) {
                if (waiting.get(i).cost() < waiting.get(cheapest).cost()) {
                    cheapest = i;
                }
            }
            Target next = waiting.remove(cheapest);
            int[] in = inputs(next);
            byte[] ones = new byte[in.length];
            Arrays.fill(ones, (byte) 1);
            builder.set(new int[] {next.region}, in, ones);
            waiting.forEach(target -> target.offer(next));
        }
        return builder.build();
    }

    private static int[] inputs(Target target) {
        int[] in = new int[target.cost()];
        int at = 0;
        for (int parent : target.parents) {
            in[at++] = parent;
        }
        for (int word = 0; word < target.rest.length; word++) {
            for (long bits = target.rest[word]; bits != 0; bits &= bits - 1) {
                in[at++] = word * Long.SIZE + Long.numberOfTrailingZeros(bits);
            }
        }
        return in;
    }

    private static long[] bits(Matrix matrix, int row) {
        long[] bits = new long[(matrix.columns() + Long.SIZE - 1) / Long.SIZE];
        for (int c = 0; c < matrix.columns(); c++) {
            bits[c / Long.SIZE] |= (long) matrix.at(row, c) << c % Long.SIZE;
        }
        return bits;
    }

    private static long[] sum(long[] a, long[] b) {
        long[] sum = a.clone();
        for (int i = 0; i < sum.length; i++) {
            sum[i] ^= b[i];
        }
        return sum;
    }

    private static int ones(long[] bits) {
        int ones = 0;
        for (long word : bits) {
            ones += Long.bitCount(word);
        }
        return ones;
    }
}
