package io.ecfs.code;

import io.ecfs.code.field.BitMatrices;
import io.ecfs.code.field.GaloisField;
import io.ecfs.code.field.Matrix;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The generator matrices of the linear families: which rows of coefficients make which chunk from the data. */
public final class Generators {
    /** 2^17 generates the 15 units of the subfield of 16 elements. */
    private static final int SUBFIELD_STEP = 17;

    private Generators() {}

    /** (n x alpha) rows of (k x alpha) coefficients; the first k x alpha rows are the identity. */
    public static Matrix of(CodeSpec spec) {
        int k = spec.dataChunks();
        int m = spec.parityChunks();
        List<Integer> numbers = spec.parameters();
        Matrix parity = switch (spec.family()) {
            case RS -> Matrix.cauchy(k, m);
            case RS_VAN -> vandermonde(k, m);
            case XOR, REPLICATION -> Matrix.filled(m, k, (row, column) -> 1);
            case LRC -> lrc(numbers.get(0), numbers.get(1), numbers.get(2));
            case SHEC -> shec(k, m, numbers.get(2));
            case CRS -> BitMatrices.cauchy(k, m, spec.wordBits());
            case LIBERATION -> BitMatrices.liberation(k, spec.wordBits());
            case CLAY -> throw new IllegalArgumentException(spec + " is computed in layers and not by a matrix");
        };
        return Matrix.identity(parity.columns()).above(parity);
    }

    /**
     * The rows below the top square of V times the inverse of that square, where V has i^j in row i and column j. Any k
     * rows of V are those of k different points and so invertible, and multiplying by an invertible matrix leaves them
     * so: the code is MDS.
     */
    static Matrix vandermonde(int k, int m) {
        Matrix points = Matrix.filled(k + m, k, GaloisField::power);
        Matrix top = points.select(IntStream.range(0, k).toArray());
        Matrix bottom = points.select(IntStream.range(k, k + m).toArray());
        return bottom.times(top.inverse().orElseThrow());
    }

    /**
     * l rows that add up the data of one group each, then g global rows with the coefficients a_j and, for g = 2,
     * a_j^2.
     *
     * <p>a_j = 2^b u for the member of group b with the unit u of the subfield of 16 elements, so that the differences
     * within a group lie in 2^b GF(16), and the groups' differences have only 0 in common. With that every pattern
     * decodes that any choice of coefficients could decode: what is left of a pattern once each group's parity is used
     * is a square of rows x and x^2 over the differences x within groups, different and not 0, which is a Vandermonde
     * matrix but for a factor.
     */
    static Matrix lrc(int k, int l, int g) {
        int group = k / l;
        return Matrix.filled(l + g, k, (row, j) -> {
            if (row < l) {
                return j / group == row ? 1 : 0;
            }
            int coefficient = GaloisField.power(2, j / group + SUBFIELD_STEP * (j % group));
            return row == l ? coefficient : GaloisField.multiply(coefficient, coefficient);
        });
    }

    /**
     * Cauchy rows, of which parity r keeps the columns from floor(r k/m) up to floor((r + c) k/m), modulo k. The rows
     * are the first m but for four shapes, where they are the first ones with which any c losses decode.
     */
    static Matrix shec(int k, int m, int c) {
        int first = switch (k + "-" + m + "-" + c) {
            case "10-7-6" -> 1;
            case "10-9-8" -> 2;
            case "10-10-9" -> 5;
            case "11-9-8" -> 6;
            default -> 0;
        };
        Matrix full = Matrix.cauchy(k, first + m);
        return Matrix.filled(m, k, (row, j) -> {
            int from = row * k / m;
            int width = (row + c) * k / m - from;
            return Math.floorMod(j - from, k) < width ? full.at(first + row, j) : 0;
        });
    }

    /**
     * The local groups of an LRC: the data chunks and the parity chunk of each, any of which is the sum of the others.
     */
    public static List<ChunkSet> localGroups(CodeSpec spec) {
        int k = spec.dataChunks();
        int l = spec.parameters().get(1);
        int size = k / l;
        ChunkSet[] groups = new ChunkSet[l];
        Arrays.setAll(groups, b -> ChunkSet.range(b * size, (b + 1) * size).with(k + b));
        return List.of(groups);
    }
}
