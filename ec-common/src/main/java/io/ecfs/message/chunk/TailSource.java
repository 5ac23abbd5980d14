package io.ecfs.message.chunk;

import java.util.Objects;

/** A chunk of an open group, and what its tail log covers. */
public record TailSource(ChunkLocation location, TailCoverage tail) {
    public TailSource {
        Objects.requireNonNull(location, "location");
        Objects.requireNonNull(tail, "tail");
    }
}
