package io.ecfs.code;

import java.util.Objects;

/**
 * The loss exceeds the code: the available chunks do not determine the lost ones.
 *
 * @param lost the chunks that were asked for
 * @param available the chunks that could have been read
 */
public record Unrecoverable(ChunkSet lost, ChunkSet available) implements RepairPlanning {
    public Unrecoverable {
        Objects.requireNonNull(lost, "lost");
        Objects.requireNonNull(available, "available");
    }
}
