package io.ecfs.console.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class NetworkSpeedTest {
    @Test
    void speedsAreGigabits() {
        assertThat(NetworkSpeed.gigabits("100g")).isEqualTo(100);
        assertThat(NetworkSpeed.gigabits("2.5G")).isEqualTo(2.5);
        assertThat(NetworkSpeed.gigabits("10Gbit")).isEqualTo(10);
    }

    @Test
    void speedsSurviveTheirText() {
        assertThat(NetworkSpeed.text(2.5)).isEqualTo("2.5g");
        assertThat(NetworkSpeed.text(100)).isEqualTo("100g");
    }

    @Test
    void aBadSpeedHasItsNearest() {
        assertThatThrownBy(() -> NetworkSpeed.gigabits("100x"))
                .hasMessage("a network is its speed in Gb/s, such as 1g, 2.5g or 100g, got '100x'; nearest is 100g");
        assertThatThrownBy(() -> NetworkSpeed.gigabits("0g")).hasMessageEndingWith("nearest is 1g");
    }
}
