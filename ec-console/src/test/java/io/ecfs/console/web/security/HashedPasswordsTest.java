package io.ecfs.console.web.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.console.web.settings.PasswordHash;
import org.junit.jupiter.api.Test;

class HashedPasswordsTest {
    @Test
    void aUserThatThereIsNotCostsAsMuchTimeAsOneThatThereIs() {
        HashedPasswords passwords = new HashedPasswords(777);
        String hash = passwords.encode("secret");
        assertThat(PasswordHash.parse(hash).iterations()).isEqualTo(777);
        assertThat(passwords.matches("secret", hash)).isTrue();
        assertThat(passwords.matches("Secret", hash)).isFalse();
    }
}
