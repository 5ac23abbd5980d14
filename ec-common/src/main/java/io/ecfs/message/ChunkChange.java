package io.ecfs.message;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.ecfs.layout.ChunkId;

/** One change on one volume. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
@JsonSubTypes({
    @JsonSubTypes.Type(value = ChunkChange.Present.class, name = "present"),
    @JsonSubTypes.Type(value = ChunkChange.Gone.class, name = "gone"),
    @JsonSubTypes.Type(value = ChunkChange.Fenced.class, name = "fenced")
})
public sealed interface ChunkChange {
    VolumeId volume();

    /** The chunk is now as the record says: opened, finalised, or found corrupt. */
    record Present(VolumeId volume, ChunkRecord record) implements ChunkChange {}

    /** The chunk is not there: deleted on order, or ordered and never known. */
    record Gone(VolumeId volume, ChunkId chunk) implements ChunkChange {}

    /** The old writer of an open chunk is shut out by {@code fence}; the record's length will not change any more. */
    record Fenced(VolumeId volume, ChunkRecord record, long fence) implements ChunkChange {}
}
