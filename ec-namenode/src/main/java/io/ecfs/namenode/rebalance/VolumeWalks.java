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
 * Round-robin scans of the index of chunks by volume, a page of each volume at a time, so that the work is bounded by
 * the number of chunks scanned and no volume is emptied alone. Owner thread: the namenode's event thread.
 */
final class VolumeWalks {
    private static final int PAGE = 200;

    private final TreeMap<VolumeId, ChunkOnVolume> cursors = new TreeMap<>();

    /** The next chunks of these volumes, one of each in turn; scans of other volumes are dropped. */
    List<ChunkOnVolume> next(MetadataView view, Collection<VolumeId> volumes) {
        cursors.keySet().retainAll(volumes);
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
        List<ChunkOnVolume> page = view.chunksOn(volume, Optional.ofNullable(cursors.get(volume)), PAGE);
        if (page.isEmpty()) {
            cursors.remove(volume);
            return view.chunksOn(volume, Optional.empty(), PAGE);
        }
        return page;
    }

    /** Advances the scan behind this chunk. */
    void advance(ChunkOnVolume stored) {
        cursors.put(stored.volume(), stored);
    }
}
