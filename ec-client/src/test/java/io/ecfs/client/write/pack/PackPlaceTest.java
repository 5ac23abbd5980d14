package io.ecfs.client.write.pack;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.Policy;
import org.junit.jupiter.api.Test;

class PackPlaceTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-64k");
    private static final long CELL = POLICY.cellBytes();

    /** Every end around the edges of three cells, and lengths around those of one. */
    @Test
    void aFileBeginsAlignedAndWithinOneCellIfItFitsOne() {
        for (long end = 0; end < 3 * CELL; end += 1021) {
            for (long bytes : new long[] {1, 4095, 4096, 4097, CELL / 2, CELL - 1, CELL, CELL + 1, 2 * CELL}) {
                long begin = PackPlace.begin(POLICY, end, bytes);
                assertThat(begin).isGreaterThanOrEqualTo(end);
                assertThat(begin % PackPlace.ALIGNMENT).isZero();
                if (bytes <= CELL) {
                    assertThat((begin + bytes - 1) / CELL).isEqualTo(begin / CELL);
                    assertThat(begin - end).isLessThan(PackPlace.ALIGNMENT + bytes);
                } else {
                    assertThat(begin - end).isLessThan(PackPlace.ALIGNMENT);
                }
            }
        }
    }

    @Test
    void filesOfOneBlockLieOneBehindTheOther() {
        assertThat(PackPlace.begin(POLICY, 0, 10)).isZero();
        assertThat(PackPlace.begin(POLICY, 10, 10)).isEqualTo(4096);
        assertThat(PackPlace.begin(POLICY, 4096, 10)).isEqualTo(4096);
    }
}
