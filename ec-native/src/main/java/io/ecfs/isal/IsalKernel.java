package io.ecfs.isal;

import io.ecfs.code.GaloisKernel;
import io.ecfs.code.Regions;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * Arithmetic by ISA-L's ec_encode_data and ec_encode_data_update. One call crosses JNI once for all cells of a stripe.
 *
 * <p>Exists only where {@link IsalLibrary} is loaded.
 */
final class IsalKernel implements GaloisKernel {
    static final String NAME = "isal";

    /** The native side keeps the pointers of a call on its stack. */
    private static final int MAX_REGIONS = 512;

    /** ISA-L expands a coefficient to two tables of 16 products, by low and by high nibble. */
    private static final int TABLE_BYTES = 32;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "ISA-L (" + NativeIsal.file() + ", " + NativeIsal.instructions() + ")";
    }

    @Override
    public Tables prepare(byte[] matrix, int rows, int columns) {
        if (rows < 1 || columns < 1 || matrix.length != rows * columns) {
            throw new IllegalArgumentException(
                    "a matrix of " + matrix.length + " coefficients is not " + rows + " x " + columns);
        }
        checkRegions(rows + columns);
        boolean ones = true;
        for (byte coefficient : matrix) {
            ones &= coefficient == 1;
        }
        ByteBuffer expanded = ByteBuffer.allocateDirect(matrix.length * TABLE_BYTES);
        long address = NativeIsal.address(expanded);
        NativeIsal.expand(matrix, rows, columns, address);
        return new IsalTables(rows, columns, expanded, address, ones);
    }

    @Override
    public void apply(Tables tables, ByteBuffer[] in, ByteBuffer[] out) {
        IsalTables mine = mine(tables);
        int bytes = Regions.length(in);
        Regions.checkInputs("input", in, mine.columns, bytes);
        Regions.checkOutputs("output", out, mine.rows, bytes);
        try {
            long[] addresses = new long[mine.columns + mine.rows];
            put(in, addresses, 0);
            put(out, addresses, mine.columns);
            if (mine.ones) {
                NativeIsal.xor(mine.columns, mine.rows, addresses, bytes);
            } else {
                NativeIsal.apply(mine.address, mine.rows, mine.columns, addresses, bytes);
            }
        } finally {
            Reference.reachabilityFence(mine.expanded);
            Reference.reachabilityFence(in);
            Reference.reachabilityFence(out);
        }
    }

    @Override
    public void multiplyAdd(Tables tables, int column, ByteBuffer in, ByteBuffer[] out) {
        IsalTables mine = mine(tables);
        if (column < 0 || column >= mine.columns) {
            throw new IllegalArgumentException("column " + column + " is not in [0, " + mine.columns + ")");
        }
        int bytes = in.remaining();
        Regions.checkInput("input", column, in, bytes);
        Regions.checkOutputs("output", out, mine.rows, bytes);
        try {
            long[] addresses = new long[1 + mine.rows];
            addresses[0] = address(in);
            put(out, addresses, 1);
            NativeIsal.multiplyAdd(mine.address, mine.rows, mine.columns, column, addresses, bytes);
        } finally {
            Reference.reachabilityFence(mine.expanded);
            Reference.reachabilityFence(in);
            Reference.reachabilityFence(out);
        }
    }

    @Override
    public void xor(ByteBuffer[] in, ByteBuffer out) {
        int bytes = out.remaining();
        checkRegions(in.length + 1);
        Regions.checkInputs("input", in, in.length, bytes);
        Regions.checkOutput("output", 0, out, bytes);
        try {
            long[] addresses = new long[in.length + 1];
            put(in, addresses, 0);
            addresses[in.length] = address(out);
            NativeIsal.xor(in.length, 1, addresses, bytes);
        } finally {
            Reference.reachabilityFence(in);
            Reference.reachabilityFence(out);
        }
    }

    private static void checkRegions(int count) {
        if (count > MAX_REGIONS) {
            throw new IllegalArgumentException(
                    count + " regions in one call; at most " + MAX_REGIONS + " are possible");
        }
    }

    private static void put(ByteBuffer[] buffers, long[] addresses, int from) {
        for (int i = 0; i < buffers.length; i++) {
            addresses[from + i] = address(buffers[i]);
        }
    }

    private static long address(ByteBuffer buffer) {
        return NativeIsal.address(buffer) + buffer.position();
    }

    private static IsalTables mine(Tables tables) {
        if (tables instanceof IsalTables mine) {
            return mine;
        }
        throw new IllegalArgumentException("the tables were prepared by another kernel: " + tables.getClass());
    }

    /** The expanded matrix in memory of its own, which lives as long as this object; never changed. */
    private static final class IsalTables implements Tables {
        private final int rows;
        private final int columns;

        /** Keeps the memory behind the address. */
        private final ByteBuffer expanded;

        private final long address;
        private final boolean ones;

        IsalTables(int rows, int columns, ByteBuffer expanded, long address, boolean ones) {
            this.rows = rows;
            this.columns = columns;
            this.expanded = expanded;
            this.address = address;
            this.ones = ones;
        }

        @Override
        public int rows() {
            return rows;
        }

        @Override
        public int columns() {
            return columns;
        }
    }
}
