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
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.transfer.CellLayout;
import io.ecfs.transfer.ChunkPayload;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/**
 * One stripe on its way: its cells come in any order, each once, and when the last data cell is there the parity is
 * computed from them, each verified against its checksums. It is over when all cells have come and are answered; one
 * that was dropped gets no further cells.
 *
 * <pre>
 *   COLLECTING --last data cell--&gt; encoding --&gt; encoded: parity can be taken, data cells are released
 *        `-----------failed, or damaged---------&gt; failed
 * </pre>
 *
 * Safe for use by several threads.
 */
final class RelayStripe {
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
    private final BitSet came = new BitSet();

    @GuardedBy("lock")
    private int answered;

    /** No further cell is taken. */
    @GuardedBy("lock")
    private boolean dropped;

    /** Parity is not computed, or not any more. */
    @GuardedBy("lock")
    private boolean failed;

    private final long tailOf;
    private final long beganNanos;
    private volatile long collectedNanos;
    private volatile long encodingNanos;

    /**
     * @param chunk of the relay
     * @param tailOf as its cells have it
     */
    RelayStripe(ChunkId chunk, Policy policy, StripeShape shape, long tailOf, ErasureCode code, RelayResources shared) {
        this.chunk = chunk;
        this.policy = policy;
        this.shape = shape;
        this.tailOf = tailOf;
        this.code = code;
        this.pool = shared.buffers();
        this.workers = shared.workers();
        this.clock = shared.clock();
        this.data = new ByteBuf[policy.dataChunks()];
        this.parity = new ByteBuf[policy.chunks() - policy.dataChunks()];
        this.beganNanos = clock.nanos();
        this.collectedNanos = beganNanos;
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

    /** Memory that it takes until it is over. */
    long memoryBytes() {
        return shape.memoryBytes();
    }

    /** Returns whether cells are awaited for so long since it began. */
    boolean awaitsCellsFor(Duration age) {
        synchronized (lock) {
            return came.cardinality() < shape.cells() && clock.nanos() - beganNanos >= age.toNanos();
        }
    }

    /**
     * Takes a cell; {@link #answered} follows.
     *
     * @param payload borrowed; of a data cell a reference is taken
     * @throws EcfsException {@code INVALID_ARGUMENT} for one that came before, comes too late or is of another stripe
     */
    void take(ChunkRequest.RelayCell cell, ByteBuf payload) throws EcfsException {
        if (cell.tailOf() != tailOf) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "cells of the stripe at " + cell.offset() + " of " + chunk + " are of groups of " + tailOf
                            + " and of " + cell.tailOf() + " bytes");
        }
        int index = cell.chunk().index();
        synchronized (lock) {
            if (dropped || came.get(index)) {
                throw new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "a cell of " + cell.chunk() + " at " + cell.offset() + " came twice, or too late");
            }
            came.set(index);
            if (index >= policy.dataChunks()) {
                return;
            }
            data[index] = payload.retainedDuplicate();
            if (came.get(0, policy.dataChunks()).cardinality() < shape.dataCells()) {
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
                throw droppedFailure();
            }
            parity[at] = null;
            return payload;
        }
    }

    /** A cell that it took was answered, or failed. */
    void answered() {
        synchronized (lock) {
            answered++;
        }
    }

    /** Nothing of it is in use any more. */
    boolean over() {
        synchronized (lock) {
            return answered == (dropped ? came.cardinality() : shape.cells());
        }
    }

    /** Takes no more cells, and fails what waits for them. */
    void drop(EcfsException reason) {
        synchronized (lock) {
            dropped = true;
        }
        fail(reason);
    }

    private void fail(EcfsException reason) {
        synchronized (lock) {
            failed = true;
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
            CellLayout layout = CellLayout.of(cellBytes);
            ByteBuffer[] into = new ByteBuffer[computed.length];
            for (int index = 0; index < computed.length; index++) {
                computed[index] = pool.allocate(layout.bufferBytes(cellBytes));
                into[index] = layout.data(computed[index], cellBytes);
            }
            long begin = clock.nanos();
            code.encode(from, into);
            encodingNanos = clock.nanos() - begin;
            for (ByteBuf payload : computed) {
                layout.seal(payload, cellBytes);
            }
            synchronized (lock) {
                if (!failed) {
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
            if (failed) {
                throw droppedFailure();
            }
            for (int index = 0; index < cells.length; index++) {
                cells[index] = data[index] == null ? null : data[index].retainedDuplicate();
            }
        }
        return cells;
    }

    private EcfsException droppedFailure() {
        return new EcfsException(ErrorCode.CHUNK_MISSING, "the stripe of " + chunk + " was dropped");
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
