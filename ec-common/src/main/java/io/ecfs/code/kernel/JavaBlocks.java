package io.ecfs.code.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Work memory of one thread of the Java kernel: a heap block of lanes for each region, and one more for a sum. */
final class JavaBlocks {
    /** Few regions: their blocks share the first level of cache. */
    private static final int MAX_LONGS = 512;

    private static final int MIN_LONGS = 64;

    /**
     * The blocks of all regions together stay within this, as long as they are not too many, so that they stay in the
     * second level.
     */
    private static final int ALL_LONGS = 64 * 1024;

    /**
     * Whole lanes of a buffer at any index. Views of the buffer would do the same, and one would be garbage for each
     * block.
     */
    private static final VarHandle LANES = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final long[] sum = new long[MAX_LONGS];
    private long[][] regions = new long[0][];

    long[] sum() {
        return sum;
    }

    /** Length of the blocks of a program of so many regions. */
    static int longs(int regions) {
        return Math.max(MIN_LONGS, Math.min(MAX_LONGS, ALL_LONGS / regions / MIN_LONGS * MIN_LONGS));
    }

    /** At least so many blocks of at least {@link #longs} lanes each. Their content is left over from the last run. */
    long[][] regions(int count) {
        int had = regions.length;
        if (had < count) {
            regions = Arrays.copyOf(regions, count);
            for (int i = had; i < count; i++) {
                // Only programs of more than i regions use it, and their blocks are no longer than this.
                regions[i] = new long[longs(i + 1)];
            }
        }
        return regions;
    }

    /**
     * Copies the bytes {@code [from, from + length)} to lanes; a last lane that is not full is filled up with zeros.
     */
    static void load(ByteBuffer buffer, int from, int length, long[] into) {
        int whole = length / Long.BYTES;
        for (int i = 0; i < whole; i++) {
            into[i] = (long) LANES.get(buffer, from + i * Long.BYTES);
        }
        int rest = length % Long.BYTES;
        if (rest != 0) {
            long last = 0;
            for (int i = 0; i < rest; i++) {
                last |= (buffer.get(from + whole * Long.BYTES + i) & 0xffL) << (8 * i);
            }
            into[whole] = last;
        }
    }

    /** Copies lanes to the bytes {@code [from, from + length)}. */
    static void store(long[] lanes, ByteBuffer buffer, int from, int length) {
        int whole = length / Long.BYTES;
        for (int i = 0; i < whole; i++) {
            LANES.set(buffer, from + i * Long.BYTES, lanes[i]);
        }
        for (int i = 0; i < length % Long.BYTES; i++) {
            buffer.put(from + whole * Long.BYTES + i, (byte) (lanes[whole] >>> (8 * i)));
        }
    }
}
