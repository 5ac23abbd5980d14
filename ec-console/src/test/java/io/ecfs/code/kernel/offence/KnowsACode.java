package io.ecfs.code.kernel.offence;

import io.ecfs.code.ChunkSet;

/** Reaches from a kernel to the codes that it serves. */
public final class KnowsACode {
    static int size(ChunkSet chunks) {
        return chunks.size();
    }
}
