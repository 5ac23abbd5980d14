package io.ecfs.console.cluster;

/**
 * File contents in which every byte depends on its position and on the file's seed, so that bytes that moved are
 * noticed.
 */
final class Pattern {
    private Pattern() {}

    static byte[] bytes(long seed, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (((i + 1 + (seed << 40)) * 0x9E37_79B9_7F4A_7C15L) >>> 56);
        }
        return bytes;
    }
}
