package io.ecfs.console.web.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PasswordHashTest {
    @Test
    void onlyThePasswordItWasMadeOfMatchesAndEachHasItsOwnSalt() {
        PasswordHash hash = PasswordHash.of("secret", 10);
        assertThat(PasswordHash.parse(hash.toString())).isEqualTo(hash);
        assertThat(hash.matches("secret")).isTrue();
        assertThat(hash.matches("Secret")).isFalse();
        assertThat(PasswordHash.of("secret", 10)).isNotEqualTo(hash);
    }

    @Test
    void aPasswordInClearIsRefused() {
        assertThatThrownBy(() -> new Account("viewer", "secret"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ecfs console passwd");
        assertThatThrownBy(
                        () -> new Account("root", PasswordHash.of("secret", 10).toString()))
                .hasMessageContaining("viewer or operator");
    }
}
