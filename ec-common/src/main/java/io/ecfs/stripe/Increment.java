package io.ecfs.stripe;

import io.ecfs.buffer.BufferPool;
import io.ecfs.code.ErasureCode;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.message.chunk.TailForm;
import io.ecfs.message.chunk.TailRecord;
import io.ecfs.transfer.CellLayout;
import io.ecfs.transfer.ChunkPayload;
import io.ecfs.wire.Await;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What was added to the open stripe since the last acknowledgement, ready to be sent as a tail record: one payload that
 * some chunks get, or a cell for each. Made by the filling thread, then owned by the writer's owner thread.
 */
public final class Increment implements AutoCloseable {
    /** A record's head, in the log. */
    private static final int HEAD_BYTES = 80;
    /** The smallest write of a disk, in bytes. */
    private static final int PAGE_BYTES = 4096;

    private final Policy policy;
    private final int offset;
    private final int length;
    private final TailForm form;
    private final ByteBuf[] payloads;
    private final Runnable atClose;

    private Increment(Policy policy, int offset, int length, TailForm form, ByteBuf[] payloads, Runnable atClose) {
        this.policy = policy;
        this.offset = offset;
        this.length = length;
        this.form = form;
        this.payloads = payloads;
        this.atClose = atClose;
    }

    /** The form that writes fewer bytes to disks: a small increment mirrored, a larger one coded. */
    public static TailForm form(Policy policy, int length) {
        long mirrored = (policy.code().parityChunks() + 1L) * diskBytes(length);
        long coded = policy.chunks() * diskBytes(GroupLayout.tailCellBytes(policy, length));
        return mirrored <= coded ? TailForm.MIRRORED : TailForm.CODED;
    }

    private static long diskBytes(int stored) {
        long bytes = (long) HEAD_BYTES + ChunkPayload.payloadBytes(stored);
        return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    }

    /** Memory of an increment of this length. */
    public static long memoryBytes(Policy policy, int length) {
        return form(policy, length) == TailForm.MIRRORED
                ? ChunkPayload.payloadBytes(length)
                : policy.chunks() * cellMemoryBytes(GroupLayout.tailCellBytes(policy, length));
    }

    private static long cellMemoryBytes(int cellBytes) {
        return CellLayout.of(cellBytes).bufferBytes(cellBytes);
    }

    /**
     * Stripe bytes [from, to).
     *
     * @param atClose gives back what was reserved for it
     */
    public static Increment of(
            Policy policy, ErasureCode code, BufferPool pool, Stripe stripe, int from, int to, Runnable atClose)
            throws IOException {
        TailForm form = form(policy, to - from);
        ByteBuf[] payloads = new ByteBuf[form == TailForm.MIRRORED ? 1 : policy.chunks()];
        Increment increment = new Increment(policy, from, to - from, form, payloads, atClose);
        try {
            if (form == TailForm.MIRRORED) {
                increment.mirror(pool, stripe);
            } else {
                increment.encode(pool, stripe, code);
            }
            return increment;
        } catch (IOException | RuntimeException | Error e) {
            increment.close();
            throw e;
        }
    }

    private void mirror(BufferPool pool, Stripe stripe) throws IOException {
        int checksums = ChunkPayload.checksumBytes(length);
        ByteBuf payload = Await.result(pool.acquire(checksums + length));
        payloads[0] = payload;
        stripe.copy(offset, length, payload, checksums);
        payload.setIndex(0, checksums + length);
        ChunkPayload.seal(payload, length);
    }

    private void encode(BufferPool pool, Stripe stripe, ErasureCode code) throws IOException {
        GroupLayout layout = new GroupLayout(policy, length);
        int cellBytes = layout.tailCellBytes();
        CellLayout cell = CellLayout.of(cellBytes);
        ByteBuffer[] cells = new ByteBuffer[payloads.length];
        for (int index = 0; index < payloads.length; index++) {
            payloads[index] = Await.result(pool.acquire(cell.bufferBytes(cellBytes)));
            if (index < policy.dataChunks()) {
                int stored = (int) layout.chunkBytes(index);
                stripe.copy(offset + Math.min(length, index * cellBytes), stored, payloads[index], cell.dataAt());
                payloads[index].setZero(cell.dataAt() + stored, cellBytes - stored);
            }
            cells[index] = cell.data(payloads[index], cellBytes);
        }
        code.encode(
                Arrays.copyOfRange(cells, 0, policy.dataChunks()),
                Arrays.copyOfRange(cells, policy.dataChunks(), cells.length));
        for (int index = 0; index < payloads.length; index++) {
            cell.seal(payloads[index], (int) layout.chunkBytes(index));
        }
    }

    public TailForm form() {
        return form;
    }

    /** @param stripeBegin where in the group its stripe begins */
    public TailRecord record(long sequence, long stripeBegin) {
        return new TailRecord(sequence, stripeBegin + offset, length, form);
    }

    /** The bytes for the chunk with this index; the caller releases them. */
    public ByteBuf share(int index) {
        return payloads[form == TailForm.MIRRORED ? 0 : index].retainedDuplicate();
    }

    /** Call once. */
    @Override
    public void close() {
        for (ByteBuf payload : payloads) {
            if (payload != null) {
                payload.release();
            }
        }
        atClose.run();
    }
}
