package io.ecfs.stripe.write;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.error.Invariant;
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

    enum State {
        PLANNED,
        OPENING,
        OPEN,
        FINISHING,
        FINISHED,
        FAILED;

        boolean mayBecome(State next) {
            return next == FAILED
                    || switch (this) {
                        case PLANNED -> next == OPENING || next == FINISHING;
                        case OPENING -> next == OPEN;
                        case OPEN -> next == FINISHING;
                        case FINISHING -> next == FINISHED;
                        case FINISHED, FAILED -> false;
                    };
        }
    }

    final ChunkLocation location;
    final List<CompletableFuture<?>> calls = new ArrayList<>(); // those unanswered
    State state = State.PLANNED;
    long sentBytes;
    long lastRecord = -1;
    /** Something was sent since it was last asked to sync. */
    boolean dirty = true;

    int unanswered;
    long silentSince; // when it answered last, or was asked after it had answered all
    boolean leftOut;
    boolean reported;
    Optional<EcfsException> failure = Optional.empty();

    WrittenChunk(ChunkLocation location) {
        this.location = location;
    }

    int index() {
        return location.chunk().index();
    }

    /** The bytes and records that a message sent now builds on. */
    SentBefore sent() {
        return new SentBefore(sentBytes, lastRecord);
    }

    boolean lives() {
        return state == State.OPEN || state == State.FINISHING || state == State.FINISHED;
    }

    boolean waits() {
        return unanswered > 0 && state != State.FAILED;
    }

    void fail(EcfsException reason) {
        become(State.FAILED, reason.getMessage());
        failure = Optional.of(reason);
    }

    EcfsException silence(String what) {
        return new EcfsException(ErrorCode.TIMEOUT, location.chunk() + " on " + location.datanode() + " " + what);
    }

    void become(State next, String reason) {
        Invariant.check(state.mayBecome(next), "%s goes from %s to %s: %s", location.chunk(), state, next, reason);
        LOG.debug(
                "event=chunk_writing chunk={} datanode={} from={} to={} reason=\"{}\"",
                location.chunk(),
                location.datanode(),
                state,
                next,
                reason);
        state = next;
    }
}
