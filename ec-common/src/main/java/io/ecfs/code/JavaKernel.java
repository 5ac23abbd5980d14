package io.ecfs.code;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;

/**
 * The kernel in pure Java: eight field elements to a 64-bit lane, in loops over {@code long[]} that the JIT turns into
 * vector instructions.
 *
 * <p>A product of a region with the coefficient c is the sum of {@code 2^b * region} over the bits b of c. By Horner's rule
 * an output row takes seven doublings altogether, whatever the number of inputs, and between them XORs of those inputs whose
 * coefficient has the bit:
 *
 * <pre>
 *   out = 0;  for b = 7 .. 0:  out = 2 * out;  for each column c whose coefficient has bit b:  out = out + in[c]
 * </pre>
 *
 * <p>Work goes in blocks that are copied to heap arrays of the calling thread and stay in the first level of cache.
 */
final class JavaKernel implements GaloisKernel {
    static final String NAME = "java";

    private static final int BLOCK_LONGS = 512;
    private static final int BLOCK_BYTES = BLOCK_LONGS * Long.BYTES;
    private static final long LOW_SEVEN_BITS = 0x7f7f7f7f7f7f7f7fL;
    private static final long LOW_BIT = 0x0101010101010101L;

    /** SINGLE[c] is the schedule of a one-column row with the coefficient c. Never changed. */
    private static final int[][][] SINGLE = new int[256][][];

    static {
        for (int c = 0; c < 256; c++) {
            SINGLE[c] = schedule(new byte[] {(byte) c}, 0, 1);
        }
    }

