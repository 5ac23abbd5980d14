package io.ecfs.code.field;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Parity rows of zeros and ones: each chunk is w packets, and each packet of parity is the XOR of the data packets that
 * its row names.
 */
public final class BitMatrices {
    private static final int[] POLYNOMIALS = {0, 0, 0, 0, 0x13, 0, 0, 0, 0x11d};

    private BitMatrices() {}

    /**
     * A Cauchy matrix over GF(2^w) as bits, chosen for few ones (Plank and Xu, Optimizing Cauchy Reed-Solomon Codes,
     * NCA 2006): columns are scaled so that the first parity is plain XOR, rows so that they have the fewest ones, and
     * of all columns that a Cauchy matrix may have the k with the fewest ones are taken.
     *
     * @return (m w) x (k w)
     */
    public static Matrix cauchy(int k, int m, int w) {
        int size = 1 << w;
        int[][] columns = new int[size - m][m];
        for (int y = m; y < size; y++) {
            int first = inverse(y, w);
            for (int x = 0; x < m; x++) {
                columns[y - m][x] = multiply(inverse(x ^ y, w), inverse(first, w), w);
            }
        }
        int[] ones = IntStream.range(0, size).map(e -> ones(e, w)).toArray();
        int[] chosen = IntStream.range(0, k).toArray();
        int[] scales = new int[m];
        for (int round = 0; round < 2; round++) {
            for (int x = 0; x < m; x++) {
                scales[x] = x == 0 ? 1 : cheapestScale(columns, chosen, x, ones, w);
            }
            chosen = IntStream.range(0, columns.length)
                    .boxed()
                    .sorted(Comparator.comparingInt(c -> cost(columns[c], scales, ones, w)))
                    .limit(k)
                    .mapToInt(c -> c)
                    .sorted()
                    .toArray();
        }
        int[] taken = chosen;
        return Matrix.filled(m * w, k * w, (row, column) -> {
            int element = multiply(columns[taken[column / w]][row / w], scales[row / w], w);
            return bit(element, row % w, column % w, w);
        });
    }

    private static int cheapestScale(int[][] columns, int[] chosen, int x, int[] ones, int w) {
        return IntStream.range(1, 1 << w)
                .boxed()
                .min(Comparator.comparingInt(scale -> IntStream.of(chosen)
                        .map(c -> ones[multiply(columns[c][x], scale, w)])
                        .sum()))
                .orElseThrow();
    }

    private static int cost(int[] column, int[] scales, int[] ones, int w) {
        return IntStream.range(0, column.length)
                .map(x -> ones[multiply(column[x], scales[x], w)])
                .sum();
    }

    /** Bit of the product's row in {@code element} times 2^column: the w x w matrix that multiplies by the element. */
    private static int bit(int element, int row, int column, int w) {
        return multiply(element, 1 << column, w) >>> row & 1;
    }

    private static int ones(int element, int w) {
        return IntStream.range(0, w)
                .map(column -> Integer.bitCount(multiply(element, 1 << column, w)))
                .sum();
    }

    private static int multiply(int a, int b, int w) {
        int product = 0;
        for (int bit = w - 1; bit >= 0; bit--) {
            product <<= 1;
            if (product >>> w != 0) {
                product ^= POLYNOMIALS[w];
            }
            if ((b >>> bit & 1) != 0) {
                product ^= a;
            }
        }
        return product;
    }

    /** a^(2^w - 2). */
    private static int inverse(int a, int w) {
        int inverse = 1;
        for (int i = 0; i < (1 << w) - 2; i++) {
            inverse = multiply(inverse, a, w);
        }
        return inverse;
    }

    /**
     * P is the XOR of the data; Q is the sum of X_i d_i, where X_0 is the identity and X_i the cyclic shift by i with
     * one more one, in row r = i (w-1)/2 mod w and column r + i - 1 mod w. Q has k w + k - 1 ones, and no RAID-6 bit
     * matrix has fewer.
     *
     * @param w a prime, at least k
     * @return (2 w) x (k w)
     */
    public static Matrix liberation(int k, int w) {
        return Matrix.filled(2 * w, k * w, (row, column) -> {
            int i = column / w;
            int c = column % w;
            if (row < w) {
                return row == c ? 1 : 0;
            }
            int r = row - w;
            boolean shift = (r + i) % w == c;
            boolean extra = i > 0 && r == i * (w - 1) / 2 % w && c == (r + i - 1) % w;
            return shift != extra ? 1 : 0;
        });
    }
}
