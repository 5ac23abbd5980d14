package io.ecfs.datanode.store.io;

import java.io.IOException;

/** Failure to find a known volume: its directory is empty or missing, most likely because its drive is not mounted. */
public final class NotMountedException extends IOException {
    private static final long serialVersionUID = 1L;

    public NotMountedException(String message) {
        super(message);
    }
}
