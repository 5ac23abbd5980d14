package io.ecfs.code;

import java.util.Objects;

/**
 * The loss is beyond the code: the available chunks do not determine the lost ones.
 *
 * @param lost the chunks that were asked for
 * @param available the chunks that could have been read
 * @param needed the least number of available chunks with which this code could compute the lost ones
 */
public record Beyond(ChunkSet lost, ChunkSet available, int needed) implements RepairOutcome {
    public Beyond {
        Objects.requireNonNull(lost, "lost");
        Objects.requireNonNull(available, "available");
    }
}
