package io.ecfs.namenode.group;

import io.ecfs.layout.ChunkId;
import io.ecfs.message.VolumeId;
import java.util.Comparator;
import java.util.Objects;

/** A chunk on a volume. Ordered by volume, then chunk, as the tables that hold it. */
public record ChunkOnVolume(VolumeId volume, ChunkId chunk) implements Comparable<ChunkOnVolume> {
    private static final Comparator<ChunkOnVolume> ORDER =
            Comparator.comparing(ChunkOnVolume::volume).thenComparing(ChunkOnVolume::chunk);

    public ChunkOnVolume {
        Objects.requireNonNull(volume, "volume");
        Objects.requireNonNull(chunk, "chunk");
    }

    @Override
    public int compareTo(ChunkOnVolume other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return chunk + "@" + volume;
    }
}
