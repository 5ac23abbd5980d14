package io.ecfs.bench;

import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.message.Address;
import io.ecfs.message.Message;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.Futures;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The network with one peer far away: its answers reach the caller {@code delay} after they arrived. */
final class LateAnswers implements Caller {
    private final Caller network;
    private final Address late;
    private final Duration delay;
    private final Scheduler timer;
    private final Map<Long, Envelope> delayed = new ConcurrentHashMap<>();
    private final AtomicLong calls = new AtomicLong();

    LateAnswers(Caller network, Address late, Duration delay, Scheduler timer) {
        this.network = network;
        this.late = late;
        this.delay = delay;
        this.timer = timer;
    }

    @Override
    public CompletableFuture<Envelope> call(Address to, Message request, ByteBuf payload, Duration timeout) {
        CompletableFuture<Envelope> call = network.call(to, request, payload, timeout);
        if (!to.equals(late)) {
            return call;
        }
        long number = calls.incrementAndGet();
        CompletableFuture<Envelope> result = new CompletableFuture<>();
        call.whenComplete((answer, failure) -> {
            if (answer != null) {
                delayed.put(number, answer);
            }
            timer.schedule(delay, () -> handOver(number, failure, result));
        });
        Futures.whenCancelled(result, () -> call.cancel(false)); // not the other way round: an answer is delayed
        return result;
    }

    private void handOver(long number, Throwable failure, CompletableFuture<Envelope> result) {
        if (failure != null) {
            result.completeExceptionally(EcfsException.of(failure));
            return;
        }
        Envelope answer = delayed.remove(number);
        if (answer != null && !result.complete(answer)) {
            answer.release();
        }
    }

    /** Releases the delayed answers. */
    @Override
    public void close() {
        network.close();
        timer.close();
        delayed.values().removeIf(answer -> {
            answer.release();
            return true;
        });
    }
}
