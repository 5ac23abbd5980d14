package io.ecfs.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JavaKernelTest {
    private final GaloisKernel kernel = Kernels.java();

    /** Shift and add, from the definition. */
    private static int product(int a, int b) {
        int sum = 0;
        for (int bit = 0; bit < 8; bit++) {
            if ((b >>> bit & 1) != 0) {
                sum ^= a << bit;
            }
        }
        for (int bit = 15; bit >= 8; bit--) {
            if ((sum >>> bit & 1) != 0) {
                sum ^= 0x11d << (bit - 8);
            }
        }
        return sum;
    }

    @Test
    void multipliesEveryByteByEveryCoefficient() {
        ByteBuffer all = Cells.blank(256);
        for (int value = 0; value < 256; value++) {
            all.put(all.position() + value, (byte) value);
        }
        for (int c = 0; c < 256; c++) {
            ByteBuffer out = Cells.blank(256, 3);
            kernel.apply(kernel.prepare(new byte[] {(byte) c}, 1, 1), new ByteBuffer[] {all}, new ByteBuffer[] {out});
            for (int value = 0; value < 256; value++) {
                assertThat(out.get(out.position() + value) & 0xff).isEqualTo(product(value, c));
                assertThat(GaloisField.multiply(value, c)).isEqualTo(product(value, c));
            }
        }
    }

    @Test
    void appliesRandomMatricesToRandomLengths() {
        long seed = 20260101;
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            int rows = 1 + random.nextInt(6);
            int columns = 1 + random.nextInt(12);
            int bytes = random.nextInt(300) + (round % 10 == 0 ? 4000 : 0);
            byte[] matrix = new byte[rows * columns];
            random.nextBytes(matrix);
            GaloisKernel.Tables tables = kernel.prepare(matrix, rows, columns);
            ByteBuffer[] in = Cells.array(columns, c -> Cells.data(c, bytes));
            ByteBuffer[] out = Cells.array(rows, r -> Cells.blank(bytes, r));
            kernel.apply(tables, in, out);
            for (int r = 0; r < rows; r++) {
                for (int p = 0; p < bytes; p++) {
                    int sum = 0;
                    for (int c = 0; c < columns; c++) {
                        sum ^= product(Cells.dataByte(c, p) & 0xff, matrix[r * columns + c] & 0xff);
                    }
                    assertThat(out[r].get(out[r].position() + p) & 0xff)
                            .as("seed %s round %s row %s byte %s", seed, round, r, p)
                            .isEqualTo(sum);
                }
                assertThat(Cells.guarded(out[r])).isTrue();
            }
        }
    }

    @Test
    void xorsAnyNumberOfRegions() {
        for (int count = 0; count < 12; count++) {
            ByteBuffer out = Cells.blank(21, 1);
            kernel.xor(Cells.array(count, c -> Cells.data(c, 21)), out);
            for (int p = 0; p < 21; p++) {
                byte sum = 0;
                for (int c = 0; c < count; c++) {
                    sum ^= Cells.dataByte(c, p);
                }
                assertThat(out.get(out.position() + p)).isEqualTo(sum);
            }
        }
    }

    @Test
    void refusesTablesOfAnotherKernelAndMatricesOfTheWrongSize() {
        GaloisKernel.Tables foreign = new GaloisKernel.Tables() {
            @Override
            public int rows() {
                return 1;
            }

            @Override
            public int columns() {
                return 1;
            }
        };
        ByteBuffer[] one = {Cells.blank(1)};
        assertThatThrownBy(() -> kernel.apply(foreign, one, one))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the tables were prepared by another kernel");
        assertThatThrownBy(() -> kernel.prepare(new byte[5], 2, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a matrix of 5 coefficients is not 2 x 3");
    }
}
