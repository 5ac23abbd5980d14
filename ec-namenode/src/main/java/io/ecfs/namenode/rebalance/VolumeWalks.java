package io.ecfs.namenode.rebalance;

import io.ecfs.message.VolumeId;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.state.MetadataView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Walks over the index of chunks by volume, round and round, a page of each volume at a time, so that the work is in
 * the size of what is looked at and no volume is emptied alone. Owner thread: the namenode's event thread.
 */
final class VolumeWalks {
    private static final int PAGE = 200;

    private final TreeMap<VolumeId, ChunkOnVolume> lookedAt = new TreeMap<>();

    /** The next chunks of these volumes, one of each in turn; walks over other volumes are over. */
    List<ChunkOnVolume> next(MetadataView view, Collection<VolumeId> volumes) {
        lookedAt.keySet().retainAll(volumes);
        List<List<ChunkOnVolume>> pages =
                volumes.stream().map(volume -> page(view, volume)).toList();
        List<ChunkOnVolume> mixed = new ArrayList<>();
        for (int row = 0; row < PAGE; row++) {
            for (List<ChunkOnVolume> page : pages) {
                if (row < page.size()) {
                    mixed.add(page.get(row));
                }
            }
        }
        return mixed;
    }

    private List<ChunkOnVolume> page(MetadataView view, VolumeId volume) {
        List<ChunkOnVolume> page = view.chunksOn(volume, Optional.ofNullable(lookedAt.get(volume)), PAGE);
        if (page.isEmpty()) {
            lookedAt.remove(volume);
            return view.chunksOn(volume, Optional.empty(), PAGE);
        }
        return page;
    }

    /** The walk goes on behind this one. */
    void lookedAt(ChunkOnVolume stored) {
        lookedAt.put(stored.volume(), stored);
    }
}
