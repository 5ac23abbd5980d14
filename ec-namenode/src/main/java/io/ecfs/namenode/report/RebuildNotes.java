package io.ecfs.namenode.report;

import io.ecfs.layout.ChunkId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.RebuildWork;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reports of datanodes on the chunks that they rebuilt. They report once, to every namenode, and the leader may be
 * another before the repair is committed: so each namenode stores the last {@value #MOST}. Owner thread: the namenode's
 * event thread.
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
     * Work of the target, by its own clock, of which only the differences count.
     * @param reportedMillis when it was reported, monotonic
     */
    public record Note(RebuildWork work, long reportedMillis) {
        /** Monotonic time at which the target began. */
        public long startedMillis() {
            return reportedMillis - work.ranMillis();
        }
    }

    public void heard(VolumeId volume, ChunkId chunk, RebuildWork work, long nowMillis) {
        notes.put(new Place(volume, chunk), new Note(work, nowMillis));
    }

    public Optional<Note> of(VolumeId volume, ChunkId chunk) {
        return Optional.ofNullable(notes.get(new Place(volume, chunk)));
    }
}
