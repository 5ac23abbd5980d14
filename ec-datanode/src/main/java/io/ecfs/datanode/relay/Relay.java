package io.ecfs.datanode.relay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.code.ErasureCode;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Policy;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.RelayTarget;
import io.ecfs.message.chunk.RelayTimes;
import io.ecfs.transfer.ChunkPayload;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The stripes of one group that are under way for one writer.
 *
 * <pre>
 *   data cell    --&gt; its datanode at once, and into the stripe
 *   parity cell  --&gt; when the stripe is encoded, behind the cell before it on its chunk --&gt; its datanode
 * </pre>
 *
 * A stripe that finds no memory is refused, and all that come later: cells of a chunk must not skip one. Safe for use
 * by several threads.
 */
final class Relay {
    /** Under way at once. A cell of each may wait for the one before it, and the last of them frees all. */
    static final int MOST_STRIPES = 256;

    private final RelayResources shared;
    private final ChunkId chunk; // on this datanode
    private final Policy policy;
    private final ErasureCode code;
    private final long writer;
    private final Map<Integer, RelayTarget> targets;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final Map<Long, RelayStripe> stripes = new TreeMap<>(); // by offset in each chunk

    /** For each parity chunk: completes when the latest cell that came for it is on its way. */
    @GuardedBy("lock")
    private final Map<Integer, CompletableFuture<Void>> turns = new HashMap<>();

    /** Why nothing more is taken. */
    @GuardedBy("lock")
    private Optional<EcfsException> ended = Optional.empty();

    @GuardedBy("lock")
    private long usedNanos;

    Relay(RelayResources shared, ChunkRequest.BeginRelay begin) {
        this.shared = shared;
        this.chunk = begin.chunk();
        this.policy = begin.policy();
        this.code = shared.codes().of(begin.policy().code());
        this.writer = begin.writer();
        this.targets = begin.targets().stream()
                .collect(Collectors.toUnmodifiableMap(target -> target.chunk().index(), Function.identity()));
        this.usedNanos = shared.clock().nanos();
    }

    /**
     * Returns whether this is the chunk that the relay was begun for. Another one of the group's number may also lie
     * here, left by a group from before a rollback.
     */
    boolean isLocal(ChunkId other) {
        return chunk.equals(other);
    }

    /** Refuses everything from now on if no stripe is under way; returns whether that is so. */
    boolean endIfUnused() {
        synchronized (lock) {
            if (stripes.isEmpty()) {
                end(new EcfsException(ErrorCode.CHUNK_MISSING, "the relay of " + chunk + " made room for another"));
            }
            return stripes.isEmpty();
        }
    }

    /** Nanoseconds since its last cell came or was answered. */
    long idleNanos() {
        synchronized (lock) {
            return shared.clock().nanos() - usedNanos;
        }
    }

