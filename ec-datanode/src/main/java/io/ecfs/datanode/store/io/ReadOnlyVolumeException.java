package io.ecfs.datanode.store.io;

import java.io.IOException;

/** The disk takes no change, nor will it take the next; what is on it can be read. */
public final class ReadOnlyVolumeException extends IOException {
    public ReadOnlyVolumeException(String message) {
        super(message);
    }

    public ReadOnlyVolumeException(String message, Throwable cause) {
        super(message, cause);
    }
}
