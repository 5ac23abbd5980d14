package io.ecfs.namenode.log;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.util.Objects;

/**
 * Thrown when this namenode's state cannot go on: an entry that it cannot read, or facts that are not those of the
 * others. Nothing after the last applied entry is applied, and the namenode neither leads nor serves until an operator
 * did what the message says, in one line.
 */
public final class StateStopped extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    /**
     * @param code {@code INCOMPATIBLE_VERSION} when a later release goes on, {@code MALFORMED} when something here is
     * wrong
     */
    public StateStopped(ErrorCode code, String message, Throwable cause) {
        super(message, cause);
        this.code = Objects.requireNonNull(code, "code");
    }

    /** The same for callers, which know errors by their codes. */
    public EcfsException error() {
        return new EcfsException(code, getMessage(), this);
    }
}
