package io.ecfs.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CleaningCostTest {
    @ParameterizedTest
    @CsvSource({"0.25, 4.0, 8.1", "0.5, 2.6, 5.1", "1.0, 1.9, 3.8"})
    void costsOfFullStripesAndOfThreeReplicas(double spare, double rs63, double replicas) {
        double written = CleaningCost.writtenPerByte(spare);
        assertThat(1.5 * written).isCloseTo(rs63, within(0.05));
        assertThat(3 * written).isCloseTo(replicas, within(0.06));
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e-6, 0.001, 0.1, 0.5, 2, 10})
    void solvesTheEquation(double spare) {
        double u = CleaningCost.liveShare(spare);
        assertThat((1 - u) / -Math.log(u)).isCloseTo(1 / (1 + spare), within(1e-9));
        assertThat(CleaningCost.writtenPerByte(spare)).isCloseTo(1 / (1 - u), within(1e-3));
    }

    /** A circular log of segments, of which the oldest is cleaned, under uniform overwrites of pages. */
    @ParameterizedTest
    @ValueSource(doubles = {0.25, 0.5, 1.0})
    void aLogThatIsCleanedCostsWhatTheEquationSays(double spare) {
        int pages = 8_192;
        int places = (int) (pages * (1 + spare));
        int[] pageAt = new int[places];
        int[] placeOf = new int[pages];
        Arrays.fill(pageAt, -1);
        Arrays.fill(placeOf, -1);
        Random random = new Random(1);
        int head = 0;
        long written = 0;
        long user = 0;
        for (int i = 0; i < 60 * pages; i++) {
            int page = i < pages ? i : random.nextInt(pages);
            if (placeOf[page] >= 0) {
                pageAt[placeOf[page]] = -1;
            }
            int next = page;
            while (next >= 0) {
                int moved = pageAt[head];
                pageAt[head] = next;
                placeOf[next] = head;
                head = (head + 1) % places;
                written += i >= 30 * pages ? 1 : 0;
                next = moved;
            }
            user += i >= 30 * pages ? 1 : 0;
        }
        assertThat((double) written / user).isCloseTo(CleaningCost.writtenPerByte(spare), within(0.03));
    }

    @Test
    void aLargeSpareCostsNothingButTheWriteItself() {
        assertThat(CleaningCost.liveShare(1e9)).isCloseTo(0, within(1e-12));
        assertThat(CleaningCost.writtenPerByte(1e9)).isCloseTo(1, within(1e-12));
    }

    @Test
    void refusesASpareThatIsNone() {
        for (double spare : new double[] {0, -1, 1e-7, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> CleaningCost.liveShare(spare))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("give it, for example, 0.5");
        }
    }
}
