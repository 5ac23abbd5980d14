package io.ecfs.namenode.health;

import io.ecfs.message.VolumeId;
import io.ecfs.namenode.group.ChunkOnVolume;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Chunks that an entry has just placed on volumes that serve, and that these have not reported yet: a writer's entry
 * may overtake the reports of its datanodes, which batch them. They are not damage until the report is overdue. As in
 * HDFS, where the close of a file waits for the reports of its blocks. Owner thread: the namenode's event thread.
 */
final class AwaitedReports {
    /** The batches of datanodes are 20 ms long. */
    static final long OVERDUE_MILLIS = 1000;

    /** The times since which reports are awaited, monotonic; the oldest first. */
    private final LinkedHashMap<ChunkOnVolume, Long> since = new LinkedHashMap<>();

    /** Awaits the report of a chunk; one that is awaited already becomes overdue no later. */
    void await(ChunkOnVolume chunk, long nowMillis) {
        since.putIfAbsent(chunk, nowMillis);
    }

    void remove(ChunkOnVolume chunk) {
        since.remove(chunk);
    }

    void clear() {
        since.clear();
    }

    boolean contains(ChunkOnVolume chunk) {
        return since.containsKey(chunk);
    }

    boolean anyOn(VolumeId volume) {
        return since.keySet().stream().anyMatch(chunk -> chunk.volume().equals(volume));
    }

    /** Removes the chunks whose reports are overdue, and returns them. */
    List<ChunkOnVolume> takeOverdue(long nowMillis) {
        List<ChunkOnVolume> overdue = new ArrayList<>();
        Iterator<Map.Entry<ChunkOnVolume, Long>> oldest = since.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<ChunkOnVolume, Long> entry = oldest.next();
            if (nowMillis - entry.getValue() < OVERDUE_MILLIS) {
                break;
            }
            overdue.add(entry.getKey());
            oldest.remove();
        }
        return overdue;
    }
}
