package io.ecfs.code.field;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntBinaryOperator;

/** An immutable matrix over GF(2^8). */
public final class Matrix {
    private final int rows;
    private final int columns;
    private final byte[] cells;

    private Matrix(int rows, int columns, byte[] cells) {
        this.rows = rows;
        this.columns = columns;
        this.cells = cells;
    }

    public static Matrix identity(int size) {
        Matrix matrix = new Matrix(size, size, new byte[size * size]);
        for (int i = 0; i < size; i++) {
            matrix.put(i, i, 1);
        }
        return matrix;
    }

    /** @param cell the element at (row, column) */
    public static Matrix filled(int rows, int columns, IntBinaryOperator cell) {
        Matrix matrix = new Matrix(rows, columns, new byte[rows * columns]);
        for (int r = 0; r < rows; r++) {
            for (int c = 0; c < columns; c++) {
                matrix.put(r, c, cell.applyAsInt(r, c));
            }
        }
        return matrix;
    }

    /**
     * The parity rows of ISA-L's gf_gen_cauchy1_matrix, which are those of Hadoop's RSUtil.genCauchyMatrix: the row of
     * chunk i in [k, k + m) has 1 / (i xor j) in column j in [0, k). Each square part of it is invertible as i and j
     * never meet.
     */
    public static Matrix cauchy(int k, int m) {
        return filled(m, k, (i, j) -> GaloisField.invert((k + i) ^ j));
    }

    private void put(int row, int column, int value) {
        cells[row * columns + column] = (byte) value;
    }

    public int rows() {
        return rows;
    }

    public int columns() {
        return columns;
    }

    public int at(int row, int column) {
        return cells[row * columns + column] & 0xff;
    }

    /** Row by row, a copy. */
    public byte[] toBytes() {
        return cells.clone();
    }

    /** This matrix with the rows of the other one below. */
    public Matrix above(Matrix below) {
        byte[] joined = Arrays.copyOf(cells, cells.length + below.cells.length);
        System.arraycopy(below.cells, 0, joined, cells.length, below.cells.length);
        return new Matrix(rows + below.rows, columns, joined);
    }

    /** The given rows in the given order. */
    public Matrix select(int[] which) {
        byte[] selected = new byte[which.length * columns];
        for (int i = 0; i < which.length; i++) {
            System.arraycopy(cells, which[i] * columns, selected, i * columns, columns);
        }
        return new Matrix(which.length, columns, selected);
    }

    /** The given columns in the given order. */
    public Matrix selectColumns(int[] which) {
        return filled(rows, which.length, (r, c) -> at(r, which[c]));
    }

    public Matrix times(Matrix right) {
        Matrix product = new Matrix(rows, right.columns, new byte[rows * right.columns]);
        for (int r = 0; r < rows; r++) {
            for (int c = 0; c < right.columns; c++) {
                int sum = 0;
                for (int i = 0; i < columns; i++) {
                    sum ^= GaloisField.multiply(at(r, i), right.at(i, c));
                }
                product.put(r, c, sum);
            }
        }
        return product;
    }

    /** The inverse of a square matrix, or nothing if it is singular. */
    public Optional<Matrix> inverse() {
        return rank() == rows ? express(identity(rows)) : Optional.empty();
    }

    public int rank() {
        Matrix echelon = new Matrix(rows, columns, cells.clone());
        return echelon.reduce(columns).length;
    }

    /**
     * Expresses rows by this matrix's rows: returns the matrix T with T times this = targets, or nothing if some target
     * is no combination of the rows. Of several T, the one that uses the first rows.
     */
    public Optional<Matrix> express(Matrix targets) {
        Matrix work = withIdentity();
        int[] pivots = work.reduce(columns);
        Matrix rest = filled(targets.rows, columns + rows, (r, c) -> c < columns ? targets.at(r, c) : 0);
        for (int t = 0; t < rest.rows; t++) {
            for (int p = 0; p < pivots.length; p++) {
                rest.addRow(t, work, p, rest.at(t, pivots[p]));
            }
            for (int c = 0; c < columns; c++) {
                if (rest.at(t, c) != 0) {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(filled(targets.rows, rows, (r, c) -> rest.at(r, columns + c)));
    }

    /** The words y with y times this = 0: a base of them, in reduced echelon form. */
    public Matrix leftKernel() {
        Matrix work = withIdentity();
        int rank = work.reduce(columns).length;
        Matrix kernel = filled(rows - rank, rows, (r, c) -> work.at(rank + r, columns + c));
        kernel.reduce(rows);
        return kernel;
    }

    /** The other rows, each with so much of the given one added that the column becomes zero. */
    public Matrix eliminate(int row, int column) {
        byte[] rest = new byte[(rows - 1) * columns];
        System.arraycopy(cells, 0, rest, 0, row * columns);
        System.arraycopy(cells, (row + 1) * columns, rest, row * columns, (rows - 1 - row) * columns);
        Matrix others = new Matrix(rows - 1, columns, rest);
        int inverse = GaloisField.invert(at(row, column));
        for (int r = 0; r < others.rows; r++) {
            others.addRow(r, this, row, GaloisField.multiply(others.at(r, column), inverse));
        }
        return others;
    }

    private Matrix withIdentity() {
        return filled(rows, columns + rows, (r, c) -> c < columns ? at(r, c) : c - columns == r ? 1 : 0);
    }

    /**
     * Brings this matrix to reduced echelon form in its first {@code within} columns (Gauss and Jordan).
     *
     * @return the pivot columns of the first rows; the rows behind them are zero in these columns
     */
    private int[] reduce(int within) {
        int[] pivots = new int[Math.min(rows, within)];
        int rank = 0;
        for (int column = 0; column < within && rank < rows; column++) {
            int pivot = rank;
            while (pivot < rows && at(pivot, column) == 0) {
                pivot++;
            }
            if (pivot == rows) {
                continue;
            }
            swap(pivot, rank);
            scale(rank, GaloisField.invert(at(rank, column)));
            for (int row = 0; row < rows; row++) {
                if (row != rank) {
                    addRow(row, this, rank, at(row, column));
                }
            }
            pivots[rank++] = column;
        }
        return Arrays.copyOf(pivots, rank);
    }

    private void swap(int a, int b) {
        for (int c = 0; a != b && c < columns; c++) {
            int value = at(a, c);
            put(a, c, at(b, c));
            put(b, c, value);
        }
    }

    private void scale(int row, int factor) {
        for (int c = 0; factor != 1 && c < columns; c++) {
            put(row, c, GaloisField.multiply(factor, at(row, c)));
        }
    }

    /** Adds {@code factor} times a row of a matrix of as many columns. */
    private void addRow(int to, Matrix from, int row, int factor) {
        if (factor == 1) {
            for (int c = 0; c < columns; c++) {
                cells[to * columns + c] ^= from.cells[row * columns + c];
            }
        } else if (factor != 0) {
            for (int c = 0; c < columns; c++) {
                put(to, c, at(to, c) ^ GaloisField.multiply(factor, from.at(row, c)));
            }
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Matrix that
                && rows == that.rows
                && columns == that.columns
                && Arrays.equals(cells, that.cells);
    }

    @Override
    public int hashCode() {
        return 31 * rows + Arrays.hashCode(cells);
    }
}
