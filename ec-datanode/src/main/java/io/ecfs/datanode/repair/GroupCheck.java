package io.ecfs.datanode.repair;

import io.ecfs.code.ErasureCode;
import io.ecfs.code.ParityCheck;
import io.ecfs.code.ParityCheck.Verdict;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.ChunkLocation;
import io.ecfs.message.DatanodeOrder;
import io.ecfs.transfer.ChunkPayload;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Reads all chunks of a group, slice after slice, and compares the parity with the data; ends at the first slice where they differ. One
 * slice at a time: nobody waits for it. What each chunk's own checksums say was looked at when it arrived; this finds what they cannot, a
 * chunk that was stored wrong.
 */
final class GroupCheck {
    private final DatanodeOrder.CheckParity order;
    private final ErasureCode code;
    private final Rebuild.Shared shared;
    private final GroupLayout layout;
    private final List<Slice> slices;

    /** @param sliceBytes most of one chunk in a slice */
    GroupCheck(DatanodeOrder.CheckParity order, ErasureCode code, Rebuild.Shared shared, int sliceBytes) {
        this.order = order;
        this.code = code;
        this.shared = shared;
        this.layout = new GroupLayout(order.policy(), order.groupLength());
        // No chunk is longer than a parity chunk.
        this.slices = Slice.of(layout, order.policy().dataChunks(), sliceBytes);
    }

    /** Fails with {@link EcfsException} when a chunk cannot be read. */
    CompletableFuture<Verdict> run() {
        return from(0);
    }

    private CompletableFuture<Verdict> from(int number) {
        if (number == slices.size()) {
            return CompletableFuture.completedFuture(Verdict.ALIKE);
        }
        return check(slices.get(number))
                .thenCompose(verdict ->
                        verdict.equals(Verdict.ALIKE) ? from(number + 1) : CompletableFuture.completedFuture(verdict));
    }

    private CompletableFuture<Verdict> check(Slice slice) {
        int cells = code.chunks();
        int cellBytes = slice.codedBytes();
        long granted = (long) cells * (cellBytes + ChunkPayload.payloadBytes(cellBytes));
        return shared.pace()
                .take((long) cells * cellBytes)
                .thenCompose(turn -> shared.memory().acquire(granted))
                .thenCompose(got -> compare(slice)
                        .whenComplete((verdict, failure) -> shared.memory().release(granted)));
    }

    private CompletableFuture<Verdict> compare(Slice slice) {
        ByteBuf memory;
        try {
            memory = shared.buffers().allocate(Math.multiplyExact(code.chunks(), slice.codedBytes()));
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
        memory.setZero(0, memory.capacity()); // what is not stored of a tail cell is zeros
        // A view of its own for each chunk: answers arrive on several threads, and one buffer's setters share their
        // state.
        ByteBuffer[] cells = new ByteBuffer[code.chunks()];
        Arrays.setAll(cells, index -> memory.nioBuffer(index * slice.codedBytes(), slice.codedBytes()));
        CompletableFuture<?>[] reads = order.chunks().stream()
                .map(chunk -> read(chunk, slice, cells[chunk.chunk().index()]))
                .toArray(CompletableFuture[]::new);
        // All of them end before the buffer goes: a late answer must not write into memory that is somebody else's.
        return CompletableFuture.allOf(reads)
                .thenCompose(all -> shared.workers().submit(() -> new ParityCheck(code).judge(cells)))
                .whenComplete((verdict, failure) -> memory.release());
    }

    /** @param cell of which the chunk's bytes become the first */
    private CompletableFuture<Void> read(ChunkLocation chunk, Slice slice, ByteBuffer cell) {
        int index = chunk.chunk().index();
        int stored = (int) Math.max(0, Math.min(slice.codedBytes(), layout.chunkBytes(index) - slice.offset()));
        if (stored == 0) {
            return CompletableFuture.completedFuture(null);
        }
        return shared.client()
                .read(chunk.address(), chunk.chunk(), chunk.volume(), slice.offset(), stored, order.token())
                .thenAccept(answer -> {
                    try (answer) {
                        ByteBuf bytes = answer.slice(slice.offset(), slice.offset() + stored);
                        bytes.getBytes(bytes.readerIndex(), cell.duplicate().limit(stored));
                    }
                });
    }
}
