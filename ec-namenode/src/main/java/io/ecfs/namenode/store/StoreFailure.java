package io.ecfs.namenode.store;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;

/**
 * Failure of the disk under the store: full, broken, or damaged. Nothing of the transaction is stored. Applying the log
 * stops: going on would leave this namenode with half of the facts.
 */
public final class StoreFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreFailure(String message, Throwable cause) {
        super(message, cause);
    }

    /** For callers at the edge. */
    public EcfsException toException() {
        return new EcfsException(ErrorCode.INTERNAL, getMessage(), this);
    }
}
