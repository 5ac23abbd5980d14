package io.ecfs.datanode.server;

import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.message.datanode.DatanodeOrder;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Orders of one kind that take long: some are executed at a time, apart from the other orders. Many orders of small
 * work come with one heartbeat and wait here. One that waits is replaced by a later one about the same subject; one
 * under way is not begun again. Owner thread: the control plane's.
 *
 * @param <S> subject of an order
 * @param <O> kind of the orders
 * @param <R> result
 */
final class OrderQueue<S, O extends DatanodeOrder, R> {
    /** What is done for an order. */
    interface Executor<S, O, R> {
        /** Equal for orders of which one is enough. */
        S subject(O order);

        CompletableFuture<R> execute(O order);

        /** Called on the owner thread when it has ended. */
        void ended(O order, Optional<R> result, Optional<EcfsException> failure);
    }

    private final Scheduler scheduler;
    private final int atOnce;
    private final int waitingBound;
    private final Executor<S, O, R> executor;
    private final Map<S, O> waiting = new LinkedHashMap<>();
    private final Set<S> running = new HashSet<>();

    /** @param waitingBound most waiting orders; further ones are dropped, and come again with a later heartbeat */
    OrderQueue(Scheduler scheduler, int atOnce, int waitingBound, Executor<S, O, R> executor) {
        this.scheduler = scheduler;
        this.atOnce = atOnce;
        this.waitingBound = waitingBound;
        this.executor = executor;
    }

    void take(O order) {
        S subject = executor.subject(order);
        boolean room = waiting.containsKey(subject) || waiting.size() < waitingBound;
        if (room && !running.contains(subject)) {
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
            next.remove();
            begin(order);
        }
    }

    private void begin(O order) {
        running.add(executor.subject(order));
        executor.execute(order)
                .whenComplete((result, failure) -> scheduler.execute(() -> {
                    running.remove(executor.subject(order));
                    executor.ended(
                            order,
                            Optional.ofNullable(result),
                            Optional.ofNullable(failure).map(EcfsException::of));
                    beginSome();
                }));
    }
}
