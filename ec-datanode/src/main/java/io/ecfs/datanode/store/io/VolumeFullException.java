package io.ecfs.datanode.store.io;

import java.io.IOException;

/** The disk has no room for a write; what is on it stays usable. */
public final class VolumeFullException extends IOException {
    public VolumeFullException(String message) {
        super(message);
    }

    public VolumeFullException(String message, Throwable cause) {
        super(message, cause);
    }
}
