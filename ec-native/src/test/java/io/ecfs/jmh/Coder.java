package io.ecfs.jmh;

import io.ecfs.code.CodeSpec;
import java.io.IOException;

/**
 * One way to compute a code, over the stripes of a {@link Workload}. Each call works through {@link Workload#batch}
 * stripes.
 */
interface Coder {
    /** Computes the parity. */
    void encode() throws IOException;

    /** Computes the first m data cells from the other cells, or as many of them as the code recovers. */
    void decode() throws IOException;

    /** Computes the first data cell alone, from as little as the code reads. */
    default void repair() throws IOException {
        throw new UnsupportedOperationException("not measured");
    }

    /** Brings all parity up to date with a change of the first data cell. */
    default void update() throws IOException {
        throw new UnsupportedOperationException("not measured");
    }

    /** The bytes of a cell that the coder works on; less than the workload's where it needs multiples of its own. */
    static int cellBytes(String name, Workload workload) {
        return name.equals("jerasure") ? JerasureLoop.cellBytes(workload) : workload.cellBytes();
    }

    static Coder of(String name, Workload workload) {
        return switch (name) {
            case "isal-loop" -> new IsalLoop(workload);
            case "hadoop" -> new HadoopCoder(workload);
            case "jerasure" -> new JerasureLoop(workload);
            default -> new OurCoder(name, workload);
        };
    }

    /** Whether that coder has that code and that operation. */
    static boolean has(String name, CodeSpec spec, String operation) {
        boolean whole = operation.equals("encode") || operation.equals("decode");
        return switch (name) {
            case "isal-loop", "hadoop" -> whole && spec.toString().matches("rs-\\d+-\\d+");
            case "jerasure" -> whole && spec.toString().matches("(crs|liberation)-.*") && JerasureLoop.isInstalled();
            default -> true;
        };
    }
}