    private final ThreadLocal<Scratch> scratch = ThreadLocal.withInitial(Scratch::new);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "pure Java (64-bit lanes)";
    }

    @Override
    public Tables prepare(byte[] matrix, int rows, int columns) {
        if (rows < 1 || columns < 1 || matrix.length != rows * columns) {
            throw new IllegalArgumentException(
                    "a matrix of " + matrix.length + " coefficients is not " + rows + " x " + columns);
        }
        int[][][] schedules = new int[rows][][];
        for (int r = 0; r < rows; r++) {
            schedules[r] = schedule(matrix, r * columns, columns);
        }
        return new JavaTables(rows, columns, matrix.clone(), schedules);
    }

    /** For each bit the columns whose coefficient has it. */
    private static int[][] schedule(byte[] matrix, int from, int columns) {
        int[][] byBit = new int[8][];
        for (int bit = 0; bit < 8; bit++) {
            int[] having = new int[columns];
            int count = 0;
            for (int c = 0; c < columns; c++) {
                if ((matrix[from + c] >>> bit & 1) != 0) {
                    having[count++] = c;
                }
            }
            byBit[bit] = Arrays.copyOf(having, count);
        }
        return byBit;
    }

    @Override
    public void apply(Tables tables, ByteBuffer[] in, ByteBuffer[] out) {
        JavaTables mine = mine(tables);
        int bytes = Regions.length(in);
        Regions.checkInputs("input", in, mine.columns, bytes);
        Regions.checkOutputs("output", out, mine.rows, bytes);
        combine(mine.schedules, in, out, bytes);
    }

    private void combine(int[][][] schedules, ByteBuffer[] in, ByteBuffer[] out, int bytes) {
        Scratch work = scratch.get();
        long[][] inputs = work.inputs(in.length);
        for (int offset = 0; offset < bytes; offset += BLOCK_BYTES) {
            int length = Math.min(BLOCK_BYTES, bytes - offset);
            int longs = (length + Long.BYTES - 1) / Long.BYTES;
            for (int c = 0; c < in.length; c++) {
                load(in[c], offset, length, inputs[c]);
            }
            for (int r = 0; r < out.length; r++) {
                row(schedules[r], inputs, work.sum, longs);
                store(work.sum, out[r], offset, length);
            }
        }
    }

    @Override
    public void multiplyAdd(Tables tables, int column, ByteBuffer in, ByteBuffer[] out) {
        JavaTables mine = mine(tables);
        if (column < 0 || column >= mine.columns) {
            throw new IllegalArgumentException("column " + column + " is not in [0, " + mine.columns + ")");
        }
        int bytes = in.remaining();
        Regions.checkInput("input", column, in, bytes);
        Regions.checkOutputs("output", out, mine.rows, bytes);
        Scratch work = scratch.get();
        long[][] inputs = work.inputs(2);
        for (int offset = 0; offset < bytes; offset += BLOCK_BYTES) {
            int length = Math.min(BLOCK_BYTES, bytes - offset);
            int longs = (length + Long.BYTES - 1) / Long.BYTES;
            load(in, offset, length, inputs[0]);
            for (int r = 0; r < out.length; r++) {
                row(SINGLE[mine.matrix[r * mine.columns + column] & 0xff], inputs, work.sum, longs);
                load(out[r], offset, length, inputs[1]);
                add(work.sum, inputs[1], longs);
                store(work.sum, out[r], offset, length);
            }
        }
    }

    @Override
    public void xor(ByteBuffer[] in, ByteBuffer out) {
        int bytes = out.remaining();
        Regions.checkInputs("input", in, in.length, bytes);
        Regions.checkOutput("output", 0, out, bytes);
        int[][] schedule = new int[8][0];
        schedule[0] = new int[in.length];
        Arrays.setAll(schedule[0], c -> c);
        combine(new int[][][] {schedule}, in, new ByteBuffer[] {out}, bytes);
    }

    private static JavaTables mine(Tables tables) {
        if (tables instanceof JavaTables mine) {
            return mine;
        }
        throw new IllegalArgumentException("the tables were prepared by another kernel: " + tables.getClass());
    }

    /** One output row over one block, by Horner's rule. */
    private static void row(int[][] schedule, long[][] inputs, long[] sum, int longs) {
        boolean started = false;
        for (int bit = 7; bit >= 0; bit--) {
            if (started) {
                twice(sum, longs);
            }
            int[] columns = schedule[bit];
            int at = 0;
            if (!started && columns.length > 0) {
                System.arraycopy(inputs[columns[0]], 0, sum, 0, longs);
                started = true;
                at = 1;
            }
            for (; at + 4 <= columns.length; at += 4) {
                add4(
                        sum,
                        inputs[columns[at]],
                        inputs[columns[at + 1]],
                        inputs[columns[at + 2]],
                        inputs[columns[at + 3]],
                        longs);
            }
            for (; at < columns.length; at++) {
                add(sum, inputs[columns[at]], longs);
            }
        }
        if (!started) {
            Arrays.fill(sum, 0, longs, 0);
        }
    }

    /** Doubles each byte: shift left, and where the high bit went out add 0x1d (bits 0, 2, 3 and 4). */
    private static void twice(long[] sum, int longs) {
        for (int i = 0; i < longs; i++) {
            long value = sum[i];
            long high = (value >>> 7) & LOW_BIT;
            sum[i] = ((value & LOW_SEVEN_BITS) << 1) ^ high ^ (high << 2) ^ (high << 3) ^ (high << 4);
        }
    }

    private static void add(long[] sum, long[] a, int longs) {
        for (int i = 0; i < longs; i++) {
            sum[i] ^= a[i];
        }
    }

    private static void add4(long[] sum, long[] a, long[] b, long[] c, long[] d, int longs) {
        for (int i = 0; i < longs; i++) {
            sum[i] ^= a[i] ^ b[i] ^ c[i] ^ d[i];
        }
    }

    private static LongBuffer lanes(ByteBuffer buffer, int offset, int length) {
        return buffer.slice(buffer.position() + offset, length)
                .order(ByteOrder.nativeOrder())
                .asLongBuffer();
    }

    private static void load(ByteBuffer buffer, int offset, int length, long[] into) {
        int whole = length / Long.BYTES;
        lanes(buffer, offset, length).get(0, into, 0, whole);
        int rest = length % Long.BYTES;
        if (rest != 0) {
            int from = buffer.position() + offset + whole * Long.BYTES;
            long last = 0;
            for (int i = 0; i < rest; i++) {
                last |= (buffer.get(from + i) & 0xffL) << (8 * i);
            }
            into[whole] = last;
        }
    }

    private static void store(long[] lanes, ByteBuffer buffer, int offset, int length) {
        int whole = length / Long.BYTES;
        lanes(buffer, offset, length).put(0, lanes, 0, whole);
        int from = buffer.position() + offset + whole * Long.BYTES;
        for (int i = 0; i < length % Long.BYTES; i++) {
            buffer.put(from + i, (byte) (lanes[whole] >>> (8 * i)));
        }
    }

    /** A row's schedule has the columns by bit of their coefficients. Its arrays are never changed. */
    private static final class JavaTables implements Tables {
        private final int rows;
        private final int columns;
        private final byte[] matrix;
        private final int[][][] schedules;

        JavaTables(int rows, int columns, byte[] matrix, int[][][] schedules) {
            this.rows = rows;
            this.columns = columns;
            this.matrix = matrix;
            this.schedules = schedules;
        }

        @Override
        public int rows() {
            return rows;
        }

        @Override
        public int columns() {
            return columns;
        }
    }

    /** The blocks of one thread: (inputs + 1) x 4 KiB. */
    private static final class Scratch {
        private final long[] sum = new long[BLOCK_LONGS];
        private long[][] inputs = new long[0][];

        long[][] inputs(int count) {
            int had = inputs.length;
            if (had < count) {
                inputs = Arrays.copyOf(inputs, count);
                for (int i = had; i < count; i++) {
                    inputs[i] = new long[BLOCK_LONGS];
                }
            }
            return inputs;
        }
    }
}
