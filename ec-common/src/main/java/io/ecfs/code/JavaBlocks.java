package io.ecfs.code;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** What one thread of the Java kernel works in: a heap block of lanes for each region, and one more for a sum. */
final class JavaBlocks {
    /** Few regions: their blocks share the first level of cache. */
    static final int MAX_LONGS = 512;

    /** Whole lanes of a buffer at any index. Views of the buffer would do the same, and one would be garbage for each block. */
    private static final VarHandle LANES = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final long[] sum = new long[MAX_LONGS];
    private long[][] regions = new long[0][];

    long[] sum() {
        return sum;
    }

    /** At least so many blocks of at least {@link #MAX_LONGS} lanes. Their content is whatever the last run left. */
    long[][] regions(int count) {
        int had = regions.length;
        if (had < count) {
            regions = Arrays.copyOf(regions, count);
            for (int i = had; i < count; i++) {
                regions[i] = new long[MAX_LONGS];
            }
        }
        return regions;
    }

    /** Copies the bytes {@code [from, from + length)} to lanes; a last lane that is not full is filled up with zeros. */
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
