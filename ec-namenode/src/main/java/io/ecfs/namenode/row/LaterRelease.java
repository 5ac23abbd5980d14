package io.ecfs.namenode.row;

/**
 * A row has something that only a later release writes. Nothing may be decided without it, and nothing dropped by
 * writing the row anew: the namenode stops.
 */
public final class LaterRelease extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public LaterRelease(String message) {
        super(message);
    }
}
