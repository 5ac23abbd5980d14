package io.ecfs.client.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadSizesTest {
    @ParameterizedTest
    @CsvSource({"1, 0", "4096, 0", "4097, 1", "16384, 1", "16385, 2", "65536, 2", "1048576, 4", "2147483647, 7"})
    void classesGrowByFour(int bytes, int sizeClass) {
        assertThat(ReadSizes.classOf(bytes)).isEqualTo(sizeClass);
    }

    @Test
    void unknownClassIsEstimatedFromTheNearestKnown() {
        float[] nanos = new float[ReadSizes.CLASSES];
        Arrays.fill(nanos, Float.NaN);
        assertThat(ReadSizes.estimate(nanos, 3)).isNaN();
        nanos[1] = 10;
        assertThat(ReadSizes.estimate(nanos, 1)).isEqualTo(10);
        assertThat(ReadSizes.estimate(nanos, 3)).isEqualTo(160);
        assertThat(ReadSizes.estimate(nanos, 0)).isEqualTo(10);
        nanos[5] = 70;
        assertThat(ReadSizes.estimate(nanos, 3))
                .as("the larger one of two as near")
                .isEqualTo(70);
    }
}
