package io.ecfs.code.construction;

import io.ecfs.code.ChunkSet;
import java.util.Optional;

/**
 * Chooses the whole chunks that a repair reads: the fewest, and of those sets the one with the lowest indexes (in
 * dictionary order).
 */
interface SourceChoice {
    /** @return empty when the available chunks do not determine the lost ones, of which there is at least one */
    Optional<ChunkSet> cheapest(ChunkSet lost, ChunkSet available);

    /** For codes of which any k chunks determine all, and fewer determine none of the others. */
    static SourceChoice anyOf(int k) {
        return (lost, available) -> available.size() < k ? Optional.empty() : Optional.of(available.lowest(k));
    }
}