    /**
     * Takes a cell.
     *
     * @param payload borrowed; it is needed until the returned future completes
     * @return the answer of the chunk's datanode, once the stripe needs the payload no more
     * @throws EcfsException {@code BUSY} without memory for the stripe, {@code INVALID_ARGUMENT} for a cell that does
     *     not fit the others
     */
    CompletableFuture<ChunkReply.Relayed> take(ChunkRequest.RelayCell cell, ByteBuf payload, CellSink sink)
            throws EcfsException {
        RelayTarget target = targetOf(cell);
        if (cell.chunk().index() < policy.dataChunks() && !ChunkPayload.fits(payload, cell.bytes())) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "payload of a cell for " + cell.chunk() + " does not carry " + cell.bytes() + " bytes");
        }
        RelayStripe stripe = stripeOf(cell);
        stripe.take(cell, payload);
        CompletableFuture<ChunkReply.Relayed> answer;
        try {
            answer = cell.chunk().index() < policy.dataChunks()
                    ? data(stripe, cell, target, payload, sink)
                    : parity(stripe, cell, target, sink);
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        return answer.whenComplete((relayed, failure) -> answered(stripe));
    }

    /**
     * Refuses everything from now on, and fails what waits for cells that did not come.
     *
     * @return how many stripes were under way
     */
    int drop(EcfsException reason) {
        List<RelayStripe> all;
        synchronized (lock) {
            end(reason);
            all = List.copyOf(stripes.values());
        }
        all.forEach(stripe -> drop(stripe, reason));
        return all.size();
    }

    /** Drops the stripes whose cells have not all come so long after the first one. */
    void dropOlderThan(Duration age, EcfsException reason) {
        List<RelayStripe> old;
        synchronized (lock) {
            old = stripes.values().stream()
                    .filter(stripe -> stripe.awaitsCellsFor(age))
                    .toList();
            if (!old.isEmpty()) {
                end(reason);
            }
        }
        old.forEach(stripe -> drop(stripe, reason));
    }

    private void drop(RelayStripe stripe, EcfsException reason) {
        stripe.drop(reason);
        endIfOver(stripe);
    }

    private RelayTarget targetOf(ChunkRequest.RelayCell cell) throws EcfsException {
        RelayTarget target = targets.get(cell.chunk().index());
        if (cell.wanted() && (target == null || !target.chunk().equals(cell.chunk()))) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT, cell.chunk() + " is none of the targets of this relay: begin it anew");
        }
        return target;
    }

    private RelayStripe stripeOf(ChunkRequest.RelayCell cell) throws EcfsException {
        StripeShape shape = StripeShape.of(policy, cell);
        synchronized (lock) {
            usedNanos = shared.clock().nanos();
            RelayStripe there = stripes.get(cell.offset());
            if (there == null) {
                there = begin(shape, cell);
                stripes.put(cell.offset(), there);
            }
            return there;
        }
    }

    @GuardedBy("lock")
    private RelayStripe begin(StripeShape shape, ChunkRequest.RelayCell cell) throws EcfsException {
        if (ended.isEmpty() && stripes.size() >= MOST_STRIPES) {
            end(new EcfsException(
                    ErrorCode.BUSY,
                    MOST_STRIPES + " stripes of " + chunk
                            + " are under way, as many as a relay takes; write directly"));
        }
        if (ended.isEmpty() && !shared.memory().tryAcquire(shape.memoryBytes())) {
            end(new EcfsException(
                    ErrorCode.BUSY,
                    "no memory to relay a stripe of " + shape.memoryBytes() + " bytes: "
                            + shared.memory().usedBytes() + " of "
                            + shared.memory().totalBytes() + " bytes (relay.bytes) are in use; write directly"));
        }
        if (ended.isPresent()) {
            throw ended.get();
        }
        return new RelayStripe(chunk, policy, shape, cell.tailOf(), code, shared);
    }

    @GuardedBy("lock")
    private void end(EcfsException reason) {
        if (ended.isEmpty()) {
            ended = Optional.of(reason);
        }
    }

    private CompletableFuture<ChunkReply.Relayed> data(
            RelayStripe stripe, ChunkRequest.RelayCell cell, RelayTarget target, ByteBuf payload, CellSink sink) {
        long begin = shared.clock().nanos();
        return written(cell, target, payload.retainedDuplicate(), sink)
                .thenCombine(
                        stripe.encoded().exceptionally(failure -> null), // that is the parity's
                        (written, released) -> relayed(stripe, cell, begin, written));
    }

    private CompletableFuture<ChunkReply.Relayed> parity(
            RelayStripe stripe, ChunkRequest.RelayCell cell, RelayTarget target, CellSink sink) {
        int index = cell.chunk().index();
        CompletableFuture<Void> sent = new CompletableFuture<>();
        CompletableFuture<Void> before;
        synchronized (lock) {
            before = turns.put(index, sent);
        }
        CompletableFuture<Void> ready =
                before == null ? stripe.encoded() : before.thenCombine(stripe.encoded(), (turn, encoded) -> null);
        return ready.handle((now, failure) -> {
                    try {
                        return failure == null
                                ? send(stripe, cell, target, sink)
                                : CompletableFuture.<ChunkReply.Relayed>failedFuture(EcfsException.of(failure));
                    } catch (EcfsException e) {
                        return CompletableFuture.<ChunkReply.Relayed>failedFuture(e);
                    } finally {
                        sent.complete(null);
                    }
                })
                .thenCompose(Function.identity());
    }

    private CompletableFuture<ChunkReply.Relayed> send(
            RelayStripe stripe, ChunkRequest.RelayCell cell, RelayTarget target, CellSink sink) throws EcfsException {
        ByteBuf payload = stripe.takeParity(cell.chunk().index());
        long begin = shared.clock().nanos();
        return written(cell, target, payload, sink).thenApply(written -> relayed(stripe, cell, begin, written));
    }

    /** @param payload belongs to the call from here on */
    private CompletableFuture<ChunkReply.Written> written(
            ChunkRequest.RelayCell cell, RelayTarget target, ByteBuf payload, CellSink sink) {
        if (!cell.wanted()) {
            payload.release();
            return CompletableFuture.completedFuture(new ChunkReply.Written(cell.chunk(), 0));
        }
        return sink.write(
                target,
                new ChunkRequest.WriteCells(
                        cell.chunk(), writer, cell.offset(), cell.bytes(), cell.tailOf(), cell.token()),
                payload);
    }

    private ChunkReply.Relayed relayed(
            RelayStripe stripe, ChunkRequest.RelayCell cell, long begin, ChunkReply.Written written) {
        long now = shared.clock().nanos();
        int whole = micros(now - stripe.collectedNanos());
        int encoding = Math.min(whole, micros(stripe.encodingNanos()));
        int exchange = Math.min(whole - encoding, micros(now - Math.max(begin, stripe.collectedNanos())));
        int serving = Math.min(exchange, written.handled().orElse(0));
        return new ChunkReply.Relayed(
                cell.chunk(),
                written.length(),
                new RelayTimes(whole - encoding - exchange, encoding, exchange - serving, serving));
    }

    private static int micros(long nanos) {
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMicros(nanos)));
    }

    private void answered(RelayStripe stripe) {
        synchronized (lock) {
            usedNanos = shared.clock().nanos();
        }
        stripe.answered();
        endIfOver(stripe);
    }

    private void endIfOver(RelayStripe stripe) {
        synchronized (lock) {
            if (!stripe.over() || !stripes.values().remove(stripe)) {
                return;
            }
        }
        stripe.end();
        shared.memory().release(stripe.memoryBytes());
    }
}
