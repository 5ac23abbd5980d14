package io.ecfs.console.web.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.env.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoginGuardTest {
    private final ManualTime time = new ManualTime(1);
    private final LoginGuard guard = new LoginGuard(time);

    @Test
    void whoGuessesHasToWaitAndOthersHaveNot() {
        for (int i = 0; i < 8; i++) {
            assertThat(guard.mayTry("10.0.0.1")).isTrue();
        }
        assertThat(guard.mayTry("10.0.0.1")).isFalse();
        assertThat(guard.mayTry("10.0.0.2")).isTrue();
        guard.succeeded("10.0.0.1");
        assertThat(guard.mayTry("10.0.0.1")).isTrue();
    }

    @Test
    void whoHasWaitedMayTryAgain() {
        for (int i = 0; i < 8; i++) {
            assertThat(guard.mayTry("10.0.0.1")).isTrue();
        }
        time.advance(Duration.ofSeconds(30));
        assertThat(guard.mayTry("10.0.0.1")).isFalse();
        time.advance(Duration.ofMillis(1));
        assertThat(guard.mayTry("10.0.0.1")).isTrue();
    }
}
