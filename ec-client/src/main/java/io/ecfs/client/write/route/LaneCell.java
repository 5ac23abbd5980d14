package io.ecfs.client.write.route;

import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.stripe.write.StripeCell;
import io.ecfs.wire.Futures;
import java.util.concurrent.CompletableFuture;

/**
 * A cell that is not acknowledged, and the latest call for it to its chunk's own datanode, which is cancelled with the
 * answer. A call to the master is not: its stripe needs the cell whatever becomes of the chunk.
 */
final class LaneCell {
    private final StripeCell cell;
    private final CompletableFuture<ChunkReply> answer = new CompletableFuture<>();
    private CompletableFuture<?> directCall = CompletableFuture.completedFuture(null);

    LaneCell(StripeCell cell) {
        this.cell = cell;
        Futures.whenCancelled(answer, () -> directCall.cancel(false));
    }

    StripeCell cell() {
        return cell;
    }

    CompletableFuture<ChunkReply> answer() {
        return answer;
    }

    void calledDirectly(CompletableFuture<?> call) {
        directCall = call;
    }
}
