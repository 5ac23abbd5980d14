package io.ecfs.client.write.route;

import io.ecfs.dispatch.StateMachine;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.stripe.write.StripeCell;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One chunk's cells on their way, in order: through the master, and directly once that failed. {@link LaneState} has
 * the table of its states.
 *
 * <pre>
 *   calls under way end --&gt; probe --&gt; what the chunk has is acknowledged, the rest is sent directly
 *                             ^                               |
 *                             `---- refused: another came first
 * </pre>
 *
 * A cell that the master still sends after its failure has the same bytes as the one that is sent again, so the chunk
 * takes whichever comes first and refuses the other by its offset. Owned by the client's owner thread.
 */
final class ChunkLane {
    private static final Logger LOG = LoggerFactory.getLogger(ChunkLane.class);

    /** Each cell under way at the master's failure can make one more of them necessary. */
    private static final int MOST_PROBES = 16;

    private final ChunkLocation chunk;
    private final DirectCalls direct;
    private final StateMachine<LaneState> state;
    private final Deque<LaneCell> cells = new ArrayDeque<>(); // not acknowledged
    private int calls; // under way for them, or waiting for their turn
    private int probes;
    private CompletableFuture<Void> turn = CompletableFuture.completedFuture(null);

    /** @param first {@code RELAYED}, or {@code DIRECT} for a chunk of which nothing was relayed */
    ChunkLane(ChunkLocation chunk, LaneState first, DirectCalls direct) {
        this.chunk = chunk;
        this.direct = direct;
        this.state = new StateMachine<>(
                LOG,
                "chunk_lane",
                () -> "chunk=" + chunk.chunk() + " datanode=" + chunk.datanode(),
                first,
                LaneState::mayBecome);
    }

    /** Some cells are not on their way to the chunk's own datanode. */
    boolean holdsCells() {
        return !turn.isDone() || (!state.is(LaneState.DIRECT) && !cells.isEmpty());
    }

    /** Adds a cell that is sent to the master; one of the next three follows. */
    LaneCell relay(StripeCell cell) {
        LaneCell one = new LaneCell(cell);
        cells.add(one);
        calls++;
        return one;
    }

    void relayed(LaneCell one, ChunkReply.Relayed reply) {
        acknowledged(one, reply);
        callEnded();
    }

    /** The chunk's own datanode refused the cell. */
    void refused(LaneCell one, EcfsException reason) {
        failed(one, reason);
        callEnded();
    }

    /** The master failed; the chunk may have the cell. */
    void relayFailed() {
        callEnded();
    }

    /** Nothing more goes through the master. */
    void becomeDirect() {
        state.enter(LaneState.UNCERTAIN, "the master failed");
        probeIfUncertain();
    }

    /** Writes a cell directly, behind those before it. */
    CompletableFuture<ChunkReply> write(StripeCell cell) {
        LaneCell one = new LaneCell(cell);
        cells.add(one);
        if (state.is(LaneState.DIRECT)) {
            send(one);
        } else {
            probeIfUncertain();
        }
        return one.answer();
    }

    private void callEnded() {
        calls--;
        probeIfUncertain();
    }

    /** Finds out what the chunk has of the cells whose outcome is unknown, when no call for them is under way. */
    private void probeIfUncertain() {
        dropAnswered();
        if (!state.is(LaneState.UNCERTAIN) || calls > 0 || cells.isEmpty()) {
            return;
        }
        probes++;
        state.enter(LaneState.PROBING, cells.size() + " cells");
        direct.probe(chunk)
                .whenComplete(
                        (found, failure) -> direct.owner().execute(() -> probed(Optional.ofNullable(failure), found)));
    }

    private void probed(Optional<Throwable> failure, ChunkReply.Probed found) {
        dropAnswered();
        List<LaneCell> all = List.copyOf(cells);
        Optional<EcfsException> lost =
                failure.map(EcfsException::of).or(() -> lost(found.record().state()));
        state.enter(LaneState.DIRECT, lost.map(EcfsException::getMessage).orElse("probed"));
        if (lost.isPresent()) {
            all.forEach(one -> failed(one, lost.get()));
            return;
        }
        long length = found.record().bytes();
        for (LaneCell one : all) {
            long end = one.cell().end();
            if (end <= length) {
                acknowledged(one, new ChunkReply.Written(chunk.chunk(), end));
            } else {
                send(one);
            }
        }
    }

    /** The reason why this writer can add nothing to the chunk; empty while it is being written. */
    private Optional<EcfsException> lost(ChunkState found) {
        return switch (found) {
            case BEING_WRITTEN -> Optional.empty();
            case FINALISED ->
                Optional.of(new EcfsException(
                        ErrorCode.FENCED,
                        chunk.chunk() + " on " + chunk.datanode() + " was published without this writer"));
            case CORRUPT ->
                Optional.of(new EcfsException(
                        ErrorCode.CHUNK_CORRUPT, chunk.chunk() + " on " + chunk.datanode() + " is corrupt"));
        };
    }

    /** Sends a cell that is not given up, so its stripe is open. */
    private void send(LaneCell one) {
        CompletableFuture<Void> encoded = direct.encoded(one.cell());
        calls++;
        CompletableFuture<Void> sent = new CompletableFuture<>();
        turn.thenCombine(encoded, (before, done) -> null).whenComplete((now, failure) -> {
            if (failure != null) {
                refused(one, EcfsException.of(failure));
            } else if (one.answer().isDone()) {
                callEnded();
            } else {
                sendNow(one);
            }
            sent.complete(null);
        });
        turn = sent;
    }

    private void sendNow(LaneCell one) {
        CompletableFuture<ChunkReply.Written> call = direct.write(one.cell());
        one.calledDirectly(call);
        call.whenComplete((written, failure) -> direct.owner().execute(() -> {
            if (failure == null) {
                acknowledged(one, written);
            } else {
                notWritten(one, EcfsException.of(failure));
            }
            callEnded();
        }));
    }

    private void notWritten(LaneCell one, EcfsException reason) {
        if (reason.code() != ErrorCode.INVALID_ARGUMENT || probes >= MOST_PROBES) {
            failed(one, reason);
        } else if (state.is(LaneState.DIRECT)) {
            state.enter(LaneState.UNCERTAIN, "perhaps the master's cell came first");
        }
    }

    private void dropAnswered() {
        cells.removeIf(one -> one.answer().isDone());
    }

    private void acknowledged(LaneCell one, ChunkReply reply) {
        cells.remove(one);
        one.answer().complete(reply);
    }

    private void failed(LaneCell one, EcfsException failure) {
        cells.remove(one);
        one.answer().completeExceptionally(failure);
    }
}
