package io.ecfs.datanode.repair;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.ChunkLocation;
import io.ecfs.message.DatanodeOrder;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.transfer.ChunkPayload;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares a rebuilt chunk with the one that it is to replace, where that can still be read, by their checksums: a thousandth of the bytes. A
 * source with other bytes than its group's, whose checksums match all the same, would otherwise be computed into the new chunk, and the only
 * one that tells of it would be deleted. Steps of a rebuild note what they append one after the other.
 */
final class OriginalCheck {
    private static final Logger LOG = LoggerFactory.getLogger(OriginalCheck.class);

    private final Optional<ChunkLocation> original;
    private final DatanodeOrder.Rebuild order;
    private final int bytes;
    private final int[] computed;
    private volatile boolean compared;
    private volatile boolean differs;

    /** @param bytes of the chunk */
    OriginalCheck(DatanodeOrder.Rebuild order, int bytes) {
        this.order = order;
        this.bytes = bytes;
        this.original = bytes == 0 ? Optional.empty() : order.original();
        this.computed = original.isPresent()
                ? new int[ChunkPayload.checksumBytes(bytes) / ChunkPayload.CHECKSUM_BYTES]
                : new int[0];
    }

    /** Whether there is a chunk to compare with, as far as the leader knew. */
    boolean expected() {
        return original.isPresent();
    }

    /** The rebuilt chunk has these bytes at {@code offset}, a window's begin; borrows the payload. */
    void appended(long offset, int stored, ByteBuf payload) {
        int first = (int) (offset / ChunkPayload.WINDOW_BYTES);
        int windows = ChunkPayload.checksumBytes(stored) / ChunkPayload.CHECKSUM_BYTES;
        for (int i = 0; expected() && i < windows; i++) {
            computed[first + i] = payload.getInt(payload.readerIndex() + i * ChunkPayload.CHECKSUM_BYTES);
        }
    }

    /**
     * Completes when they are alike, or the original cannot be read any more, see {@link #compared}; fails with {@code CHUNK_CORRUPT} when they
     * differ: one of the chunks that were read, or the original, is wrong, and nobody can tell which.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the callback is all that anybody wants of it
    CompletableFuture<Void> run(ChunkClient client) {
        if (!expected()) {
            return CompletableFuture.completedFuture(null);
        }
        ChunkLocation at = original.get();
        CompletableFuture<Void> done = new CompletableFuture<>();
        client.readChecksums(at.address(), at.chunk(), at.volume(), 0, bytes, order.token())
                .whenComplete((windows, failure) -> {
                    if (failure != null) {
                        LOG.warn(
                                "event=rebuild_not_compared chunk={} original={} datanode={} reason=\"{}\"",
                                order.chunk(),
                                at.chunk(),
                                at.datanode(),
                                EcfsException.of(failure).getMessage());
                        done.complete(null);
                        return;
                    }
                    int mismatch = Arrays.mismatch(computed, Arrays.copyOf(windows, computed.length));
                    differs = mismatch >= 0;
                    compared = !differs;
                    if (differs) {
                        done.completeExceptionally(differ(at, (long) mismatch * ChunkPayload.WINDOW_BYTES));
                    } else {
                        done.complete(null);
                    }
                });
        return done;
    }

    private EcfsException differ(ChunkLocation at, long offset) {
        return new EcfsException(
                ErrorCode.CHUNK_CORRUPT,
                "rebuilt chunk " + order.chunk() + " differs from " + at.chunk() + " on datanode " + at.datanode()
                        + " from byte " + offset + " on, and both match their checksums: that one or a chunk that was"
                        + " read holds other bytes than its group's; all are kept");
    }

    /** Whether the two were found to be alike. */
    boolean compared() {
        return compared;
    }

    /** The original that the rebuilt chunk differs from. */
    Optional<ChunkId> disputed() {
        return differs ? original.map(ChunkLocation::chunk) : Optional.empty();
    }
}
