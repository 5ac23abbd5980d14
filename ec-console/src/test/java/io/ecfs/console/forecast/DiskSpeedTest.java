package io.ecfs.console.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiskSpeedTest {
    @ParameterizedTest
    @CsvSource({
        "250MB/s, 250e6",
        "1.5GB/s, 1.5e9",
        "200mib/s, 209715200",
        "900 kB/s, 900e3",
        "1GiB/s, 1073741824",
        "4KiB/s, 4096"
    })
    void readsWhatPeopleWrite(String text, double bytes) {
        assertThat(DiskSpeed.bytesPerSecond(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({"250, 250MB/s", "250MB, 250MB/s", "250Mbit/s, 250MB/s", "0GB/s, 1GB/s", "-5GB/s, 5GB/s"})
    void refusesWhatIsNoneInOneLineWithTheNearest(String text, String nearest) {
        assertThatThrownBy(() -> DiskSpeed.bytesPerSecond(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'")
                .hasMessageEndingWith("nearest is " + nearest)
                .hasMessageNotContaining("\n");
    }
}
