package io.ecfs.stripe.write;

import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.transfer.ChunkClient;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The writer's own way, for stripes that it has encoded: each cell goes to its chunk's datanode. */
public final class DirectRoute implements StripeRoute {
    private final ChunkClient client;
    private final long writer;
    private final Supplier<BlockToken> token;

    /** @param writer the number that the chunks are opened with */
    public DirectRoute(ChunkClient client, long writer, Supplier<BlockToken> token) {
        this.client = client;
        this.writer = writer;
        this.token = token;
    }

    @Override
    public CompletableFuture<Void> begin() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<? extends ChunkReply> write(StripeCell cell) {
        return client.write(
                cell.chunk().address(),
                cell.chunk().chunk(),
                writer,
                cell.offset(),
                cell.stripe().take(cell.index()),
                cell.bytes(),
                cell.tailOf(),
                token.get());
    }

    @Override
    public void skip(StripeCell cell) {
        // No datanode waits for it.
    }

    @Override
    public boolean relays() {
        return false;
    }

    @Override
    public void stripeAnswered(long bytes, long nanos) {
        // It is the only route of its files.
    }

    @Override
    public boolean mayBeOvertaken() {
        return false;
    }

    @Override
    public void giveUpSilent(Duration patience) {
        // The datanode of each chunk is watched by itself.
    }
}
