package io.ecfs.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UpdateFrontierTest {
    /** The table of docs/updates.md and of CleaningCostTest. */
    @ParameterizedTest
    @CsvSource({"0, 0.25, 1.875, 4.0, 8.1", "1, 0.5, 2.25, 2.6, 5.1", "2, 1.0, 3.0, 1.9, 3.8"})
    void spaceAgainstBytesWritten(int row, double spare, double space, double coded, double replicated) {
        UpdateFrontier.Point point = UpdateFrontier.of(4096).points().get(row);
        assertThat(point.spare()).isEqualTo(spare);
        assertThat(point.space()).isCloseTo(space, within(1e-9));
        assertThat(point.coded()).isCloseTo(coded, within(0.05));
        assertThat(point.replicated()).isCloseTo(replicated, within(0.06));
    }

    /** In a stripe of 384 KiB: a page of head and 95 pages; 3 pages of head and 744 x 512 bytes. */
    @ParameterizedTest
    @CsvSource({"4096, 1.0105", "512, 1.0323", "393216, 1.0104", "67108864, 1.0001"})
    void theHeadOfABatchThatFillsAStripe(long bytes, double factor) {
        assertThat(UpdateFrontier.of(bytes).headFactor()).isCloseTo(factor, within(5e-5));
    }

    @Test
    void refusesAnUpdateThatIsNoWrite() {
        for (long bad : new long[] {0, -1, (64L << 20) + 1, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> UpdateFrontier.of(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("use --updates 4k");
        }
    }
}
