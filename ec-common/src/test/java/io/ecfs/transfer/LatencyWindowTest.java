package io.ecfs.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LatencyWindowTest {
    private final LatencyWindow window = new LatencyWindow();

    @Test
    void quantilesAreAtMostAQuarterAboveTheTruth() {
        Random random = new Random(9);
        long[] times = new long[1500];
        for (int i = 0; i < times.length; i++) {
            times[i] = (long) (50_000 * Math.exp(3 * random.nextDouble() * random.nextDouble()));
            window.record(times[i]);
        }
        Arrays.sort(times);
        for (double share : new double[] {0.5, 0.9, 0.99}) {
            long truth = times[(int) Math.ceil(share * times.length) - 1];
            assertThat(window.quantile(share)).as("seed 9, %s", share).isBetween(truth, truth * 5 / 4 + 4096);
        }
    }

    @Test
    void theOldFades() {
        for (int i = 0; i < 2000; i++) {
            window.record(50_000_000);
        }
        for (int i = 0; i < 20_000; i++) {
            window.record(300_000);
        }
        assertThat(window.quantile(0.99)).isLessThan(400_000);
    }

    @Test
    void timesOutsideItsRangeCountAtItsEnds() {
        window.record(-5);
        assertThat(window.quantile(1)).isPositive();
        window.record(Long.MAX_VALUE);
        assertThat(window.quantile(1)).isGreaterThan(60_000_000_000L);
    }
}
