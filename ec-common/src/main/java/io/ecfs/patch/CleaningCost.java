package io.ecfs.patch;

/**
 * Cost of cleaning a log in which uniformly random pages are overwritten, oldest segment first.
 *
 * <p>With spare space s (stored bytes are (1 + s) times the live ones) a segment that is cleaned has a share u of live
 * bytes, where the mean share over all segments is
 *
 * <pre>
 *      1         1 - u
 *    -----  =  --------
 *    1 + s      -ln u
 * </pre>
 *
 * <p>The live bytes are written again, so each byte of the user costs 1 / (1 - u) bytes. From Desnoyers,
 * Analytic Models of SSD Write Performance (ACM Transactions on Storage, 2014).
 */
public final class CleaningCost {
    /** Least spare space for which the equation is solved. */
    public static final double MIN_SPARE = 1e-6;

    private static final int MAX_STEPS = 100;

    private CleaningCost() {}

    /**
     * Live share of the groups that are cleaned.
     *
     * @param spare stored bytes that are not live, for each live byte
     * @throws IllegalArgumentException for a spare that is not a number from {@link #MIN_SPARE} up
     */
    public static double liveShare(double spare) {
        return 1 - freedShare(spare);
    }

    /**
     * Bytes written for each byte of the user, without parity.
     *
     * @param spare as in {@link #liveShare}
     */
    public static double writtenPerByte(double spare) {
        return 1 / freedShare(spare);
    }

    /** Solves the equation for 1 - u, by bisection: the spare grows with it. */
    private static double freedShare(double spare) {
        if (!(spare >= MIN_SPARE) || Double.isInfinite(spare)) {
            throw new IllegalArgumentException("cleaning needs a spare of at least " + MIN_SPARE + ", got " + spare
                    + ": give it, for example, 0.5");
        }
        double low = 0;
        double high = 1;
        for (int step = 0; step < MAX_STEPS; step++) {
            double middle = (low + high) / 2;
            if (spareOf(middle) < spare) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    private static double spareOf(double freed) {
        return -Math.log1p(-freed) / freed - 1;
    }
}
