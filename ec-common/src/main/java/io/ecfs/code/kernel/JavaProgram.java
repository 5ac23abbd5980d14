package io.ecfs.code.kernel;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * A schedule as the Java kernel runs it: row by row of each step, block by block of the regions.
 *
 * <p>A product of a region with the coefficient c is the sum of {@code 2^b * region} over the bits b of c. By Horner's
 * rule a row takes seven doublings at most, for any number of inputs, and between them XORs of those inputs whose
 * coefficient has the bit:
 *
 * <pre>
 *   out = 0;  for b = 7 .. 0:  out = 2 * out;  for each input whose coefficient has bit b:  out = out + input
 * </pre>
 */
final class JavaProgram implements Program {
    private static final long LOW_SEVEN_BITS = 0x7f7f7f7f7f7f7f7fL;
    private static final long LOW_BIT = 0x0101010101010101L;

    private final Regions checks;
    private final ThreadLocal<JavaBlocks> blocks;
    private final int regions;
    private final int blockBytes;
    private final Row[] rows;
    /** For each input or output region its buffer (outputs counted behind inputs) and its place there. */
    private final int[] buffers;

    private final int[] places;
    private final int inputBuffers;
    private final int[] loaded;
    private final int[] stored;

    JavaProgram(Schedule schedule, ThreadLocal<JavaBlocks> blocks) {
        this.checks = Regions.of(schedule);
        this.blocks = blocks;
        this.regions = schedule.regions();
        this.blockBytes = Long.BYTES * JavaBlocks.longs(regions);
        this.inputBuffers = schedule.inputs().length;
        int outside = regions - schedule.scratch();
        this.buffers = new int[outside];
        this.places = new int[outside];
        int firstOutput = place(schedule.inputs(), 0, 0);
        place(schedule.outputs(), inputBuffers, firstOutput);

        List<Row> program = new ArrayList<>();
        BitSet toLoad = new BitSet();
        BitSet written = new BitSet();
        for (Schedule.Step step : schedule.steps()) {
            for (int read : step.in()) {
                if (read < firstOutput) {
                    toLoad.set(read);
                }
            }
            for (int r = 0; r < step.out().length; r++) {
                int out = step.out()[r];
                if (step.adds() && !written.get(out)) {
                    toLoad.set(out);
                }
                program.add(Row.of(step, r));
                written.set(out);
            }
        }
        this.rows = program.toArray(Row[]::new);
        this.loaded = toLoad.stream().toArray();
        this.stored = written.stream().filter(region -> region < outside).toArray();
    }

    private int place(int[] counts, int firstBuffer, int firstRegion) {
        int region = firstRegion;
        for (int buffer = 0; buffer < counts.length; buffer++) {
            for (int at = 0; at < counts[buffer]; at++) {
                buffers[region] = firstBuffer + buffer;
                places[region] = at;
                region++;
            }
        }
        return region;
    }

    @Override
    public void run(ByteBuffer[] inputs, ByteBuffer[] outputs) {
        int bytes = checks.check(inputs, outputs);
        Regions.checkApart(inputs, outputs);
        JavaBlocks mine = blocks.get();
        long[][] lanes = mine.regions(regions);
        for (long at = 0; at < bytes; at += blockBytes) {
            int offset = (int) at;
            int length = Math.min(blockBytes, bytes - offset);
            int longs = (length + Long.BYTES - 1) / Long.BYTES;
            for (int region : loaded) {
                ByteBuffer buffer = buffer(region, inputs, outputs);
                JavaBlocks.load(buffer, buffer.position() + places[region] * bytes + offset, length, lanes[region]);
            }
            for (Row row : rows) {
                row.run(lanes, mine.sum(), longs);
            }
            for (int region : stored) {
                ByteBuffer buffer = buffer(region, inputs, outputs);
                JavaBlocks.store(lanes[region], buffer, buffer.position() + places[region] * bytes + offset, length);
            }
        }
    }

    private ByteBuffer buffer(int region, ByteBuffer[] inputs, ByteBuffer[] outputs) {
        int buffer = buffers[region];
        return buffer < inputBuffers ? inputs[buffer] : outputs[buffer - inputBuffers];
    }

    /** One output of a step. */
    private static final class Row {
        private final int out;
        private final boolean adds;
        /** For each bit the regions whose coefficient has it. */
        private final int[][] byBit;

        private final boolean isXor;

        private Row(int out, boolean adds, int[][] byBit) {
            this.out = out;
            this.adds = adds;
            this.byBit = byBit;
            this.isXor = Arrays.stream(byBit, 1, 8).allMatch(having -> having.length == 0);
        }

        static Row of(Schedule.Step step, int row) {
            int columns = step.in().length;
            int[][] byBit = new int[8][];
            for (int bit = 0; bit < 8; bit++) {
                int[] having = new int[columns];
                int count = 0;
                for (int c = 0; c < columns; c++) {
                    if ((step.coefficients()[row * columns + c] >>> bit & 1) != 0) {
                        having[count++] = step.in()[c];
                    }
                }
                byBit[bit] = Arrays.copyOf(having, count);
            }
            return new Row(step.out()[row], step.adds(), byBit);
        }

        void run(long[][] lanes, long[] spare, int longs) {
            if (!adds) {
                sum(lanes, lanes[out], longs);
            } else if (isXor) {
                addAll(lanes[out], lanes, byBit[0], 0, longs);
            } else {
                sum(lanes, spare, longs);
                add(lanes[out], spare, longs);
            }
        }

        private void sum(long[][] lanes, long[] sum, int longs) {
            boolean started = false;
            for (int bit = 7; bit >= 0; bit--) {
                if (started) {
                    twice(sum, longs);
                }
                int[] having = byBit[bit];
                if (started) {
                    addAll(sum, lanes, having, 0, longs);
                } else if (having.length > 0) {
                    System.arraycopy(lanes[having[0]], 0, sum, 0, longs);
                    addAll(sum, lanes, having, 1, longs);
                    started = true;
                }
            }
            if (!started) {
                Arrays.fill(sum, 0, longs, 0);
            }
        }
    }

    private static void addAll(long[] sum, long[][] lanes, int[] which, int from, int longs) {
        int at = from;
        for (; at + 4 <= which.length; at += 4) {
            add4(sum, lanes[which[at]], lanes[which[at + 1]], lanes[which[at + 2]], lanes[which[at + 3]], longs);
        }
        for (; at < which.length; at++) {
            add(sum, lanes[which[at]], longs);
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
}
