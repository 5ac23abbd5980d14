package io.ecfs.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.Invariant;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class StateMachineTest {
    private enum Light {
        RED,
        GREEN,
        OFF;

        boolean mayBecome(Light next) {
            return this != OFF && next != this;
        }
    }

    private final StateMachine<Light> light = new StateMachine<>(
            LoggerFactory.getLogger(StateMachineTest.class),
            "light_state",
            () -> "light=7",
            Light.RED,
            Light::mayBecome);

    @Test
    void aTransitionOfTheTableIsMade() {
        light.enter(Light.GREEN, "time");
        assertThat(light.state()).isEqualTo(Light.GREEN);
        assertThat(light.is(Light.RED)).isFalse();
    }

    @Test
    void anyOtherTransitionIsABugAndIsNotMade() {
        light.enter(Light.OFF, "night");
        assertThatThrownBy(() -> light.enter(Light.RED, "day"))
                .isInstanceOf(Invariant.Broken.class)
                .hasMessage("light_state: light=7 goes from OFF to RED: day");
        assertThat(light.state()).isEqualTo(Light.OFF);
    }
}
