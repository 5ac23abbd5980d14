package io.ecfs.namenode.report;

import io.ecfs.layout.ChunkId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.RebuildWork;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What datanodes told of the chunks that they rebuilt. They tell it once, to every namenode, and the one that leads may
 * be another before the repair is committed: so each keeps the last {@value #MOST}. Owner thread: the namenode's event
 * thread.
 */
public final class RebuildNotes {
    /** More than are under way at one time. */
    private static final int MOST = 1000;

    private final Map<Place, Note> notes = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Place, Note> eldest) {
            return size() > MOST;
        }
    };

    private record Place(VolumeId volume, ChunkId chunk) {}

    /**
     * What the target did, by its own clock, of which only the differences count.
     *
     * @param heardMillis when it told, monotonic
     */
    public record Note(RebuildWork work, long heardMillis) {
        /** When the target took the order up, monotonic. */
        public long startedMillis() {
            return heardMillis - work.ranMillis();
        }
    }

    public void heard(VolumeId volume, ChunkId chunk, RebuildWork work, long nowMillis) {
        notes.put(new Place(volume, chunk), new Note(work, nowMillis));
    }

    public Optional<Note> of(VolumeId volume, ChunkId chunk) {
        return Optional.ofNullable(notes.get(new Place(volume, chunk)));
    }
}
