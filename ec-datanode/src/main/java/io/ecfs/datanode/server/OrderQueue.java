package io.ecfs.datanode.server;

import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.message.datanode.DatanodeOrder;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Orders of one kind that take long: some are executed at a time, apart from the other orders. Many orders of small
 * work come with one heartbeat and wait here. An order takes the place of an earlier one about the same subject: of one
 * that waits, which is not executed, and of one under way, whose result is not reported. Owner thread: the control
 * plane's.
 *
 * @param <S> subject of an order
 * @param <O> kind of the orders
 * @param <R> result
 */
final class OrderQueue<S, O extends DatanodeOrder, R> {
    /** What is done for an order. */
    interface Work<S, O, R> {
        /** Equal for orders that take each other's place. */
        S subject(O order);

        CompletableFuture<R> execute(O order);

        /** Reports what became of it. Called on the owner thread. */
        void ended(O order, Optional<R> result, Optional<EcfsException> failure);
    }

    private final Scheduler scheduler;
    private final int atOnce;
    private final int waitingBound;
    private final Work<S, O, R> work;
    private final Map<S, O> waiting = new LinkedHashMap<>();
    private final Map<S, O> running = new HashMap<>();

    /** @param waitingBound most waiting orders; further ones are dropped, and come again with a later heartbeat */
    OrderQueue(Scheduler scheduler, int atOnce, int waitingBound, Work<S, O, R> work) {
        this.scheduler = scheduler;
        this.atOnce = atOnce;
        this.waitingBound = waitingBound;
        this.work = work;
    }

    /** Takes an order; the same again while it waits or runs is a no-op. */
    void take(O order) {
        S subject = work.subject(order);
        boolean room = waiting.containsKey(subject) || waiting.size() < waitingBound;
        if (room && !order.equals(running.get(subject))) {
            waiting.put(subject, order);
            beginSome();
        }
    }

    /** Drops the waiting orders: their leader is deposed. */
    void dropWaiting() {
        waiting.clear();
    }

    private void beginSome() {
        Iterator<O> next = waiting.values().iterator();
        while (running.size() < atOnce && next.hasNext()) {
            O order = next.next();
            if (!running.containsKey(work.subject(order))) {
                next.remove();
                begin(order);
            }
        }
    }

    private void begin(O order) {
        S subject = work.subject(order);
        running.put(subject, order);
        execute(order)
                .whenComplete((result, failure) -> scheduler.execute(() -> {
                    running.remove(subject);
                    boolean superseded = waiting.containsKey(subject);
                    beginSome();
                    if (!superseded) {
                        work.ended(
                                order,
                                Optional.ofNullable(result),
                                Optional.ofNullable(failure).map(EcfsException::of));
                    }
                }));
    }

    /** An order that cannot even be begun must not keep its place: it would block all others. */
    private CompletableFuture<R> execute(O order) {
        try {
            return work.execute(order);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
