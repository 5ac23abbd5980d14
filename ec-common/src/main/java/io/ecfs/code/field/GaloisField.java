package io.ecfs.code.field;

/**
 * Scalar arithmetic in GF(2^8) with the polynomial 0x11d and the generator 2, as in ISA-L and Hadoop. For matrices
 * only.
 */
public final class GaloisField {
    private static final int POLYNOMIAL = 0x11d;
    /** EXP[i] = 2^i for i in [0, 510), so that sums of two logarithms need no reduction. */
    private static final int[] EXP = new int[510];

    private static final int[] LOG = new int[256];

    static {
        int power = 1;
        for (int i = 0; i < 255; i++) {
            EXP[i] = power;
            EXP[i + 255] = power;
            LOG[power] = i;
            power <<= 1;
            if (power > 255) {
                power ^= POLYNOMIAL;
            }
        }
    }

    private GaloisField() {}

    public static int multiply(int a, int b) {
        return a == 0 || b == 0 ? 0 : EXP[LOG[a] + LOG[b]];
    }

    /** a to the power of e >= 0; 1 for e = 0. */
    public static int power(int a, int e) {
        if (a == 0) {
            return e == 0 ? 1 : 0;
        }
        return EXP[LOG[a] * (e % 255) % 255];
    }

    /** The inverse of a, which must not be 0. */
    public static int invert(int a) {
        if (a == 0) {
            throw new ArithmeticException("0 has no inverse");
        }
        return EXP[255 - LOG[a]];
    }
}
