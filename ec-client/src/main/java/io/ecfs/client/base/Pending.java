package io.ecfs.client.base;

import io.ecfs.error.EcfsException;
import java.util.NavigableMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Answers that somebody may wait for: those that are not there when the client is closed fail, and so does each that is
 * asked for later. Without it they would wait for ever for a step on the client's thread, which is gone. Safe for use
 * by several threads.
 */
public final class Pending {
    private final NavigableMap<Long, CompletableFuture<?>> answers = new ConcurrentSkipListMap<>(); // the oldest first
    private final AtomicLong asked = new AtomicLong();
    private volatile EcfsException over; // null until then

    /** The same future, which does not outlive the client. */
    public <T> CompletableFuture<T> with(CompletableFuture<T> answer) {
        long number = asked.incrementAndGet();
        answers.put(number, answer);
        answer.whenComplete((value, failure) -> answers.remove(number));
        if (over != null) {
            answer.completeExceptionally(over);
        }
        return answer;
    }

    public void end(EcfsException reason) {
        over = reason;
        answers.values().forEach(answer -> answer.completeExceptionally(reason));
    }
}
