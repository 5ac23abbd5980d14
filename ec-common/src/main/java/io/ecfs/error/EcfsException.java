package io.ecfs.error;

import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * A failure at the edge of the API: code, one line with ids and the remedy, and the cause. It crosses the wire as
 * (code, message, hint); the cause stays where it happened.
 */
public final class EcfsException extends IOException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final String hint;

    public EcfsException(ErrorCode code, String message) {
        this(code, message, "", null);
    }

    public EcfsException(ErrorCode code, String message, Throwable cause) {
        this(code, message, "", cause);
    }

    /**
     * @param hint information for the next attempt, in the code's own terms: for {@link ErrorCode#NOT_LEADER} the
     *     leader's {@code host:port}; empty when there is none
     */
    public EcfsException(ErrorCode code, String message, String hint, Throwable cause) {
        super(Objects.requireNonNull(message), cause);
        this.code = Objects.requireNonNull(code);
        this.hint = Objects.requireNonNull(hint);
    }

    public ErrorCode code() {
        return code;
    }

    public Optional<String> hint() {
        return hint.isEmpty() ? Optional.empty() : Optional.of(hint);
    }

    /**
     * The failure behind an exception of a future: itself when it is an EcfsException; {@link ErrorCode#TIMEOUT} for a
     * timeout; otherwise {@link ErrorCode#INTERNAL} with the exception as cause.
     */
    public static EcfsException of(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof EcfsException ours) {
            return ours;
        }
        return cause instanceof TimeoutException
                ? new EcfsException(ErrorCode.TIMEOUT, "no answer in time", cause)
                : new EcfsException(ErrorCode.INTERNAL, "unexpected failure: " + cause, cause);
    }
}
