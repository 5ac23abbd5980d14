package io.ecfs.transfer;

/**
 * CRC32C of bytes of which only the checksums of parts are known, one behind the other. A checksum is a polynomial over
 * GF(2) modulo that of CRC32C: behind it b bytes follow when it is multiplied by x^(8b), and what they add is their own
 * checksum (zlib: crc32_combine; Hadoop: CrcComposer). For one thread.
 */
public final class ComposedChecksum {
    /** Of CRC32C, the highest power in the lowest bit, as in all numbers here. */
    private static final int POLYNOMIAL = 0x82F63B78;

    private static final int ONE = 1 << 31;

    /** x^(8 * 2^i). */
    private static final int[] POWERS = powers();

    private static final int BEHIND_A_WINDOW = behind(ChunkPayload.WINDOW_BYTES);

    private int value;

    /** Adds a part of {@code bytes} bytes with this checksum. */
    public void add(int checksum, long bytes) {
        int power = bytes == ChunkPayload.WINDOW_BYTES ? BEHIND_A_WINDOW : behind(bytes);
        value = times(value, power) ^ checksum;
    }

    /** Adds so many zeros. */
    public void addZeros(long bytes) {
        // The sum register begins with ones and is inverted in the end.
        value = ~times(~value, behind(bytes));
    }

    /** CRC32C of all parts; 0 of none. */
    public int value() {
        return value;
    }

    /** x^(8 * bytes). */
    private static int behind(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("a checksum of " + bytes + " bytes");
        }
        int power = ONE;
        for (int i = 0; bytes >>> i != 0; i++) {
            if (((bytes >>> i) & 1) != 0) {
                power = times(power, POWERS[i]);
            }
        }
        return power;
    }

    private static int[] powers() {
        int[] powers = new int[Long.SIZE - 1];
        powers[0] = ONE >>> 8;
        for (int i = 1; i < powers.length; i++) {
            powers[i] = times(powers[i - 1], powers[i - 1]);
        }
        return powers;
    }

    /** The product of two polynomials modulo that of CRC32C. */
    private static int times(int a, int b) {
        int product = 0;
        int shifted = b;
        for (int bit = ONE; bit != 0; bit >>>= 1) {
            if ((a & bit) != 0) {
                product ^= shifted;
            }
            shifted = (shifted & 1) != 0 ? (shifted >>> 1) ^ POLYNOMIAL : shifted >>> 1;
        }
        return product;
    }
}
