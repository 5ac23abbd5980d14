package io.ecfs.bench.koh.run;

import io.ecfs.error.EcfsException;
import java.util.Collection;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Keeps a request of each of some slots under way: begins them and takes their answers on one thread, so that what the
 * slots share needs no lock.
 *
 * @param <S> a slot; it has at most one request under way
 */
final class RequestLoop<S> {
    private final Requests<S> requests;
    private final BlockingQueue<Answer<S>> answers = new LinkedBlockingQueue<>();
    private final PriorityQueue<Due<S>> idle = new PriorityQueue<>(Comparator.comparingLong(Due::nanos));

    /** The requests of slots. Times are those of {@link System#nanoTime}. */
    interface Requests<S> {
        /** When the slot's next request is to begin; the past means now. */
        long due(S slot);

        /** Begins the slot's next request. */
        CompletableFuture<?> begin(S slot) throws Exception;

        /**
         * Takes the answer.
         *
         * @param result of the future that {@link #begin} gave
         * @throws Exception when it is wrong, which ends the loop
         */
        void ended(S slot, Object result, long begun, long ended) throws Exception;
    }

    private record Due<S>(S slot, long nanos) {}

    private record Answer<S>(S slot, Object result, Throwable failure, long begun, long ended) {}

    RequestLoop(Requests<S> requests) {
        this.requests = requests;
    }

    /**
     * Runs until {@code goOn} says no and the last answer is there.
     *
     * @throws Exception the first failure, when nothing is under way any more
     */
    void run(Collection<S> slots, BooleanSupplier goOn) throws Exception {
        slots.forEach(this::rest);
        int underWay = 0;
        Exception failure = null;
        while (true) {
            boolean on = failure == null && goOn.getAsBoolean();
            while (on && !idle.isEmpty() && idle.peek().nanos() <= System.nanoTime()) {
                begin(idle.remove().slot());
                underWay++;
                on = goOn.getAsBoolean();
            }
            if (underWay == 0 && !on) {
                break;
            }
            Answer<S> answer = on && !idle.isEmpty()
                    ? answers.poll(idle.peek().nanos() - System.nanoTime(), TimeUnit.NANOSECONDS)
                    : answers.take();
            if (answer == null) {
                continue;
            }
            underWay--;
            Exception why = taken(answer);
            failure = failure == null ? why : failure;
            rest(answer.slot());
        }
        idle.clear();
        if (failure != null) {
            throw failure;
        }
    }

    private void rest(S slot) {
        idle.add(new Due<>(slot, requests.due(slot)));
    }

    private void begin(S slot) {
        long begun = System.nanoTime();
        CompletableFuture<?> request;
        try {
            request = requests.begin(slot);
        } catch (Exception e) {
            request = CompletableFuture.failedFuture(e);
        }
        request.whenComplete(
                (result, failure) -> answers.add(new Answer<>(slot, result, failure, begun, System.nanoTime())));
    }

    /** Null when the answer is right. */
    private Exception taken(Answer<S> answer) {
        if (answer.failure() != null) {
            return EcfsException.of(answer.failure());
        }
        try {
            requests.ended(answer.slot(), answer.result(), answer.begun(), answer.ended());
            return null;
        } catch (Exception e) {
            return e;
        }
    }
}
