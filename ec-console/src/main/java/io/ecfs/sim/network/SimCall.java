package io.ecfs.sim.network;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Failure;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.Session;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One request and the caller that waits for its answer. */
final class SimCall {
    private final SimConnection connection;
    private final Session session;
    private final SimFrame request;
    private final CompletableFuture<Envelope> result = new CompletableFuture<>();
    private Optional<CompletableFuture<Envelope>> stage = Optional.empty(); // of the server
    private boolean calledOff;

    SimCall(SimConnection connection, Session session, SimFrame request) {
        this.connection = connection;
        this.session = session;
        this.request = request;
        connection.add(this);
    }

    SimConnection connection() {
        return connection;
    }

    Session session() {
        return session;
    }

    SimFrame request() {
        return request;
    }

    CompletableFuture<Envelope> result() {
        return result;
    }

    /** The server has it, and promises this to the caller. */
    void begun(CompletionStage<Envelope> promised) {
        if (promised instanceof CompletableFuture<Envelope> cancellable) {
            stage = Optional.of(cancellable);
        }
    }

    /** Its caller's cancel has reached the server. */
    void callOff() {
        calledOff = true;
        stage.ifPresent(begun -> begun.cancel(false));
    }

    /** Such a failure is no bug of the server's. */
    boolean calledOff() {
        return calledOff;
    }

    void fail(ErrorCode code, String message) {
        connection.remove(this);
        result.completeExceptionally(new EcfsException(code, message));
    }

    void answer(Envelope answer) {
        connection.remove(this);
        if (answer.head() instanceof Failure failure) {
            answer.release();
            result.completeExceptionally(failure.toException());
        } else if (!result.complete(answer)) {
            answer.release();
        }
    }
}
