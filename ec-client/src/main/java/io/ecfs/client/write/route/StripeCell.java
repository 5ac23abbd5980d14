package io.ecfs.client.write.route;

import io.ecfs.client.write.stripe.Stripe;
import io.ecfs.message.chunk.ChunkLocation;

/**
 * One cell of a sealed stripe, for one chunk.
 *
 * @param offset in the chunk
 * @param bytes that the chunk stores of it, at least 1
 * @param tailOf the group's length when this is the cell of its tail; otherwise 0
 */
public record StripeCell(ChunkLocation chunk, Stripe stripe, long offset, int bytes, long tailOf) {
    int index() {
        return chunk.chunk().index();
    }

    long end() {
        return offset + bytes;
    }
}
