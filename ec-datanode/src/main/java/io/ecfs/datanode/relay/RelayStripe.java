package io.ecfs.datanode.relay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.buffer.BufferPool;
import io.ecfs.code.ErasureCode;
import io.ecfs.env.Clock;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Policy;
import io.ecfs.transfer.ChunkPayload;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/**
 * One stripe on its way: its data cells come in any order, and when the last one is there the parity is computed from
 * them, each verified against its checksums.
 *
 * <pre>
 *   COLLECTING --last data cell--&gt; encoding --&gt; encoded: parity can be taken, data cells are released
 *        `-----------failed, or damaged---------&gt; failed
 * </pre>
 *
 * Safe for use by several threads.
 */
final class RelayStripe {
    private static final int ALIGNMENT = 64;

    private final ChunkId chunk; // of the group, for messages
    private final Policy policy;
    private final StripeShape shape;
    private final ErasureCode code;
    private final BufferPool pool;
    private final Workers workers;
    private final Clock clock;
    private final CompletableFuture<Void> encoded = new CompletableFuture<>();
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final ByteBuf[] data;

    @GuardedBy("lock")
    private final ByteBuf[] parity;

    @GuardedBy("lock")
    private int awaited;

    @GuardedBy("lock")
    private boolean over;

    private volatile long collectedNanos;
    private volatile long encodingNanos;

    RelayStripe(
            ChunkId chunk,
            Policy policy,
            StripeShape shape,
            ErasureCode code,
            BufferPool pool,
            Workers workers,
            Clock clock) {
        this.chunk = chunk;
        this.policy = policy;
        this.shape = shape;
        this.code = code;
        this.pool = pool;
        this.workers = workers;
        this.clock = clock;
        this.data = new ByteBuf[policy.dataChunks()];
        this.parity = new ByteBuf[policy.chunks() - policy.dataChunks()];
        this.awaited = shape.dataCells();
        this.collectedNanos = clock.nanos();
    }

    /** Completes when the parity is there, and the data cells are not needed any more; fails with why not. */
    CompletableFuture<Void> encoded() {
        return encoded;
    }

    /** When the last data cell came. */
    long collectedNanos() {
        return collectedNanos;
    }

    /** Time that the code took. */
    long encodingNanos() {
        return encodingNanos;
    }

    /**
     * Adds a data cell.
     *
     * @param payload borrowed; a reference is taken
     * @throws EcfsException {@code INVALID_ARGUMENT} when it came before
     */
    void add(int index, ByteBuf payload) throws EcfsException {
        synchronized (lock) {
            if (over) {
                return;
            }
            if (data[index] != null) {
                throw new EcfsException(
                        ErrorCode.INVALID_ARGUMENT, "data cell " + index + " of a stripe of " + chunk + " came twice");
            }
            data[index] = payload.retainedDuplicate();
            if (--awaited > 0) {
                return;
            }
        }
        collectedNanos = clock.nanos();
        workers.submit(this::encode).whenComplete((done, failure) -> {
            if (failure == null) {
                encoded.complete(null);
                release();
            } else {
                fail(EcfsException.of(failure));
            }
        });
    }

    /** The payload of a parity cell, which the caller releases; once for each, after it was encoded. */
    ByteBuf takeParity(int index) throws EcfsException {
        synchronized (lock) {
            int at = index - policy.dataChunks();
            ByteBuf payload = parity[at];
            if (payload == null) {
                throw new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "parity cell " + index + " of a stripe of " + chunk + " came twice");
            }
            parity[at] = null;
            return payload;
        }
    }

    /** Ends it: what waits for it fails. */
    void fail(EcfsException reason) {
        synchronized (lock) {
            over = true;
        }
        encoded.completeExceptionally(reason);
        release();
    }

    /** All cells have been answered: releases what nothing took. */
    void end() {
        fail(new EcfsException(ErrorCode.INVALID_ARGUMENT, "the stripe of " + chunk + " is over"));
        synchronized (lock) {
            releaseAll(parity);
        }
    }

    private void release() {
        synchronized (lock) {
            releaseAll(data);
        }
    }

    private static void releaseAll(ByteBuf[] buffers) {
        for (int i = 0; i < buffers.length; i++) {
            if (buffers[i] != null) {
                buffers[i].release();
                buffers[i] = null;
            }
        }
    }

    private Void encode() throws EcfsException {
        int cellBytes = shape.cellBytes();
        ByteBuf[] cells = references();
        ByteBuf[] computed = new ByteBuf[policy.chunks() - policy.dataChunks()];
        try {
            ByteBuffer[] from = new ByteBuffer[cells.length];
            for (int index = 0; index < cells.length; index++) {
                from[index] = wholeCell(cells, index, cellBytes);
            }
            int dataAt = (ChunkPayload.checksumBytes(cellBytes) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
            ByteBuffer[] into = new ByteBuffer[computed.length];
            for (int index = 0; index < computed.length; index++) {
                computed[index] = pool.allocate(dataAt + cellBytes);
                into[index] = computed[index].nioBuffer(dataAt, cellBytes);
            }
            long begin = clock.nanos();
            code.encode(from, into);
            encodingNanos = clock.nanos() - begin;
            for (ByteBuf payload : computed) {
                payload.setIndex(dataAt - ChunkPayload.checksumBytes(cellBytes), dataAt + cellBytes);
                ChunkPayload.seal(payload, cellBytes);
            }
            synchronized (lock) {
                if (!over) {
                    System.arraycopy(computed, 0, parity, 0, computed.length);
                    Arrays.fill(computed, null);
                }
            }
            return null;
        } finally {
            releaseAll(cells);
            releaseAll(computed);
        }
    }

    /** References to the data cells; null for those behind the end of the tail. */
    private ByteBuf[] references() throws EcfsException {
        ByteBuf[] cells = new ByteBuf[policy.dataChunks()];
        synchronized (lock) {
            if (over) {
                throw new EcfsException(ErrorCode.CHUNK_MISSING, "the stripe of " + chunk + " was dropped");
            }
            for (int index = 0; index < cells.length; index++) {
                cells[index] = data[index] == null ? null : data[index].retainedDuplicate();
            }
        }
        return cells;
    }

    /**
     * The verified bytes of a data cell. One that is short is followed by zeros, and one that codes cannot read is
     * copied; the copy takes the cell's place.
     */
    private ByteBuffer wholeCell(ByteBuf[] cells, int index, int cellBytes) throws EcfsException {
        int stored = shape.stored(index);
        if (stored > 0) {
            OptionalInt mismatch = ChunkPayload.firstMismatch(cells[index], stored);
            if (mismatch.isPresent()) {
                throw new EcfsException(
                        ErrorCode.CHUNK_CORRUPT,
                        "data cell " + index + " of a stripe of " + chunk
                                + " came damaged: the checksum window at byte " + mismatch.getAsInt()
                                + " does not match its bytes");
            }
        }
        if (stored == cellBytes && cells[index].isDirect() && cells[index].nioBufferCount() == 1) {
            return ChunkPayload.data(cells[index], stored).nioBuffer();
        }
        ByteBuf padded = pool.allocate(cellBytes);
        if (stored > 0) {
            padded.setBytes(0, ChunkPayload.data(cells[index], stored), 0, stored);
            cells[index].release();
        }
        cells[index] = padded.setIndex(0, cellBytes);
        padded.setZero(stored, cellBytes - stored);
        return padded.nioBuffer(0, cellBytes);
    }
}
