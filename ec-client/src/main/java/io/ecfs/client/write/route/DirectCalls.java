package io.ecfs.client.write.route;

import io.ecfs.code.ErasureCode;
import io.ecfs.env.Workers;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.stripe.write.StripeCell;
import io.ecfs.transfer.ChunkClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Calls about one group to the chunks' own datanodes.
 *
 * @param codecs encode on other threads
 * @param dataChunks of the group's policy
 * @param writer the number that the chunks are opened with
 * @param owner runs what follows from answers on the owner thread
 */
record DirectCalls(
        ChunkClient client,
        Workers codecs,
        ErasureCode code,
        int dataChunks,
        long writer,
        Supplier<BlockToken> token,
        Executor owner) {
    CompletableFuture<ChunkReply.Probed> probe(ChunkLocation chunk) {
        return client.probe(chunk.address(), chunk.chunk(), chunk.volume(), token.get());
    }

    /** Completes on the owner thread when the cell can be written. */
    CompletableFuture<Void> encoded(StripeCell cell) {
        return cell.index() < dataChunks
                ? CompletableFuture.completedFuture(null)
                : cell.stripe().encodeLater(codecs, code, owner);
    }

    CompletableFuture<ChunkReply.Written> write(StripeCell cell) {
        return client.write(
                cell.chunk().address(),
                cell.chunk().chunk(),
                writer,
                cell.offset(),
                cell.stripe().share(cell.index()),
                cell.bytes(),
                cell.tailOf(),
                token.get());
    }
}
