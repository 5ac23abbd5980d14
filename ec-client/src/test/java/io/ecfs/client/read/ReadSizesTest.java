package io.ecfs.client.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadSizesTest {
    @ParameterizedTest
    @CsvSource({"1, 0", "4096, 0", "4097, 1", "16384, 1", "16385, 2", "65536, 2", "1048576, 4", "2147483647, 7"})
    void classesGrowByFour(int bytes, int sizeClass) {
        assertThat(ReadSizes.classOf(bytes)).isEqualTo(sizeClass);
    }
}
