package io.ecfs.code;

/** Builds the code that a {@link CodeSpec} names. */
public final class ErasureCodes {
    private ErasureCodes() {}

    /** A new code object; it is worth keeping, since it remembers the decode tables of the loss patterns it has met. */
    public static ErasureCode create(CodeSpec spec, GaloisKernel kernel) {
        int k = spec.dataChunks();
        int m = spec.parityChunks();
        Matrix parity = switch (spec.family()) {
            case RS -> Matrix.cauchy(k, m);
            case XOR, REPLICATION -> Matrix.ones(m, k);
        };
        return new MdsCode(spec, parity, kernel);
    }
}
