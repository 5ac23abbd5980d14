package io.ecfs.datanode.store.io;

import java.io.IOException;

/** Where a volume is known to belong there is an empty directory, or none: most likely its drive is not mounted. */
public final class NotMountedException extends IOException {
    private static final long serialVersionUID = 1L;

    public NotMountedException(String message) {
        super(message);
    }
}
