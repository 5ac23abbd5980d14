package io.ecfs.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TimesTest {
    private static long millis(int nanos) {
        return LocalDateTime.of(2026, 1, 2, 3, 4, 5, nanos)
                .atZone(ZoneId.systemDefault())
                .toInstant()
                .toEpochMilli();
    }

    @Test
    void localTimesAreOfThisMachinesZone() {
        assertThat(Times.local(millis(678_000_000))).isEqualTo("2026-01-02 03:04:05.678");
        assertThat(Times.local(millis(0))).isEqualTo("2026-01-02 03:04:05.000");
        assertThat(Times.localSecond(millis(999_000_000))).isEqualTo("2026-01-02 03:04:05");
    }

    @Test
    void timesForScriptsAreOfUtc() {
        assertThat(Times.iso(0)).isEqualTo("1970-01-01T00:00:00Z");
        assertThat(Times.iso(86_400_001)).isEqualTo("1970-01-02T00:00:00.001Z");
    }

    @Test
    void secondsHaveThreeDigits() {
        assertThat(Times.seconds(Optional.of(1250L))).isEqualTo("1.250 s");
        assertThat(Times.seconds(Optional.of(0L))).isEqualTo("0.000 s");
        assertThat(Times.seconds(Optional.of(3_600_001L))).isEqualTo("3600.001 s");
        assertThat(Times.seconds(Optional.empty())).isEqualTo("-");
    }
}
