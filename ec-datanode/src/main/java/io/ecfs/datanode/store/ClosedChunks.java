package io.ecfs.datanode.store;

import io.ecfs.datanode.store.ChunkFiles.Place;
import io.ecfs.layout.ChunkId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The chunks of a volume that were closed and are not known to be on disk. Whoever closes a chunk without a sync adds it once its files have
 * their last names; a round of {@link #sync} takes out what it put on disk. Any thread; one at a time calls {@link #sync}.
 */
final class ClosedChunks {
    private final Map<ChunkId, Long> bytes = new ConcurrentSkipListMap<>();

    void closed(StoredChunk chunk) {
        bytes.put(chunk.chunk(), chunk.bytes());
    }

    /** It is on disk, or gone. */
    void forget(ChunkId chunk) {
        bytes.remove(chunk);
    }

    int count() {
        return bytes.size();
    }

    /** Puts on disk what was closed before this call. */
    void sync(VolumeIo io) throws IOException {
        Map<ChunkId, Long> closed = new TreeMap<>(bytes);
        List<String> files = new ArrayList<>();
        for (ChunkId chunk : closed.keySet()) {
            ChunkFiles published = new ChunkFiles(Place.FINALISED, chunk);
            files.add(published.data());
            files.add(published.sum());
        }
        io.syncAll(files);
        closed.keySet().forEach(bytes::remove);
    }
}
