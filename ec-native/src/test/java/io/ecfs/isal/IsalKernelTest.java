package io.ecfs.isal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.code.GaloisKernel;
import io.ecfs.code.KernelProvider;
import io.ecfs.code.Kernels;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The Java kernel is held to a definition in its own tests; here ISA-L is held to the Java kernel, bit by bit. */
class IsalKernelTest {
    private static final int GUARD = 5;

    private final GaloisKernel java = Kernels.java();
    private final GaloisKernel isal = isal();

    private static GaloisKernel isal() {
        return ((KernelProvider.Loading.Loaded) new IsalKernelProvider().load()).kernel();
    }

    private static ByteBuffer[] regions(int count, int bytes, Random random) {
        ByteBuffer[] regions = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            int offset = random.nextInt(70);
            byte[] content = new byte[offset + bytes + GUARD];
            random.nextBytes(content);
            regions[i] = ByteBuffer.allocateDirect(content.length).put(0, content);
            regions[i].position(offset).limit(offset + bytes);
        }
        return regions;
    }

    /** Copies with the bytes around the region, which must come out alike too. */
    private static ByteBuffer[] copies(ByteBuffer[] regions) {
        ByteBuffer[] copies = new ByteBuffer[regions.length];
        for (int i = 0; i < regions.length; i++) {
            copies[i] = ByteBuffer.allocateDirect(regions[i].capacity())
                    .put(regions[i].duplicate().clear());
            copies[i].position(regions[i].position()).limit(regions[i].limit());
        }
        return copies;
    }

    private static void assertSame(ByteBuffer[] actual, ByteBuffer[] expected, String where) {
        for (int i = 0; i < expected.length; i++) {
            assertThat(actual[i].duplicate().clear())
                    .as("region %s, %s", i, where)
                    .isEqualTo(expected[i].duplicate().clear());
            assertThat(actual[i].position()).isEqualTo(expected[i].position());
            assertThat(actual[i].limit()).isEqualTo(expected[i].limit());
        }
    }

    private void compare(int rows, int columns, int bytes, Random random, String where) {
        byte[] matrix = new byte[rows * columns];
        random.nextBytes(matrix);
        if (random.nextInt(8) == 0) {
            Arrays.fill(matrix, (byte) 1);
        }
        GaloisKernel.Tables javaTables = java.prepare(matrix, rows, columns);
        GaloisKernel.Tables isalTables = isal.prepare(matrix, rows, columns);
        ByteBuffer[] in = regions(columns, bytes, random);
        ByteBuffer[] before = copies(in);
        ByteBuffer[] expected = regions(rows, bytes, random);
        ByteBuffer[] actual = copies(expected);

        java.apply(javaTables, in, expected);
        isal.apply(isalTables, in, actual);
        assertSame(actual, expected, where + " applied");

        int column = random.nextInt(columns);
        java.multiplyAdd(javaTables, column, in[column], expected);
        isal.multiplyAdd(isalTables, column, in[column], actual);
        assertSame(actual, expected, where + " added");

        java.xor(in, expected[0]);
        isal.xor(in, actual[0]);
        assertSame(actual, expected, where + " xored");
        assertSame(in, before, where + " inputs");
    }

    @Test
    void equalsTheJavaKernelForEveryLengthUpToTwoLinesAndEveryAlignment() {
        Random random = new Random(31);
        for (int bytes = 0; bytes <= 129; bytes++) {
            for (int round = 0; round < 6; round++) {
                compare(1 + random.nextInt(5), 1 + random.nextInt(10), bytes, random, "seed 31 bytes " + bytes);
            }
        }
    }

    @Test
    void equalsTheJavaKernelAcrossBlocksAndForManyRows() {
        Random random = new Random(32);
        int block = 32 * 1024;
        for (int bytes : new int[] {8191, 8193, block - 1, block, block + 1, 2 * block + 17, 200_003}) {
            compare(1 + random.nextInt(4), 1 + random.nextInt(8), bytes, random, "seed 32 bytes " + bytes);
        }
        for (int rows = 5; rows <= 31; rows += 2) {
            compare(rows, 32 - rows, 40_001, random, "seed 32 rows " + rows);
        }
    }

    @Test
    void multipliesByEveryCoefficient() {
        Random random = new Random(33);
        for (int c = 0; c < 256; c++) {
            byte[] matrix = {(byte) c};
            ByteBuffer[] in = regions(1, 1000, random);
            ByteBuffer[] expected = regions(1, 1000, random);
            ByteBuffer[] actual = copies(expected);
            java.apply(java.prepare(matrix, 1, 1), in, expected);
            isal.apply(isal.prepare(matrix, 1, 1), in, actual);
            assertSame(actual, expected, "coefficient " + c);
        }
    }

    @Test
    void refusesBuffersWithoutAnAddressAndOutputsThatAreReadOnly() {
        GaloisKernel.Tables tables = isal.prepare(new byte[] {1, 2}, 1, 2);
        ByteBuffer[] in = {ByteBuffer.allocateDirect(8), ByteBuffer.allocateDirect(8)};
        ByteBuffer[] out = {ByteBuffer.allocateDirect(8)};
        ByteBuffer heap = ByteBuffer.allocate(8);
        ByteBuffer readOnly = out[0].asReadOnlyBuffer();

        assertRefused(() -> isal.apply(tables, new ByteBuffer[] {in[0], heap}, out), "input 1 is a heap buffer");
        assertRefused(() -> isal.apply(tables, in, new ByteBuffer[] {heap}), "output 0 is a heap buffer");
        assertRefused(() -> isal.apply(tables, in, new ByteBuffer[] {readOnly}), "output 0 is read-only");
        assertRefused(() -> isal.apply(tables, in, new ByteBuffer[] {}), "output: 0 buffers given, 1 needed");
        assertRefused(
                () -> isal.apply(tables, in, new ByteBuffer[] {ByteBuffer.allocateDirect(7)}),
                "output 0 has 7 bytes remaining where 8 are due");
        assertRefused(() -> isal.multiplyAdd(tables, 2, in[0], out), "column 2 is not in [0, 2)");
        assertRefused(() -> isal.multiplyAdd(tables, 0, heap, out), "input 0 is a heap buffer");
        assertRefused(() -> isal.xor(in, readOnly), "output 0 is read-only");
        assertRefused(
                () -> isal.apply(java.prepare(new byte[] {1, 2}, 1, 2), in, out),
                "the tables were prepared by another kernel");
        assertRefused(() -> isal.prepare(new byte[600], 300, 3), "a matrix of 600 coefficients is not 300 x 3");
        assertRefused(() -> isal.prepare(new byte[512], 512, 1), "513 regions in one call; at most 512 are possible");
    }

    private static void assertRefused(Runnable call, String message) {
        assertThatThrownBy(call::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }
}
