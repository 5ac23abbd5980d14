package io.ecfs.code;

import java.util.Arrays;
import java.util.Optional;

/** An immutable matrix over GF(2^8). */
final class Matrix {
    private final int rows;
    private final int columns;
    private final byte[] cells;

    private Matrix(int rows, int columns, byte[] cells) {
        this.rows = rows;
        this.columns = columns;
        this.cells = cells;
    }

    static Matrix identity(int size) {
        Matrix matrix = new Matrix(size, size, new byte[size * size]);
        for (int i = 0; i < size; i++) {
            matrix.put(i, i, 1);
        }
        return matrix;
    }

    static Matrix ones(int rows, int columns) {
        Matrix matrix = new Matrix(rows, columns, new byte[rows * columns]);
        Arrays.fill(matrix.cells, (byte) 1);
        return matrix;
    }

    /**
     * The parity rows of ISA-L's gf_gen_cauchy1_matrix, which are those of Hadoop's RSUtil.genCauchyMatrix: the row of chunk
     * i in [k, k + m) has 1 / (i xor j) in column j in [0, k). Each square part of it is invertible as i and j never meet.
     */
    static Matrix cauchy(int k, int m) {
        Matrix matrix = new Matrix(m, k, new byte[m * k]);
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < k; j++) {
                matrix.put(i, j, GaloisField.invert((k + i) ^ j));
            }
        }
        return matrix;
    }

    private void put(int row, int column, int value) {
        cells[row * columns + column] = (byte) value;
    }

    int rows() {
        return rows;
    }

    int columns() {
        return columns;
    }

    int at(int row, int column) {
        return cells[row * columns + column] & 0xff;
    }

    /** Row by row, a copy. */
    byte[] toBytes() {
        return cells.clone();
    }

    /** This matrix with the rows of the other one below. */
    Matrix above(Matrix below) {
        byte[] joined = Arrays.copyOf(cells, cells.length + below.cells.length);
        System.arraycopy(below.cells, 0, joined, cells.length, below.cells.length);
        return new Matrix(rows + below.rows, columns, joined);
    }

    /** The given rows in the given order. */
    Matrix select(int[] which) {
        byte[] selected = new byte[which.length * columns];
        for (int i = 0; i < which.length; i++) {
            System.arraycopy(cells, which[i] * columns, selected, i * columns, columns);
        }
        return new Matrix(which.length, columns, selected);
    }

    Matrix times(Matrix right) {
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

    /** The inverse of a square matrix by Gauss and Jordan, or nothing if it is singular. */
    Optional<Matrix> inverse() {
        Matrix left = new Matrix(rows, columns, cells.clone());
        Matrix right = identity(rows);
        for (int column = 0; column < columns; column++) {
            int pivot = column;
            while (pivot < rows && left.at(pivot, column) == 0) {
                pivot++;
            }
            if (pivot == rows) {
                return Optional.empty();
            }
            left.swap(pivot, column);
            right.swap(pivot, column);
            int scale = GaloisField.invert(left.at(column, column));
            left.scale(column, scale);
            right.scale(column, scale);
            for (int row = 0; row < rows; row++) {
                int factor = left.at(row, column);
                if (row != column && factor != 0) {
                    left.add(row, column, factor);
                    right.add(row, column, factor);
                }
            }
        }
        return Optional.of(right);
    }

    private void swap(int a, int b) {
        for (int c = 0; c < columns; c++) {
            int value = at(a, c);
            put(a, c, at(b, c));
            put(b, c, value);
        }
    }

    private void scale(int row, int factor) {
        for (int c = 0; c < columns; c++) {
            put(row, c, GaloisField.multiply(factor, at(row, c)));
        }
    }

    private void add(int to, int from, int factor) {
        for (int c = 0; c < columns; c++) {
            put(to, c, at(to, c) ^ GaloisField.multiply(factor, at(from, c)));
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
