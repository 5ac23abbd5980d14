package io.ecfs.client.ring;

import io.ecfs.code.ChunkSet;
import java.util.Objects;

/**
 * The chunks of a group that are not on volumes that only read.
 *
 * @param turning on volumes that are {@link ExpectedRole#TURNS}
 * @param writing on volumes that are {@link ExpectedRole#WRITES}
 */
public record ChunkRoles(ChunkSet turning, ChunkSet writing) {
    /** Of a group in no ring. */
    public static final ChunkRoles NONE = new ChunkRoles(ChunkSet.empty(), ChunkSet.empty());

    public ChunkRoles {
        Objects.requireNonNull(turning, "turning");
        Objects.requireNonNull(writing, "writing");
    }
}
