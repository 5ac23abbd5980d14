package io.ecfs.datanode.store;

import io.ecfs.datanode.store.ChunkFiles.Place;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.layout.ChunkId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The chunks of a volume that hold acknowledged bytes and are not known to be on disk: those that were closed without a
 * sync, once their files have their last names, and open ones of which bytes were acknowledged without one, since the
 * files of a pack are closed while its group is open. A round of {@link #sync} removes what it put on disk. Any thread;
 * one at a time calls {@link #sync}.
 */
final class UnsyncedChunks {
    private final Map<ChunkId, Mark> marks = new ConcurrentSkipListMap<>();

    /** Open chunks with acknowledged bytes. Later cells of them are acknowledged without a request. */
    private final Set<ChunkId> syncedAlways = ConcurrentHashMap.newKeySet();

    /** One change of a chunk; compared by identity, since a later change waits for a later round. */
    private static final class Mark {
        private final Place place;

        private Mark(Place place) {
            this.place = place;
        }
    }

    /** It was published without a sync. */
    void closed(StoredChunk chunk) {
        syncedAlways.remove(chunk.chunk());
        marks.put(chunk.chunk(), new Mark(Place.FINALISED));
    }

    /** It is open, and bytes of it are acknowledged without a sync. */
    void acknowledged(ChunkId chunk) {
        syncedAlways.add(chunk);
        marks.put(chunk, new Mark(Place.WRITING));
    }

    /** It is open, and got cells. */
    void appended(ChunkId chunk) {
        if (syncedAlways.contains(chunk)) {
            marks.put(chunk, new Mark(Place.WRITING));
        }
    }

    /** It is published and on disk, or gone. */
    void forget(ChunkId chunk) {
        syncedAlways.remove(chunk);
        marks.remove(chunk);
    }

    int count() {
        return marks.size();
    }

    /** Puts on disk what was there before this call; a chunk that changes meanwhile waits for the next call. */
    void sync(VolumeIo io) throws IOException {
        // One after the other: the constructor that copies a map asks for its size first, which changes meanwhile.
        Map<ChunkId, Mark> before = new TreeMap<>();
        marks.forEach(before::put);
        List<String> synced = new ArrayList<>();
        before.forEach((chunk, mark) -> {
            ChunkFiles files = new ChunkFiles(mark.place, chunk);
            synced.add(files.data());
            synced.add(files.sum());
            if (mark.place == Place.WRITING) {
                synced.add(files.tail());
            }
        });
        io.syncAll(synced);
        before.forEach(marks::remove);
    }
}
