package io.ecfs.code.kernel;

/**
 * Arithmetic over GF(2^8) with the polynomial x^8 + x^4 + x^3 + x^2 + 1 (0x11d) on regions of bytes; addition is XOR.
 *
 * <p>A kernel knows regions and coefficients and no codes: a code describes every computation as a {@link Schedule}
 * once and runs the {@link Program} that it gets for it. All kernels compute the same bytes. Kernels are safe for use
 * by many threads at once.
 */
public interface GaloisKernel {

    /** The name by which a setting forces this kernel, for example {@code java} or {@code isal}. */
    String name();

    /** Name of the kernel and its instruction set, for operators, for example {@code ISA-L (avx512)}. */
    String description();

    /**
     * Puts a schedule in the form that this kernel works with. Costs far more than running it over a small cell:
     * callers keep it.
     */
    Program prepare(Schedule schedule);
}
