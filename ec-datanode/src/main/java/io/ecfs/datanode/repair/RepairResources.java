package io.ecfs.datanode.repair;

import io.ecfs.buffer.BufferPool;
import io.ecfs.buffer.MemoryBudget;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.transfer.ChunkClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Resources that the rebuilds, fills, comparisons and checks of a datanode share.
 *
 * @param memory for slices and for what sources send
 * @param pace of all that is read but tail records; fills of stripes only charge it, see {@link RepairSettings.Limit}
 * @param yielding of those that are calm, beside that
 * @param buffers as large as {@code memory}, so that what is lent after it was taken there never waits
 */
record RepairResources(
        ChunkClient client,
        MemoryBudget memory,
        BufferPool buffers,
        Workers workers,
        RepairPace pace,
        RepairPace yielding,
        RepairSettings settings) {
    /** Memory for a slice, when there is some. */
    CompletableFuture<SliceWork> lend(Slice slice, Recipe with) {
        long bytes = SliceBuffer.bytesWithAnswers(slice, with);
        return memory.acquire(bytes).thenApply(granted -> {
            try {
                SliceBuffer buffer = new SliceBuffer(slice, with, buffers.allocate(SliceBuffer.bytes(slice, with)));
                return new SliceWork(slice, with, buffer, bytes);
            } catch (EcfsException | RuntimeException | Error e) {
                memory.release(bytes);
                throw new CompletionException(e);
            }
        });
    }

    /** The slice is done with. */
    void end(SliceWork work) {
        work.buffer().release();
        memory.release(work.granted());
    }
}
