package io.ecfs.client.write;

import io.ecfs.buffer.MemoryBudget;
import io.ecfs.client.base.BudgetWait;
import io.ecfs.code.ErasureCode;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.layout.WriteSide;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.stripe.Increment;
import io.ecfs.stripe.Stripe;
import io.ecfs.stripe.write.WriteTimes;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A new file being written, for one thread at a time. Bytes are gathered in stripes and encoded on the writing thread;
 * it waits when the stripes under way fill the writer's window or all writers together the client's budget. What was
 * written is acknowledged by {@link #hflush} and {@link #hsync}, which send what the open stripe got since the last one
 * as a tail record, and by {@link #close}.
 *
 * <pre>
 *   OPEN --close--&gt; CLOSING   waits for the acknowledgement --well or not--&gt; CLOSED
 *     `--abort, closeLater--&gt; CLOSED
 * </pre>
 */
public final class EcfsOutputStream extends OutputStream {
    private enum State {
        OPEN,
        CLOSING,
        CLOSED
    }

    /** Tail records of one stripe; more of them cost more than to end the group. */
    private static final int MOST_RECORDS = 16_384;

    private final WriteServices services;
    private final FileWriter writer;
    private final Policy policy;
    private final ErasureCode code;
    private final WriteTimes.OfPolicy times;
    private final boolean syncAtClose;
    private final Packing packing;
    private final MemoryBudget window;
    private final OpenStripe open = new OpenStripe();
    /** The part of the open stripe that is in tail records, and their number. */
    private int recorded;

    private int records;
    /** False when something was given to the writer: then the file has a group of its own. */
    private boolean mayBePacked;

    private long position;
    private State state = State.OPEN;
    /**
     * The result that the writing thread waits for. The writer's end wakes it: after the client was closed nothing else
     * would.
     */
    private volatile CompletableFuture<?> awaited = CompletableFuture.completedFuture(null);

    /** Of a file with groups of its own. */
    public EcfsOutputStream(WriteServices services, FileWriter writer, boolean syncAtClose) {
        this(services, writer, syncAtClose, Packing.NONE);
    }

    /**
     * @param syncAtClose whether {@link #close} puts the bytes on the datanodes' disks before it returns
     * @param packing takes the file when it is closed, if it is small and has no group
     */
    public EcfsOutputStream(WriteServices services, FileWriter writer, boolean syncAtClose, Packing packing) {
        this.packing = packing;
        this.mayBePacked = packing != Packing.NONE;
        this.services = services;
        this.writer = writer;
        this.policy = writer.file().policy();
        this.code = services.codes().of(policy.code());
        this.times = services.times().of(policy);
        this.syncAtClose = syncAtClose;
        this.position = writer.offset();
        this.window = new MemoryBudget(
                "write window of " + writer.file().path(),
                Math.addExact(services.config().writeWindowStripes(), 1));
        writer.ended().whenComplete((done, failure) -> {
            open.end();
            wakeIfFailed(awaited);
        });
    }

    /** As it was created. */
    public FileStatus file() {
        return writer.file();
    }

    /** Bytes of the file so far: those that an append found, and what was written. */
    public long position() {
        return position;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        write(ByteBuffer.wrap(bytes, offset, length));
    }

    /** Writes what remains in {@code source}. */
    public void write(ByteBuffer source) throws IOException {
        requireOpen();
        while (source.hasRemaining()) {
            requireSound();
            Optional<Stripe> begun = open.take();
            Stripe stripe = begun.isPresent() ? begun.get() : newStripe();
            int before = source.remaining();
            try {
                fill(stripe, source);
                position += before - source.remaining();
                if (mayBePacked && !packing.takes(file(), position)) {
                    mayBePacked = false;
                    writer.needsGroupSoon();
                }
            } finally {
                open.put(stripe);
            }
            if (stripe.full()) {
                hand(List.of());
            }
        }
    }

    private void fill(Stripe stripe, ByteBuffer source) throws IOException {
        if (WriteTimes.worthTiming(source.remaining())) {
            long begin = services.clock().nanos();
            stripe.fill(source);
            times.copied(writer.encodingSide(), services.clock().nanos() - begin);
        } else {
            stripe.fill(source);
        }
    }

    /** Does nothing: bytes leave when a stripe is full. See {@link #hflush}. */
    @Override
    public void flush() throws IOException {
        requireOpen();
    }

    /**
     * Returns when everything written so far is acknowledged: readers see it, and the failure of any m datanodes leaves
     * it readable.
     */
    public void hflush() throws IOException {
        acknowledge(false);
    }

    /** As {@link #hflush}, and on the datanodes' disks. */
    public void hsync() throws IOException {
        acknowledge(true);
    }

    /** Acknowledges everything and closes the file. A second call does nothing. */
    @Override
    public void close() throws IOException {
        if (state != State.OPEN) {
            return;
        }
        state = State.CLOSING;
        try {
            requireSound();
            if (!await(pack())) {
                end(syncAtClose, true);
            }
        } catch (IOException | RuntimeException | Error e) {
            writer.fail(EcfsException.of(e));
            throw e;
        } finally {
            release();
        }
    }

    /**
     * As {@link #hsync}, or {@link #hflush} without {@code sync}, for callers that must not wait. The stream must not
     * be used until it has completed.
     */
    public CompletableFuture<Void> acknowledgeLater(boolean sync) {
        try {
            requireOpen();
            requireSound();
            return flush(sync)
                    .thenCompose(acknowledged ->
                            acknowledged ? CompletableFuture.completedFuture(null) : endLater(sync, false));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** As {@link #acknowledgeLater}, and seals the open group: what is written next begins another. */
    public CompletableFuture<Void> sealLater(boolean sync) {
        try {
            requireOpen();
            return endLater(sync, false);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** As {@link #close}, for callers that must not wait. */
    public CompletableFuture<Void> closeLater() {
        try {
            requireOpen();
            requireSound();
            CompletableFuture<Void> ended = pack().thenCompose(
                            packed -> packed ? CompletableFuture.completedFuture(null) : endLater(syncAtClose, true));
            state = State.CLOSED;
            return ended.whenComplete((done, failure) -> {
                if (failure != null) {
                    writer.fail(EcfsException.of(failure));
                }
            });
        } catch (IOException e) {
            release();
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Gives the file up: it disappears, unless it was closed already. */
    public void abort() throws IOException {
        Await.result(abortLater());
    }

    /** As {@link #abort}, without waiting for it. */
    public CompletableFuture<Void> abortLater() {
        if (state == State.CLOSED) {
            return CompletableFuture.completedFuture(null);
        }
        release();
        return writer.abort();
    }

    /** @return whether the file is closed with its bytes in a pack */
    private CompletableFuture<Boolean> pack() {
        Optional<Stripe> stripe = mayBePacked ? open.take() : Optional.empty();
        if (stripe.isEmpty()) {
            return CompletableFuture.completedFuture(false);
        }
        mayBePacked = false;
        return packing.close(file(), stripe.get(), syncAtClose).whenComplete((packed, failure) -> {
            open.put(stripe.get());
            if (failure == null && packed) {
                open.end();
                writer.closedInPack();
            }
        });
    }

    private void acknowledge(boolean sync) throws IOException {
        requireOpen();
        requireSound();
        if (!await(flush(sync))) {
            end(sync, false);
        }
    }

    /** @return false when an open group cannot guarantee that: what is open must end it */
    private CompletableFuture<Boolean> flush(boolean sync) throws IOException {
        mayBePacked = false;
        Optional<Stripe> stripe = open.take();
        try {
            return flush(stripe, sync);
        } finally {
            stripe.ifPresent(open::put);
        }
    }

    private CompletableFuture<Boolean> flush(Optional<Stripe> stripe, boolean sync) throws IOException {
        int filled = stripe.map(of -> (int) of.bytes()).orElse(0);
        CompletableFuture<Boolean> done = services.pending().with(new CompletableFuture<>());
        if (filled == recorded || stripe.isEmpty()) {
            writer.give(List.of(new WriteEvent.Flush(Optional.empty(), sync, done)));
            return done;
        }
        // No thread waits here: writers that wait for each other's stripes would wait for ever.
        long bytes = Increment.memoryBytes(policy, filled - recorded);
        if (records == MOST_RECORDS || !services.budget().tryAcquire(bytes)) {
            return CompletableFuture.completedFuture(false);
        }
        Increment increment = Increment.of(
                policy,
                code,
                services.pool(),
                stripe.get(),
                recorded,
                filled,
                () -> services.budget().release(bytes));
        recorded = filled;
        records++;
        writer.give(List.of(new WriteEvent.Flush(Optional.of(increment), sync, done)));
        return done;
    }

    private CompletableFuture<Void> endLater(boolean sync, boolean close) {
        try {
            requireSound();
            return post(sync, close);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void end(boolean sync, boolean close) throws IOException {
        await(post(sync, close));
    }

    /** Hands over what is open, if anything, and the end behind it. */
    private CompletableFuture<Void> post(boolean sync, boolean close) throws IOException {
        CompletableFuture<Void> done = services.pending().with(new CompletableFuture<>());
        hand(List.of(new WriteEvent.End(sync, close, done)));
        return done;
    }

    /** Hands over what is open, if anything, and what comes behind it. */
    private void hand(List<WriteEvent.Work> behind) throws IOException {
        List<WriteEvent.Work> work = new ArrayList<>();
        Optional<Stripe> stripe = open.take();
        if (stripe.isPresent()) {
            seal(stripe.get());
            work.add(new WriteEvent.Data(stripe.get()));
        }
        work.addAll(behind);
        writer.give(work);
    }

    /** One that cannot be sealed stays open. */
    private void seal(Stripe stripe) throws IOException {
        long begin = services.clock().nanos();
        try {
            stripe.seal();
            times.copied(writer.encodingSide(), services.clock().nanos() - begin);
            if (encodesHere(stripe)) {
                long encoding = services.clock().nanos();
                stripe.encode(code);
                long took = services.clock().nanos() - encoding;
                times.encoded(took);
                stripe.encodingTook(took);
            }
        } catch (IOException | RuntimeException | Error e) {
            open.put(stripe);
            throw e;
        }
        recorded = 0;
        records = 0;
    }

    /** Chunks of a file of one short stripe are put, each in one message: no other datanode encodes that. */
    private boolean encodesHere(Stripe stripe) {
        boolean put = !stripe.full() && position - stripe.bytes() == writer.offset();
        return put || writer.encodingSide() == WriteSide.CLIENT;
    }

    private Stripe newStripe() throws IOException {
        long bytes = Stripe.memoryBytes(policy);
        await(BudgetWait.acquire(
                window, 1, services.config().budgetWait(), services.owner(), "stripes of " + file().path()));
        try {
            await(BudgetWait.acquire(
                    services.budget(), bytes, services.config().budgetWait(), services.owner(), "open writers"));
        } catch (IOException e) {
            window.release(1);
            throw e;
        }
        return new Stripe(policy, services.pool(), () -> {
            services.budget().release(bytes);
            window.release(1);
        });
    }

    private <T> T await(CompletableFuture<T> future) throws IOException {
        awaited = future;
        wakeIfFailed(future);
        return Await.result(future);
    }

    private void wakeIfFailed(CompletableFuture<?> future) {
        writer.failure().ifPresent(future::completeExceptionally);
    }

    private void release() {
        state = State.CLOSED;
        open.end();
    }

    private void requireOpen() throws EcfsException {
        if (state != State.OPEN) {
            throw new EcfsException(ErrorCode.INVALID_ARGUMENT, "stream of " + file().path() + " is closed");
        }
    }

    private void requireSound() throws EcfsException {
        if (writer.failure().isPresent()) {
            EcfsException cause = writer.failure().get();
            throw new EcfsException(
                    cause.code(), cause.getMessage(), cause.hint().orElse(""), cause);
        }
    }

    /** Memory of one stripe: what the client's write budget must hold at least. */
    public static long stripeMemoryBytes(Policy policy) {
        return Stripe.memoryBytes(policy);
    }
}
