package io.ecfs.fault.victim;

import io.ecfs.code.ChunkSet;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A group of the load.
 *
 * @param file one of those with bytes in it
 * @param chunkBytes of its longest chunk
 * @param chunks volume of each, by index
 */
public record PlacedGroup(
        GroupId id, String file, Policy policy, long chunkBytes, SortedMap<Integer, StoredVolume> chunks) {
    public PlacedGroup {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(file, "file");
        Objects.requireNonNull(policy, "policy");
        chunks = Collections.unmodifiableSortedMap(new TreeMap<>(chunks));
    }

    /** Its chunks on any of these volumes. */
    public ChunkSet on(Collection<StoredVolume> volumes) {
        return ChunkSet.of(chunks.entrySet().stream()
                .filter(chunk -> volumes.contains(chunk.getValue()))
                .map(Map.Entry::getKey)
                .toList());
    }

    /** All its chunks. */
    public ChunkSet all() {
        return ChunkSet.of(chunks.keySet());
    }
}
