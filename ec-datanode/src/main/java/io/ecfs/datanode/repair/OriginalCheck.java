package io.ecfs.datanode.repair;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.error.Invariant;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.transfer.ChunkPayload;
import io.netty.buffer.ByteBuf;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Compares a rebuilt chunk, slice after slice, with the one that it is to replace, by the checksums that this one has
 * on disk: a thousandth of the bytes. A source with other bytes than its group's, whose checksums match all the same,
 * would otherwise be computed into the new chunk, and the only one that tells of it would be deleted.
 *
 * <pre>
 *   EXPECTED --its checksums were read--&gt; READ --a window differs, its bytes match it--&gt; DISPUTED
 *       |                                   `--a window differs, its bytes do not--&gt; REJECTED
 *       `--missing, corrupt, or of a volume that failed--&gt; ABSENT
 * </pre>
 *
 * One that the order calls MISSING is REJECTED from the beginning: it was found wrong. A chunk that is served and only
 * does not answer keeps its state, and the attempt fails: it is not replaced before it was compared.
 *
 * <p>Several slices are compared at the same time: the first of them that leaves READ decides. An answer to another one
 * that comes later changes nothing; in REJECTED its slice is computed anew.
 *
 * <p>For one rebuild. Safe for use by several threads.
 */
final class OriginalCheck {
    private static final Logger LOG = LoggerFactory.getLogger(OriginalCheck.class);

    /** State of the chunk that is replaced. */
    enum State {
        /** There is none that could be read. */
        ABSENT,
        /** There is one as far as the leader knows, and its checksums were not read yet. */
        EXPECTED,
        /** Its checksums are here. */
        READ,
        /** Its checksums are not those of its bytes, or it was found wrong before: it is no chunk to compare with. */
        REJECTED,
        /** The rebuilt bytes differ from it, and both match their checksums. */
        DISPUTED;

        Set<State> next() {
            return switch (this) {
                case EXPECTED -> EnumSet.of(READ, ABSENT);
                case READ -> EnumSet.of(REJECTED, DISPUTED);
                case ABSENT, REJECTED, DISPUTED -> EnumSet.noneOf(State.class);
            };
        }

        boolean over() {
            return next().isEmpty();
        }
    }

    /** Result of the comparison of one slice. */
    sealed interface Compared {
        /** The slice is like the original, or there was none to compare it with. */
        record Alike() implements Compared {}

        /** The original is no chunk to compare with, which was not known before: the slice is to be computed anew. */
        record Rejected() implements Compared {}

        /** The two differ, and both match their checksums. */
        record Disputed(EcfsException why) implements Compared {}
    }

    private final Optional<ChunkLocation> original;
    private final DatanodeOrder.Rebuild order;
    private final ChunkClient client;
    private final Consumer<BadChunk> badChunks;
    private final int bytes;

    @GuardedBy("this")
    private State state;

    private volatile int[] stored = {};

    /** @param bytes of the chunk */
    OriginalCheck(DatanodeOrder.Rebuild order, ChunkClient client, Consumer<BadChunk> badChunks, int bytes) {
        this.order = order;
        this.client = client;
        this.badChunks = badChunks;
        this.bytes = bytes;
        Optional<ChunkLocation> named = bytes == 0 ? Optional.empty() : order.original();
        this.original = named.filter(chunk -> chunk.state() != ChunkLocation.State.MISSING);
        this.state = original.isPresent() ? State.EXPECTED : named.isPresent() ? State.REJECTED : State.ABSENT;
    }

    synchronized State state() {
        return state;
    }

    /** The chunk that is replaced, where there is one to compare with. */
    Optional<ChunkId> chunk() {
        return original.map(ChunkLocation::chunk);
    }

