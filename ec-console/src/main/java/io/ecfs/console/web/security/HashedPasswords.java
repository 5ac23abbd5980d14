package io.ecfs.console.web.security;

import io.ecfs.console.web.settings.PasswordHash;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * {@link PasswordHash} as Spring Security asks for it.
 *
 * @param iterations of what it hashes itself, to take as long for a user that there is not as for one that there is
 */
record HashedPasswords(int iterations) implements PasswordEncoder {
    @Override
    public String encode(CharSequence password) {
        return PasswordHash.of(password.toString(), iterations).toString();
    }

    @Override
    public boolean matches(CharSequence password, String encoded) {
        return PasswordHash.parse(encoded).matches(password.toString());
    }
}
