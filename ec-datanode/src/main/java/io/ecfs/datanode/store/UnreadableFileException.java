package io.ecfs.datanode.store;

import java.io.IOException;

/** A file is there and its medium does not give its bytes (EIO and its kin). Says nothing of other files of the same disk. */
public final class UnreadableFileException extends IOException {
    private static final long serialVersionUID = 1L;

    public UnreadableFileException(String message, Throwable cause) {
        super(message, cause);
    }

    public UnreadableFileException(String message) {
        super(message);
    }
}
