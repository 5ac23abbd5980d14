package io.ecfs.wire.server;

import io.ecfs.buffer.MemoryBudget;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Requests of one connection that have not gone to the handler. Owned by the connection's event loop.
 *
 * <pre>
 *   message --> waits --first, and the peer takes answers--> requests its answers' bytes --granted--> goes
 *                 `-- its caller withdraws one request of it, or all --> those do not go; their bytes are released
 * </pre>
 *
 * Always true: messages go in order of arrival, each as a whole; one that needs no answer memory waits for none; a
 * waiting message occupies nothing of the budget.
 */
final class WaitingRequests {
    private final MemoryBudget answers;
    private final Executor loop;
    private final Consumer<List<ServerCall>> handler;
    private final Deque<List<ServerCall>> messages = new ArrayDeque<>();
    private final Map<Long, List<ServerCall>> messageOf = new HashMap<>(); // of requests that can be cancelled
    private Optional<CompletableFuture<Void>> promise = Optional.empty(); // of the first message, until it is granted
    private boolean paused;
    private long requestBytes;

    /** @param handler takes the requests that go */
    WaitingRequests(MemoryBudget answers, Executor loop, Consumer<List<ServerCall>> handler) {
        this.answers = answers;
        this.loop = loop;
        this.handler = handler;
    }

    /** @param message at least one request; all their answers together are within the budget */
    void add(List<ServerCall> message) {
        List<ServerCall> own = new ArrayList<>(message);
        messages.add(own);
        for (ServerCall call : own) {
            requestBytes += call.requestBytes;
            if (call.cancellable()) {
                messageOf.put(call.id, own);
            }
        }
        goOn();
    }

    /** Bytes of the requests that wait. */
    long requestBytes() {
        return requestBytes;
    }

    /** Stops the queue, except the message that has requested its bytes already. */
    void pause() {
        paused = true;
    }

    void resume() {
        paused = false;
        goOn();
    }

    /** @return the request with this number, which will not go; empty if it does not wait or is a change */
    Optional<ServerCall> withdraw(long id) {
        List<ServerCall> message = messageOf.getOrDefault(id, List.of());
        Optional<ServerCall> found =
                message.stream().filter(call -> call.id == id).findFirst();
        if (found.isPresent()) {
            message.remove(found.get());
            left(found.get());
            if (messages.peek() == message && answerBytes(message) == 0) {
                cancelPromise();
            }
            if (message.isEmpty()) {
                messages.remove(message);
            }
            goOn();
        }
        return found;
    }

    /** @return all that waited */
    List<ServerCall> close() {
        cancelPromise();
        List<ServerCall> all = messages.stream().flatMap(List::stream).toList();
        messages.clear();
        all.forEach(this::left);
        return all;
    }

    /** Cancels the request for bytes. If that comes too late, {@link #granted} releases them. */
    private void cancelPromise() {
        promise.ifPresent(waits -> waits.cancel(false));
        promise = Optional.empty();
    }

    private void goOn() {
        while (!paused && promise.isEmpty() && !messages.isEmpty()) {
            long bytes = answerBytes(messages.peek());
            if (bytes == 0) {
                go();
                continue;
            }
            CompletableFuture<Void> asked = answers.acquire(bytes);
            if (asked.isDone()) {
                go();
            } else {
                promise = Optional.of(asked);
                var unused = asked.thenRunAsync(() -> granted(asked, bytes), loop);
            }
        }
    }

    private void granted(CompletableFuture<Void> asked, long bytes) {
        if (promise.filter(mine -> mine == asked).isEmpty()) {
            answers.release(bytes);
            return;
        }
        promise = Optional.empty();
        answers.release(bytes - answerBytes(messages.peek())); // of those that were withdrawn meanwhile
        go();
        goOn();
    }

    private void go() {
        List<ServerCall> message = messages.remove();
        message.forEach(this::left);
        handler.accept(message);
    }

    private void left(ServerCall call) {
        requestBytes -= call.requestBytes;
        messageOf.remove(call.id);
    }

    private static long answerBytes(List<ServerCall> message) {
        return message.stream().mapToLong(call -> call.answerBytes).sum();
    }
}
