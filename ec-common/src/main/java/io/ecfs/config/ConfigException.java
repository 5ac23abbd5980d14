package io.ecfs.config;

/** A configuration that cannot be used; the message is one line that says where and what instead. */
public final class ConfigException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    ConfigException(String message) {
        super(message);
    }

    ConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
