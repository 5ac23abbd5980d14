package io.ecfs.stripe.write;

import io.ecfs.dispatch.StateMachine;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.SentBefore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One chunk of a group that is being written: what its {@link ChunkSetWriter} knows of it, which has the table of its
 * states. */
final class WrittenChunk {
    private static final Logger LOG = LoggerFactory.getLogger(WrittenChunk.class);

    /**
     * States of a chunk.
     *
     * <pre>
     *         put  /---------------------------\
     *   PLANNED --&gt; OPENING --&gt; OPEN --&gt; FINISHING --&gt; FINISHED
     *      \-----------\----------\----------\--------&gt; FAILED
     * </pre>
     */
    enum State {
        PLANNED,
        OPENING,
        OPEN,
        FINISHING,
        FINISHED,
        FAILED;

        boolean mayBecome(State next) {
            return switch (this) {
                case PLANNED -> next == OPENING || next == FINISHING || next == FAILED;
                case OPENING -> next == OPEN || next == FAILED;
                case OPEN -> next == FINISHING || next == FAILED;
                case FINISHING -> next == FINISHED || next == FAILED;
                case FINISHED, FAILED -> false;
            };
        }
    }

    private final StateMachine<State> state;
    final ChunkLocation location;
    final List<CompletableFuture<?>> calls = new ArrayList<>(); // those unanswered
    long sentBytes;
    long lastRecord = -1;
    /** Something was sent since it was last asked to sync. */
    boolean dirty = true;

    int unanswered;
    long silentSince; // when it answered last, or was asked after it had answered all
    long requestedAt; // last
    /** From now on its datanode syncs in the background all that the chunk gets. */
    boolean syncedInBackground;

    boolean leftOut;
    boolean reported;
    Optional<EcfsException> failure = Optional.empty();

    WrittenChunk(ChunkLocation location) {
        this.location = location;
        this.state = new StateMachine<>(
                LOG,
                "chunk_writing",
                () -> "chunk=" + location.chunk() + " datanode=" + location.datanode(),
                State.PLANNED,
                State::mayBecome);
    }

    int index() {
        return location.chunk().index();
    }

    /** The bytes and records that a message sent now builds on. */
    SentBefore sent() {
        return new SentBefore(sentBytes, lastRecord);
    }

    boolean lives() {
        return state.is(State.OPEN) || state.is(State.FINISHING) || state.is(State.FINISHED);
    }

    boolean waits() {
        return unanswered > 0 && !state.is(State.FAILED);
    }

    void fail(EcfsException reason) {
        become(State.FAILED, reason.getMessage());
        failure = Optional.of(reason);
    }

    EcfsException silence(String what) {
        return new EcfsException(ErrorCode.TIMEOUT, location.chunk() + " on " + location.datanode() + " " + what);
    }

    State state() {
        return state.state();
    }

    void become(State next, String reason) {
        state.enter(next, reason);
    }
}
