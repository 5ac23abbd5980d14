package io.ecfs.datanode.store.io;

import java.io.IOException;

/**
 * A file is there and its medium does not give its bytes (EIO and its kin). Says nothing of other files of the same
 * disk.
 */
public final class UnreadableFileException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String file;

    /** @param file within its volume: by it the same file is known again */
    public UnreadableFileException(String file, String message, Throwable cause) {
        super(message, cause);
        this.file = file;
    }

    public UnreadableFileException(String file, String message) {
        this(file, message, null);
    }

    public String file() {
        return file;
    }
}
