package io.ecfs.datanode.store;

import io.ecfs.datanode.store.ChunkFiles.Place;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.layout.ChunkId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The chunks of a volume that were closed and are not known to be on disk. A chunk closed without a sync is added once
 * its files have their last names; a round of {@link #sync} removes what it put on disk. Any thread; one at a time
 * calls {@link #sync}.
 */
final class ClosedChunks {
    private final Map<ChunkId, StoredChunk> closed = new ConcurrentSkipListMap<>();

    void closed(StoredChunk chunk) {
        closed.put(chunk.chunk(), chunk);
    }

    /** It is on disk, or gone. */
    void forget(ChunkId chunk) {
        closed.remove(chunk);
    }

    int count() {
        return closed.size();
    }

    /**
     * Puts on disk what was closed before this call; a chunk that is reopened and closed again meanwhile waits for the
     * next call.
     */
    void sync(VolumeIo io) throws IOException {
        // One after the other: the constructor that copies a map asks for its size first, which changes meanwhile.
        Map<ChunkId, StoredChunk> before = new TreeMap<>();
        closed.forEach(before::put);
        List<String> files = new ArrayList<>();
        for (ChunkId chunk : before.keySet()) {
            ChunkFiles published = new ChunkFiles(Place.FINALISED, chunk);
            files.add(published.data());
            files.add(published.sum());
        }
        io.syncAll(files);
        before.forEach(closed::remove);
    }
}
