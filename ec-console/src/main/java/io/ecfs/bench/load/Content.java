package io.ecfs.bench.load;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The bytes of all files: each slice of 1 MiB of a file lies at a hashed offset of one random pool, so that files cost
 * no time to make, do not compress, differ from each other, and can be checked without a copy.
 */
public final class Content {
    public static final int SLICE = 1 << 20;

    private static final int LARGEST_POOL = 256 * SLICE;
    private static final int SMALLEST_POOL = 4 * SLICE;
    private static final long SEED = 42;
    private static final long SLICES_OF_FILE = 1_000_003L;

    private final byte[] pool;

    /** @param bytes that will be written; no larger pool than that is made */
    public Content(long bytes) {
        pool = new byte[(int) Math.max(SMALLEST_POOL, Math.min(LARGEST_POOL, bytes))];
        new SplittableRandom(SEED).nextBytes(pool);
    }

    public byte[] pool() {
        return pool;
    }

    /** Offset in the pool of slice {@code slice} of file {@code file}; 1 MiB follows. */
    public int offset(long file, long slice) {
        long z = (file * SLICES_OF_FILE + slice) * 0x9E37_79B9_7F4A_7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        z ^= z >>> 27;
        return (int) Math.floorMod(z, (long) pool.length - SLICE);
    }

    /** True when the first {@code length} of {@code bytes} are the beginning of that slice. */
    public boolean holds(byte[] bytes, int length, long file, long slice) {
        int at = offset(file, slice);
        return Arrays.equals(bytes, 0, length, pool, at, at + length);
    }
}
