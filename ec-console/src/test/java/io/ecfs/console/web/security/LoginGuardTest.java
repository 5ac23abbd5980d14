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
            assertThat(guard.mayTry("10.0.0.1", "account" + i)).isTrue();
        }
        assertThat(guard.mayTry("10.0.0.1", "olga")).isFalse();
        assertThat(guard.mayTry("10.0.0.2", "olga")).isTrue();
        guard.succeeded("10.0.0.1", "olga");
        assertThat(guard.mayTry("10.0.0.1", "olga")).isTrue();
    }

    @Test
    void whoHasWaitedMayTryAgain() {
        for (int i = 0; i < 8; i++) {
            assertThat(guard.mayTry("10.0.0.1", "olga")).isTrue();
        }
        time.advance(Duration.ofSeconds(30));
        assertThat(guard.mayTry("10.0.0.1", "olga")).isFalse();
        time.advance(Duration.ofMillis(1));
        assertThat(guard.mayTry("10.0.0.1", "olga")).isTrue();
    }

    @Test
    void anAccountIsGuessedFromManyAddressesNoFaster() {
        guard.succeeded("10.9.9.9", "olga");
        for (int i = 0; i < 24; i++) {
            assertThat(guard.mayTry("10.0.0." + i, "olga")).isTrue();
        }
        assertThat(guard.mayTry("10.0.1.1", "olga")).isFalse();
        assertThat(guard.mayTry("10.0.1.2", "olga" + " ".repeat(70)))
                .as("another name")
                .isTrue();
        assertThat(guard.mayTry("10.0.1.2", "vera")).as("another account").isTrue();
        assertThat(guard.mayTry("10.9.9.9", "olga"))
                .as("from where olga logged in before")
                .isTrue();
        time.advance(Duration.ofMinutes(5).plusMillis(1));
        assertThat(guard.mayTry("10.0.1.1", "olga")).isTrue();
    }
}
