package io.ecfs.console.web.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoginGuardTest {
    @Test
    void whoGuessesHasToWaitAndOthersHaveNot() {
        LoginGuard guard = new LoginGuard();
        for (int i = 0; i < 8; i++) {
            assertThat(guard.mayTry("10.0.0.1")).isTrue();
        }
        assertThat(guard.mayTry("10.0.0.1")).isFalse();
        assertThat(guard.mayTry("10.0.0.2")).isTrue();
        guard.succeeded("10.0.0.1");
        assertThat(guard.mayTry("10.0.0.1")).isTrue();
    }
}
