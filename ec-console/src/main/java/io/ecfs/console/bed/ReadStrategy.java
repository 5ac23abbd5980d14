package io.ecfs.console.bed;

import io.ecfs.code.ChunkSet;
import java.util.List;

/** How a client chooses what it reads. */
interface ReadStrategy {
    /**
     * @param blocks of one request
     * @return for each of them the chunks to ask for, none of them at a failed site
     */
    List<ChunkSet> choose(int[] blocks);

    /** A site has answered. */
    default void answered(int site, long bytes, long nanos) {}
}
