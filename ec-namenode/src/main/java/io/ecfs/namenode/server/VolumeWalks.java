package io.ecfs.namenode.server;

import io.ecfs.message.VolumeId;
import io.ecfs.namenode.group.StoredChunk;
import io.ecfs.namenode.state.MetadataView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Walks over the index of chunks by volume, round and round, a page of each volume at a time, so that the work is in the size of what is
 * looked at and no volume is emptied alone. Owner thread: the namenode's event thread.
 */
final class VolumeWalks {
    private static final int PAGE = 200;

    private final TreeMap<VolumeId, StoredChunk> lookedAt = new TreeMap<>();

    /** The next chunks of these volumes, one of each in turn; walks over other volumes are over. */
    List<StoredChunk> next(MetadataView view, Collection<VolumeId> volumes) {
        lookedAt.keySet().retainAll(volumes);
        List<List<StoredChunk>> pages =
                volumes.stream().map(volume -> page(view, volume)).toList();
        List<StoredChunk> mixed = new ArrayList<>();
        for (int row = 0; row < PAGE; row++) {
            for (List<StoredChunk> page : pages) {
                if (row < page.size()) {
                    mixed.add(page.get(row));
                }
            }
        }
        return mixed;
    }

    private List<StoredChunk> page(MetadataView view, VolumeId volume) {
        List<StoredChunk> page = view.chunksOn(volume, Optional.ofNullable(lookedAt.get(volume)), PAGE);
        if (page.isEmpty()) {
            lookedAt.remove(volume);
            return view.chunksOn(volume, Optional.empty(), PAGE);
        }
        return page;
    }

    /** The walk goes on behind this one. */
    void lookedAt(StoredChunk stored) {
        lookedAt.put(stored.volume(), stored);
    }
}
