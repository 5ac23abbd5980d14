package io.ecfs.stripe;

import io.ecfs.buffer.BufferPool;
import io.ecfs.code.ErasureCode;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.Invariant;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.transfer.CellLayout;
import io.ecfs.wire.Await;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The n cells of one stripe, in steps: user bytes fill data cells one after the other; {@link #seal} computes their
 * checksums, for a stripe that is not full after spreading it over k smaller cells; {@link #encode} makes the parity,
 * unless another does that; then each cell's payload is taken once, or shared. Memory is lent when a cell is first
 * touched, so that a small file costs little. A cell's buffer is laid out as {@link CellLayout} says.
 *
 * <p>Owned by one thread at a time: the filling one, then the writer's owner thread.
 */
public final class Stripe implements AutoCloseable {
    private final Policy policy;
    private final BufferPool pool;
    private final Runnable atClose;
    private final CellLayout layout;
    private final ByteBuf[] cells;
    private final int[] stored;
    private long filled;
    private boolean isSealed;
    private boolean isEncoded;
    private boolean isClosed;
    private long encodingNanos;
    /** Made when it is encoded on another thread; completes on the owner's. */
    private Optional<CompletableFuture<Void>> encoding = Optional.empty();

    /** @param atClose gives back what was reserved for the stripe */
    public Stripe(Policy policy, BufferPool pool, Runnable atClose) {
        this.policy = policy;
        this.pool = pool;
        this.atClose = atClose;
        this.layout = CellLayout.of(policy.cellBytes());
        this.cells = new ByteBuf[policy.chunks()];
        this.stored = new int[policy.chunks()];
    }

    /** Memory of a stripe with all its cells. */
    public static long memoryBytes(Policy policy) {
        int cell = CellLayout.of(policy.cellBytes()).bufferBytes(policy.cellBytes());
        return Math.multiplyExact((long) cell, policy.chunks());
    }

    /** User bytes in it. */
    public long bytes() {
        return filled;
    }

    public boolean full() {
        return filled == policy.stripeBytes();
    }

    /** Takes bytes from {@code source} until the stripe is full or nothing is left. */
    public void fill(ByteBuffer source) throws IOException {
        Invariant.check(!isSealed, "a sealed stripe is filled");
        while (source.hasRemaining() && !full()) {
            int index = (int) (filled / policy.cellBytes());
            int inCell = (int) (filled % policy.cellBytes());
            int bytes = Math.min(source.remaining(), policy.cellBytes() - inCell);
            ByteBuffer part = source.duplicate().limit(source.position() + bytes);
            cell(index, policy.cellBytes()).setBytes(layout.dataAt() + inCell, part);
            source.position(source.position() + bytes);
            filled += bytes;
        }
    }

    /** Adds {@code bytes} zeros, for which it must have room. */
    public void fillZeros(long bytes) throws IOException {
        Invariant.check(!isSealed && filled + bytes <= policy.stripeBytes(), "%d zeros have no room", bytes);
        for (long end = filled + bytes; filled < end; ) {
            int inCell = (int) (filled % policy.cellBytes());
            int here = (int) Math.min(end - filled, policy.cellBytes() - inCell);
            cell((int) (filled / policy.cellBytes()), policy.cellBytes()).setZero(layout.dataAt() + inCell, here);
            filled += here;
        }
    }

    /** Copies stripe bytes [from, from + length) of an open stripe to {@code at} in a buffer. */
    public void copy(int from, int length, ByteBuf target, int at) {
        Invariant.check(!isSealed && from + length <= filled, "bytes of a stripe are copied that are not there");
        for (int done = 0; done < length; ) {
            int inCell = (from + done) % policy.cellBytes();
            int bytes = Math.min(length - done, policy.cellBytes() - inCell);
            target.setBytes(at + done, cells[(from + done) / policy.cellBytes()], layout.dataAt() + inCell, bytes);
            done += bytes;
        }
    }

    /** The user's bytes of an open stripe, in order; not to be used after the stripe is closed or filled further. */
    public List<ByteBuffer> userBytes() {
        Invariant.check(!isSealed, "the bytes of a sealed stripe lie in other cells");
        List<ByteBuffer> parts = new ArrayList<>();
        for (long at = 0; at < filled; at += policy.cellBytes()) {
            int bytes = (int) Math.min(policy.cellBytes(), filled - at);
            parts.add(layout.data(cells[(int) (at / policy.cellBytes())], bytes));
        }
        return parts;
    }

    /** Cells and checksums of the data; nothing can be added any more. */
    public void seal() throws IOException {
        Invariant.check(!isSealed && filled > 0, "a stripe of %d bytes is sealed", filled);
        isSealed = true;
        if (!full()) {
            spread(codedCellBytes());
        }
        GroupLayout group = new GroupLayout(policy, filled);
        for (int index = 0; index < policy.chunks(); index++) {
            stored[index] = group.storedCellBytes(0, index);
        }
        for (int index = 0; index < policy.dataChunks(); index++) {
            cell(index, codedCellBytes());
            sealCell(index);
        }
    }

    /** Parity and its checksums, of a sealed stripe of which nothing was taken. */
    public void encode(ErasureCode code) throws IOException {
        Invariant.check(isSealed && !isEncoded, "a stripe is encoded that is open, or for the second time");
        isEncoded = true;
        int cellBytes = codedCellBytes();
        for (int index = policy.dataChunks(); index < policy.chunks(); index++) {
            cell(index, cellBytes);
        }
        code.encode(views(0, policy.dataChunks(), cellBytes), views(policy.dataChunks(), policy.chunks(), cellBytes));
        for (int index = policy.dataChunks(); index < policy.chunks(); index++) {
            sealCell(index);
        }
    }

    /** As {@link #seal()} and {@link #encode}. */
    public void seal(ErasureCode code) throws IOException {
        seal();
        encode(code);
    }

    /**
     * Encodes it, if it is not yet, on other threads. Meanwhile data cells may be shared.
     *
     * @param owner where the returned future completes
     */
    public CompletableFuture<Void> encodeLater(Workers workers, ErasureCode code, Executor owner) {
        Invariant.check(!isClosed, "a closed stripe is encoded");
        if (encoding.isEmpty()) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            encoding = Optional.of(done);
            if (isEncoded) {
                done.complete(null);
            } else {
                workers.submit(() -> {
                            encode(code);
                            return null;
                        })
                        .whenComplete((nothing, failure) -> owner.execute(() -> {
                            if (failure == null) {
                                done.complete(null);
                            } else {
                                done.completeExceptionally(EcfsException.of(failure));
                            }
                        }));
            }
        }
        return encoding.get();
    }

    /** Notes how long its writer's thread took to encode it. */
    public void encodingTook(long nanos) {
        encodingNanos = nanos;
    }

    /** Time of its writer's thread for the parity; 0 where another encodes it. */
    public long encodingNanos() {
        return encodingNanos;
    }

    /** Returns whether the parity is there. */
    public boolean encoded() {
        return isEncoded;
    }

    private int codedCellBytes() {
        return full() ? policy.cellBytes() : GroupLayout.tailCellBytes(policy, filled);
    }

    private void sealCell(int index) {
        layout.seal(cells[index], stored[index]);
    }

    /** Bytes that chunk {@code index} stores of this stripe; the padding of a tail is not stored. */
    public int storedBytes(int index) {
        Invariant.check(isSealed, "an open stripe is asked for its stored bytes");
        return stored[index];
    }

    /** The payload of one cell; it belongs to the caller from here on. */
    public ByteBuf take(int index) {
        Invariant.check(isSealed && cells[index] != null, "cell %d is taken before its time or twice", index);
        ByteBuf cell = cells[index];
        cells[index] = null;
        return cell;
    }

    /**
     * The payload of one cell, which stays the stripe's too: it may have to be sent again. The caller releases what it
     * gets.
     */
    public ByteBuf share(int index) {
        Invariant.check(
                isSealed && cells[index] != null, "cell %d is shared before its time or after it was taken", index);
        return cells[index].retainedDuplicate();
    }

    /**
     * Releases the cells that were not taken and gives back the reservation, as soon as nothing encodes it. Call once.
     */
    @Override
    public void close() {
        isClosed = true;
        if (encoding.isPresent() && !encoding.get().isDone()) {
            encoding.get().whenComplete((done, failure) -> release());
        } else {
            release();
        }
    }

    private void release() {
        for (int index = 0; index < cells.length; index++) {
            if (cells[index] != null) {
                cells[index].release();
                cells[index] = null;
            }
        }
        atClose.run();
    }

    /**
     * Moves the bytes from cells of the policy's size to cells of {@code to} bytes, with zeros behind the last. From
     * the last cell to the first: a cell is overwritten only when what was in it has moved on.
     */
    private void spread(int to) throws IOException {
        for (int target = policy.dataChunks() - 1; target >= 0; target--) {
            long begin = (long) target * to;
            int bytes = (int) Math.max(0, Math.min(filled - begin, to));
            ByteBuf cell = cell(target, to);
            for (long end = begin + bytes; end > begin; ) {
                int source = (int) ((end - 1) / policy.cellBytes());
                long sourceBegin = Math.max(begin, (long) source * policy.cellBytes());
                int length = (int) (end - sourceBegin);
                int from = (int) (sourceBegin - (long) source * policy.cellBytes());
                move(cells[source], from, cell, (int) (sourceBegin - begin), length);
                end = sourceBegin;
            }
            cell.setZero(layout.dataAt() + bytes, to - bytes);
        }
    }

    /** Source and target may be one cell and overlap, as {@link ByteBuffer#put(int, ByteBuffer, int, int)} allows. */
    private void move(ByteBuf source, int from, ByteBuf target, int to, int bytes) {
        ByteBuffer into = target.nioBuffer(layout.dataAt() + to, bytes);
        into.put(0, source.nioBuffer(layout.dataAt() + from, bytes), 0, bytes);
    }

    private ByteBuffer[] views(int from, int to, int bytes) {
        ByteBuffer[] views = new ByteBuffer[to - from];
        for (int index = from; index < to; index++) {
            views[index - from] = layout.data(cells[index], bytes);
        }
        return views;
    }

    private ByteBuf cell(int index, int bytes) throws IOException {
        if (cells[index] == null) {
            cells[index] = Await.result(pool.acquire(layout.bufferBytes(bytes)));
        }
        return cells[index];
    }
}
