package io.ecfs.client.base;

import io.ecfs.error.EcfsException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Answers that somebody may wait for: those that are not there when the client is closed fail, and so does each that is asked for later. Without it
 * they would wait for ever for a step on the client's thread, which is gone. Safe for use by several threads.
 */
public final class Pending {
    private final Set<Consumer<EcfsException>> failing = ConcurrentHashMap.newKeySet(); // one for each answer
    private volatile EcfsException over; // null until then

    /** The same future, which does not outlive the client. */
    public <T> CompletableFuture<T> with(CompletableFuture<T> answer) {
        Consumer<EcfsException> fail = answer::completeExceptionally;
        failing.add(fail);
        answer.whenComplete((value, failure) -> failing.remove(fail));
        if (over != null) {
            answer.completeExceptionally(over);
        }
        return answer;
    }

    public void end(EcfsException reason) {
        over = reason;
        failing.forEach(fail -> fail.accept(reason));
    }
}
