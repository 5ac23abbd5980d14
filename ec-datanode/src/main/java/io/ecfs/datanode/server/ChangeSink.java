package io.ecfs.datanode.server;

import io.ecfs.message.chunk.ChunkChange;

/**
 * Takes what happened to chunks, to tell the namenodes. Called on a volume's thread, for one chunk in the order of
 * events; must not block.
 */
@FunctionalInterface
interface ChangeSink {
    void changed(ChunkChange change);
}
