package io.ecfs.console.web.settings;

/**
 * An account of the console.
 *
 * @param role {@code viewer} or {@code operator}
 * @param password as {@link PasswordHash} writes it, never the password itself
 */
public record Account(String role, String password) {
    public Account {
        Role.parse(role);
        PasswordHash.parse(password);
    }
}
