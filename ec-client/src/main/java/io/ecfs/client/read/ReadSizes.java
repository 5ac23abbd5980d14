package io.ecfs.client.read;

/** Classes of chunk reads whose times may be compared: up to 4 KiB, and each four times larger than the one before. */
final class ReadSizes {
    static final int CLASSES = 8;

    private static final int FIRST_BITS = 12;

    private ReadSizes() {}

    static int classOf(int bytes) {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, bytes) - 1);
        return Math.min(Math.max(0, bits - FIRST_BITS + 1) / 2, CLASSES - 1);
    }
}
