package io.ecfs.client.read;

/** Classes of chunk reads whose times may be compared: up to 4 KiB, and each four times larger than the one before. */
final class ReadSizes {
    static final int CLASSES = 8;

    private static final int FIRST_BITS = 12;

    /** How much larger the reads of one class are than those of the class before. */
    private static final int FACTOR = 4;

    private ReadSizes() {}

    /**
     * The value of a class, or of the nearest class that has one: a smaller read takes no longer than a
     * larger one, and a larger one no longer than as many smaller.
     *
     * @param nanos by class; not a number: unknown
     * @return not a number when nothing is known at all
     */
    static float estimate(float[] nanos, int sizeClass) {
        if (!Float.isNaN(nanos[sizeClass])) {
            return nanos[sizeClass];
        }
        float factor = 1;
        for (int away = 1; away < CLASSES; away++) {
            factor *= FACTOR;
            if (sizeClass + away < CLASSES && !Float.isNaN(nanos[sizeClass + away])) {
                return nanos[sizeClass + away];
            }
            if (sizeClass >= away && !Float.isNaN(nanos[sizeClass - away])) {
                return factor * nanos[sizeClass - away];
            }
        }
        return Float.NaN;
    }

    static int classOf(int bytes) {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, bytes) - 1);
        return Math.min(Math.max(0, bits - FIRST_BITS + 1) / 2, CLASSES - 1);
    }
}
