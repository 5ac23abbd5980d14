package io.ecfs.datanode.repair;

import io.ecfs.error.EcfsException;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.transfer.ChunkBytes;
import io.ecfs.transfer.ChunkPayload;
import io.netty.buffer.ByteBuf;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Reads a whole chunk, slice by slice, and compares it with the stored checksums of the chunk that it replaces. The
 * checksums of the bytes read are computed here, not taken from the sender. Neither chunk is this datanode's, so that
 * no datanode vouches for its own chunk. It is not urgent: like a move it uses idle processors.
 */
final class ChunkComparison {
    private final DatanodeOrder.Compare order;
    private final RepairResources shared;
    private final Consumer<BadChunk> badChunks;
    private final int sliceBytes;

    /** @param sliceBytes most of the chunk in a slice */
    ChunkComparison(DatanodeOrder.Compare order, RepairResources shared, Consumer<BadChunk> badChunks, int sliceBytes) {
        this.order = order;
        this.shared = shared;
        this.badChunks = badChunks;
        this.sliceBytes = Math.max(ChunkPayload.WINDOW_BYTES, sliceBytes - sliceBytes % ChunkPayload.WINDOW_BYTES);
    }

    /** Returns whether they are equal; fails with {@link EcfsException} when one of them cannot be read. */
    CompletableFuture<Boolean> run() {
        ChunkLocation old = order.old();
        return complained(
                        old,
                        shared.client()
                                .readChecksums(
                                        old.address(), old.chunk(), old.volume(), 0, order.bytes(), order.token()))
                .thenCompose(windows -> from(0, windows));
    }

    private CompletableFuture<Boolean> from(long offset, int[] windows) {
        if (offset >= order.bytes()) {
            return CompletableFuture.completedFuture(true);
        }
        int count = (int) Math.min(sliceBytes, order.bytes() - offset);
        return differing(offset, count, windows)
                .thenCompose(
                        window -> window.isPresent() ? confirmed(window.getAsLong()) : from(offset + count, windows));
    }

    /** The first byte of the first window of a slice that differs. */
    private CompletableFuture<OptionalLong> differing(long offset, int count, int[] windows) {
        long granted = ChunkPayload.payloadBytes(count);
        ChunkLocation fresh = order.fresh();
        return shared.yielding()
                .take(count)
                .thenCompose(may -> shared.pace().take(count))
                .thenCompose(turn -> shared.memory().acquire(granted))
                .thenCompose(got -> complained(
                                fresh,
                                shared.client()
                                        .read(
                                                fresh.address(),
                                                fresh.chunk(),
                                                fresh.volume(),
                                                offset,
                                                count,
                                                order.token()))
                        .thenCompose(bytes -> shared.workers().submit(() -> differing(bytes, offset, count, windows)))
                        .whenComplete((found, failure) -> shared.memory().release(granted)));
    }

    private static OptionalLong differing(ChunkBytes read, long offset, int count, int[] windows) {
        try (read) {
            ByteBuf bytes = read.slice(offset, offset + count);
            for (int at = 0; at < count; at += ChunkPayload.WINDOW_BYTES) {
                int window = Math.min(ChunkPayload.WINDOW_BYTES, count - at);
                int expected = windows[(int) ((offset + at) / ChunkPayload.WINDOW_BYTES)];
                if (ChunkPayload.crc32c(bytes, bytes.readerIndex() + at, window) != expected) {
                    return OptionalLong.of(offset + at);
                }
            }
            return OptionalLong.empty();
        }
    }

    /** Confirms a difference by the old chunk's bytes, since its checksums may be what rotted. */
    private CompletableFuture<Boolean> confirmed(long from) {
        ChunkLocation old = order.old();
        int window = (int) Math.min(ChunkPayload.WINDOW_BYTES, order.bytes() - from);
        return complained(
                        old,
                        shared.client().read(old.address(), old.chunk(), old.volume(), from, window, order.token()))
                .thenApply(bytes -> {
                    bytes.close();
                    return false;
                });
    }

    private <T> CompletableFuture<T> complained(ChunkLocation chunk, CompletableFuture<T> read) {
        return read.whenComplete((bytes, failure) -> {
            if (failure != null) {
                BadChunk.of(chunk, EcfsException.of(failure)).ifPresent(badChunks);
            }
        });
    }
}
