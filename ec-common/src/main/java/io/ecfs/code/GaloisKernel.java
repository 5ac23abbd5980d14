package io.ecfs.code;

import java.nio.ByteBuffer;

/**
 * Arithmetic over GF(2^8) with the polynomial x^8 + x^4 + x^3 + x^2 + 1 (0x11d) on regions of bytes; addition is XOR.
 *
 * <p>Buffers are direct; the bytes between position and limit count, position and limit stay as they are, and all buffers
 * of a call have the same number of bytes remaining, any number from 0 up. Outputs must not be read-only and must not
 * overlap inputs or each other. Kernels are safe for use by many threads at once.
 */
public interface GaloisKernel {

    /** The name by which a setting forces this kernel, for example {@code java} or {@code isal}. */
    String name();

    /** What runs and with which instructions, for people, for example {@code ISA-L (avx512)}. */
    String description();

    /**
     * Prepares a matrix for {@link #apply} and {@link #multiplyAdd}. Costs far more than reading a small cell: callers keep
     * the result.
     *
     * @param matrix rows x columns coefficients, row by row; not kept
     */
    Tables prepare(byte[] matrix, int rows, int columns);

    /** Computes {@code out[r] = sum over c of matrix[r][c] * in[c]} with tables that this kernel prepared. */
    void apply(Tables tables, ByteBuffer[] in, ByteBuffer[] out);

    /** Computes {@code out[r] = out[r] + matrix[r][column] * in} with tables that this kernel prepared. */
    void multiplyAdd(Tables tables, int column, ByteBuffer in, ByteBuffer[] out);

    /** Computes {@code out = in[0] + in[1] + ...}; zero if there is no input. */
    void xor(ByteBuffer[] in, ByteBuffer out);

    /** A matrix in the form that a kernel works with; immutable. */
    interface Tables {
        int rows();

        int columns();
    }
}
