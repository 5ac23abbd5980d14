package io.ecfs.layout;

import java.util.Comparator;
import java.util.Objects;

/**
 * The one name of a chunk, in every message, header and map: which group, which of its n parts, and which rewriting of
 * that part. Naming chunks by position in parallel lists is how HDFS and Ozone read and deleted the wrong ones
 * (HDFS-14768, HDDS-10983).
 *
 * @param index 0 to k-1 for data, k to n-1 for parity
 * @param generation grows when the chunk is rewritten elsewhere; starts at 0
 */
public record ChunkId(GroupId group, int index, int generation) implements Comparable<ChunkId> {
    private static final Comparator<ChunkId> ORDER = Comparator.comparing(ChunkId::group)
            .thenComparingInt(ChunkId::index)
            .thenComparingInt(ChunkId::generation);

    public ChunkId {
        Objects.requireNonNull(group, "group");
        if (index < 0 || index > Policy.MAX_CHUNKS - 1) {
            throw new IllegalArgumentException("chunk index must be in [0, " + Policy.MAX_CHUNKS + "): " + index);
        }
        if (generation < 0) {
            throw new IllegalArgumentException("generation must not be negative: " + generation);
        }
    }

    @Override
    public int compareTo(ChunkId other) {
        return ORDER.compare(this, other);
    }

    /** For people and logs: {@code g17.3} and, rewritten twice, {@code g17.3~2}. */
    @Override
    public String toString() {
        return group + "." + index + (generation == 0 ? "" : "~" + generation);
    }
}
