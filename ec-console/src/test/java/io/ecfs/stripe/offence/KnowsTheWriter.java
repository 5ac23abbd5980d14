package io.ecfs.stripe.offence;

import io.ecfs.stripe.write.ChunkSetWriter;

/** Depends on the writer that sends stripes. */
public final class KnowsTheWriter {
    static boolean full(ChunkSetWriter writer) {
        return writer.full();
    }
}
