package io.ecfs.datanode.store.ring.journal;

import java.io.IOException;

/** A volume needs a journal that is not there. */
public final class JournalMissingException extends IOException {
    private static final long serialVersionUID = 1L;

    public JournalMissingException(String message) {
        super(message);
    }
}
