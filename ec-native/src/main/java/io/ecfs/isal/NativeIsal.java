package io.ecfs.isal;

import java.nio.ByteBuffer;

/**
 * The functions of the library in {@code src/main/c}. Nothing is checked here or there: {@link IsalKernel} does it.
 *
 * <p>{@code addresses} hold k inputs and behind them the outputs, each of {@code bytes} bytes.
 */
final class NativeIsal {
    private NativeIsal() {}

    /** Opens ISA-L by the name of its shared library. Null if it is open, else the reason why not. */
    static native String open(String library);

    /** The file that {@link #open} found. */
    static native String file();

    /** The widest instructions that ISA-L's dispatcher takes on this processor: avx512, avx2, avx, sse or base. */
    static native String instructions();

    /** The address of the first byte of a direct buffer, whatever its position. */
    static native long address(ByteBuffer buffer);

    /** Expands rows x columns coefficients to 32 bytes each at {@code tables}. */
    static native void expand(byte[] matrix, int rows, int columns, long tables);

    /** Multiplies the expanded matrix with the inputs and overwrites the outputs. */
    static native void apply(long tables, int rows, int columns, long[] addresses, long bytes);

    /** Adds one column's multiple of the only input to each output. */
    static native void multiplyAdd(long tables, int rows, int columns, int column, long[] addresses, long bytes);

    /** Overwrites each output with the XOR of all inputs; zero if there is no input. */
    static native void xor(int inputs, int outputs, long[] addresses, long bytes);
}
