package io.ecfs.datanode.store.ring.journal;

import java.io.IOException;

/** What a volume knows of its journal, on disk there: so it does not begin without it. Called between appends. */
public interface JournalMarker {
    /** The journal with this id, which is on disk, may have what the volume has not; on disk when it returns. */
    void needs(long journal) throws IOException;

    /** Nothing of the journal is needed. */
    void needsNone() throws IOException;
}