    /**
     * Completes when what is computed can be compared, or there is nothing to compare it with; fails when that may
     * change.
     */
    CompletableFuture<Void> begin() {
        if (original.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        ChunkLocation at = original.get();
        return client.readChecksums(at.address(), at.chunk(), at.volume(), 0, bytes, order.token())
                .handle((windows, failure) -> {
                    if (failure == null) {
                        stored = windows;
                        become(State.READ, "its checksums were read");
                    } else {
                        abandon(at, EcfsException.of(failure), State.ABSENT);
                    }
                    return null;
                });
    }

    /**
     * Compares what was computed of a slice; borrows the payload.
     *
     * @param offset a window's begin
     * @return fails when they differ and the original, which is served, does not answer
     */
    CompletableFuture<Compared> compare(long offset, int count, ByteBuf payload) {
        OptionalInt differing = state() == State.READ ? differing(offset, count, payload) : OptionalInt.empty();
        if (differing.isEmpty()) {
            return CompletableFuture.completedFuture(new Compared.Alike());
        }
        ChunkLocation at = original.orElseThrow();
        long from = (long) differing.getAsInt() * ChunkPayload.WINDOW_BYTES;
        int window = (int) Math.min(ChunkPayload.WINDOW_BYTES, bytes - from);
        // Its checksums may be what rotted: they count with the bytes that they are of.
        return client.read(at.address(), at.chunk(), at.volume(), from, window, order.token())
                .handle((answer, failure) -> {
                    if (failure == null) {
                        answer.close();
                        return disputed(at, from);
                    }
                    abandon(at, EcfsException.of(failure), State.REJECTED);
                    return new Compared.Rejected();
                });
    }

    private Compared disputed(ChunkLocation at, long from) {
        EcfsException why = differ(at, from);
        return become(State.DISPUTED, why.getMessage()) == State.DISPUTED
                ? new Compared.Disputed(why)
                : new Compared.Rejected();
    }

    private OptionalInt differing(long offset, int count, ByteBuf payload) {
        int first = (int) (offset / ChunkPayload.WINDOW_BYTES);
        int windows = ChunkPayload.checksumBytes(count) / ChunkPayload.CHECKSUM_BYTES;
        for (int i = 0; i < windows; i++) {
            if (payload.getInt(payload.readerIndex() + i * ChunkPayload.CHECKSUM_BYTES) != stored[first + i]) {
                return OptionalInt.of(first + i);
            }
        }
        return OptionalInt.empty();
    }

    private void abandon(ChunkLocation at, EcfsException failure, State next) {
        Optional<BadChunk> bad = BadChunk.of(at, failure);
        if (bad.isEmpty() && at.state() == ChunkLocation.State.LIVE && !state().over()) {
            throw new CompletionException(new EcfsException(
                    failure.code(),
                    "rebuilt chunk " + order.chunk() + " cannot be compared with " + at.chunk() + " on datanode "
                            + at.datanode() + ", which it is to replace: " + failure.getMessage(),
                    failure));
        }
        become(next, failure.code() + ": " + failure.getMessage());
        bad.ifPresent(badChunks);
    }

    /**
     * Goes to a state, unless another slice's answer led to one that is final; returns the state that it is in then.
     */
    private synchronized State become(State next, String reason) {
        if (state.over()) {
            return state;
        }
        Invariant.check(
                state.next().contains(next),
                "the original of %s cannot go from %s to %s (%s)",
                order.chunk(),
                state,
                next,
                reason);
        LOG.atLevel(next == State.READ ? Level.DEBUG : Level.WARN)
                .log(
                        "event=original_state chunk={} original={} from={} to={} reason=\"{}\"",
                        order.chunk(),
                        original.orElseThrow(),
                        state,
                        next,
                        reason);
        state = next;
        return next;
    }

    private EcfsException differ(ChunkLocation at, long offset) {
        return new EcfsException(
                ErrorCode.CHUNK_CORRUPT,
                "rebuilt chunk " + order.chunk() + " differs from " + at.chunk() + " on datanode " + at.datanode()
                        + " from byte " + offset + " on, and both match their checksums: that one or a chunk that was"
                        + " read holds other bytes than its group's; all are retained");
    }
}
