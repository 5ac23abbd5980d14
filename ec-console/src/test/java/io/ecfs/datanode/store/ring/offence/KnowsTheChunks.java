package io.ecfs.datanode.store.ring.offence;

import io.ecfs.datanode.store.Volume;

/** Depends on what the files of a staged volume are. */
public final class KnowsTheChunks {
    static int chunks(Volume volume) {
        return volume.chunkCount();
    }
}
