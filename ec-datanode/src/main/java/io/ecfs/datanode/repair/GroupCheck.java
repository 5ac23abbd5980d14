package io.ecfs.datanode.repair;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.ParityCheck;
import io.ecfs.code.ParityCheck.Verdict;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.transfer.ChunkPayload;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Reads the chunks of a group that can be read, slice after slice, and compares the parity with the data. All slices
 * count: one chunk is wrong only when it explains every slice that differs, since another wrong chunk would be computed
 * into what replaces it. It ends where that is known not to be so. Chunks that are absent are erasures, see
 * {@link ParityCheck}. One slice at a time: it is never urgent. Each chunk's own checksums were verified when it
 * arrived; this finds what they cannot, a chunk that was stored wrong.
 */
final class GroupCheck {
    private final DatanodeOrder.CheckParity order;
    private final ErasureCode code;
    private final RepairResources shared;
    private final Consumer<BadChunk> badChunks;
    private final GroupLayout layout;
    private final List<Slice> slices;

    /** @param sliceBytes most of one chunk in a slice */
    GroupCheck(
            DatanodeOrder.CheckParity order,
            ErasureCode code,
            RepairResources shared,
            Consumer<BadChunk> badChunks,
            int sliceBytes) {
        this.order = order;
        this.code = code;
        this.shared = shared;
        this.badChunks = badChunks;
        this.layout = new GroupLayout(order.policy(), order.groupLength());
        // No chunk is longer than a parity chunk.
        this.slices = Slice.of(layout, order.policy().dataChunks(), sliceBytes);
    }

    /** Fails with {@link EcfsException} when a chunk cannot be read. */
    CompletableFuture<Verdict> run() {
        return from(0, Verdict.ALIKE);
    }

    /** @param before of all slices before this one */
    private CompletableFuture<Verdict> from(int number, Verdict before) {
        if (number == slices.size() || before.equals(Verdict.UNCLEAR)) {
            return CompletableFuture.completedFuture(before);
        }
        return check(slices.get(number)).thenCompose(verdict -> from(number + 1, both(before, verdict)));
    }

    private static Verdict both(Verdict one, Verdict other) {
        if (one.equals(Verdict.ALIKE) || one.equals(other)) {
            return other;
        }
        return other.equals(Verdict.ALIKE) ? one : Verdict.UNCLEAR;
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
        // All of them end before the buffer is released: a late answer must not write into memory of a new owner.
        return CompletableFuture.allOf(reads)
                .thenCompose(all -> shared.workers().submit(() -> judge(slice, cells)))
                .whenComplete((verdict, failure) -> memory.release());
    }

    /**
     * Judges the cells of a slice. Bytes that are not stored of a chunk are zeros, even if the chunk cannot be read.
     */
    private Verdict judge(Slice slice, ByteBuffer[] cells) {
        ChunkSet read = ChunkSet.of(
                order.chunks().stream().map(chunk -> chunk.chunk().index()).toList());
        ChunkSet zeros = ChunkSet.of(IntStream.range(0, cells.length)
                .filter(index -> stored(slice, index) == 0)
                .toArray());
        Verdict verdict = new ParityCheck(code).judge(cells, read.union(zeros));
        boolean blamesZeros =
                verdict.index().isPresent() && zeros.contains(verdict.index().getAsInt());
        return blamesZeros ? Verdict.UNCLEAR : verdict;
    }

    private int stored(Slice slice, int index) {
        return (int) Math.max(0, Math.min(slice.codedBytes(), layout.chunkBytes(index) - slice.offset()));
    }

    /** @param cell of which the chunk's bytes become the first */
    private CompletableFuture<Void> read(ChunkLocation chunk, Slice slice, ByteBuffer cell) {
        int index = chunk.chunk().index();
        int stored = stored(slice, index);
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
                })
                .whenComplete((copied, failure) -> {
                    if (failure != null) {
                        BadChunk.of(chunk, EcfsException.of(failure)).ifPresent(badChunks);
                    }
                });
    }
}
