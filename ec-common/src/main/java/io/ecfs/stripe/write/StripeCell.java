package io.ecfs.stripe.write;

import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.stripe.Stripe;

/**
 * One cell of a sealed stripe, for one chunk.
 *
 * @param offset in the chunk
 * @param bytes that the chunk stores of it, at least 1
 * @param tailOf the group's length when this is the cell of its tail; otherwise 0
 */
public record StripeCell(ChunkLocation chunk, Stripe stripe, long offset, int bytes, long tailOf) {
    public int index() {
        return chunk.chunk().index();
    }

    public long end() {
        return offset + bytes;
    }
}
