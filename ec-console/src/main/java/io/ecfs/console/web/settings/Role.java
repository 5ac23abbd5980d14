package io.ecfs.console.web.settings;

import java.util.Locale;

/** Role of a user of the console. */
public enum Role {
    /** Reads everything but the audit log. */
    VIEWER,
    /** Reads everything and executes actions. */
    OPERATOR;

    /** @throws IllegalArgumentException for anything but {@code viewer} and {@code operator} */
    public static Role parse(String text) {
        for (Role role : values()) {
            if (role.text().equals(text)) {
                return role;
            }
        }
        throw new IllegalArgumentException("a role is viewer or operator, got '" + text + "'");
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
