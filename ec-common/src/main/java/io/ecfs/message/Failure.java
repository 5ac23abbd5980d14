package io.ecfs.message;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.util.Objects;

/** An {@link EcfsException} on its way over the wire. */
public record Failure(ErrorCode code, String message, String hint) implements Message {
    public Failure {
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(hint, "hint");
    }

    public static Failure of(EcfsException e) {
        return new Failure(e.code(), e.getMessage(), e.hint().orElse(""));
    }

    public EcfsException toException() {
        return new EcfsException(code, message, hint, null);
    }
}
