package io.ecfs.namenode.group;

import io.ecfs.layout.ChunkId;
import io.ecfs.message.VolumeId;
import java.util.Comparator;
import java.util.Objects;

/** A chunk on a volume. Ordered by volume, then chunk, as the tables that hold it. */
public record StoredChunk(VolumeId volume, ChunkId chunk) implements Comparable<StoredChunk> {
    private static final Comparator<StoredChunk> ORDER =
            Comparator.comparing(StoredChunk::volume).thenComparing(StoredChunk::chunk);

    public StoredChunk {
        Objects.requireNonNull(volume, "volume");
        Objects.requireNonNull(chunk, "chunk");
    }

    @Override
    public int compareTo(StoredChunk other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return chunk + "@" + volume;
    }
}
