package io.ecfs.stripe.write;

import io.ecfs.message.chunk.ChunkReply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The way of the cells of one group to its datanodes. Owned by the writer's owner thread. */
public interface StripeRoute {
    /**
     * Begins it, while the chunks are opened.
     *
     * @return completes when cells can be sent; does not fail
     */
    CompletableFuture<Void> begin();

    /**
     * Sends a cell behind those before it on its chunk. The stripe must stay open until the answer.
     *
     * @return completes with {@link ChunkReply.Written} or {@link ChunkReply.Relayed} when the chunk's datanode has
     *     acknowledged the cell, on any thread; cancelling it gives the cell up
     */
    CompletableFuture<? extends ChunkReply> write(StripeCell cell);

    /** A cell of a stripe that is sent, for a chunk that is not written any more. */
    void skip(StripeCell cell);

    /** Returns whether another encodes the stripes that come next: they need no parity. */
    boolean relays();

    /**
     * All cells of a stripe were answered.
     *
     * @param nanos since those of the stripe before were, or since it was sent, whichever is less; with the time that
     *     its writer's thread took to encode it
     */
    void stripeAnswered(long bytes, long nanos);

    /** Whether messages to a chunk's own datanode may overtake cells: they wait until all cells are answered. */
    boolean mayBeOvertaken();

    /** Looks for another way when the present one has answered nothing for so long. */
    void giveUpSilent(Duration patience);
}
