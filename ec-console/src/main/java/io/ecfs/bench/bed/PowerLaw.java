package io.ecfs.bench.bed;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Draws ranks 0 … n - 1 with probability proportional to {@code 1 / (rank + 1)^exponent} (Zipf); an exponent of 0 is
 * uniform.
 */
final class PowerLaw {
    private final double[] upTo;

    PowerLaw(int ranks, double exponent) {
        upTo = new double[ranks];
        double sum = 0;
        for (int i = 0; i < ranks; i++) {
            sum += Math.pow(i + 1.0, -exponent);
            upTo[i] = sum;
        }
    }

    int draw(SplittableRandom random) {
        int found = Arrays.binarySearch(upTo, random.nextDouble() * upTo[upTo.length - 1]);
        return Math.min(found >= 0 ? found + 1 : -found - 1, upTo.length - 1);
    }
}
