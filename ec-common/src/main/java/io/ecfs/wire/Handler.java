package io.ecfs.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Answers the requests of all connections of one server. Called on the connection's event loop, in order of arrival for
 * each connection: it must not block, but pass work to an executor and return a stage that is completed later, on any
 * thread.
 */
@FunctionalInterface
public interface Handler {
    /**
     * The handler owns the request's payload and has released it when the stage completes; the answer's payload passes
     * to the wire. An {@link io.ecfs.error.EcfsException} (thrown unchecked-wrapped or as the stage's failure) travels
     * to the caller with code, message and hint. Anything else is a bug: it is logged here and travels as
     * {@code INTERNAL}.
     *
     * <p>The stage of a read of a chunk is cancelled, if it is a {@link CompletableFuture}, when its answer is no
     * longer needed. The handler itself releases an answer that it has after that.
     */
    CompletionStage<Envelope> handle(Session session, Envelope request);

    /**
     * Answers the requests of one message, each as by {@link #handle} and with its own stage; the failure of one does
     * not affect the others. They come together so that a handler can serve them as one batch.
     *
     * @return the stages in the order of the requests
     */
    default List<? extends CompletionStage<Envelope>> handleAll(Session session, List<Envelope> requests) {
        List<CompletionStage<Envelope>> answers = new ArrayList<>(requests.size());
        for (Envelope request : requests) {
            CompletionStage<Envelope> answer;
            try {
                answer = handle(session, request);
            } catch (RuntimeException | Error e) {
                answer = CompletableFuture.failedFuture(e);
            }
            answers.add(answer);
        }
        return answers;
    }

    /**
     * A connection was closed, by its peer, by this server or by the network, and brings no more requests. Called on
     * its event loop. The peer may have other connections, or opens one anew.
     */
    default void closed(Session session) {}
}
