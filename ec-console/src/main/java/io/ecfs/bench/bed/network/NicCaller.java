package io.ecfs.bench.bed.network;

import io.ecfs.env.Clock;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.Message;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.Futures;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The calls of one machine through its NIC: a request is made when its bytes have passed the network, and the answer is
 * given when its bytes have. Results complete on the network's one thread.
 */
public final class NicCaller implements Caller {
    /** Of a message beside its payload, about: frame, head, token. */
    private static final long HEAD_BYTES = 160;

    private final Caller real;
    private final LimitedNetwork network;
    private final int machine;
    private final Clock clock;

    /** @param machine that calls */
    public NicCaller(Caller real, LimitedNetwork network, int machine, Clock clock) {
        this.real = real;
        this.network = network;
        this.machine = machine;
        this.clock = clock;
    }

    @Override
    public CompletableFuture<Envelope> call(Address to, Message request, ByteBuf payload, Duration timeout) {
        CompletableFuture<Envelope> result = new CompletableFuture<>();
        long until = clock.nanos() + timeout.toNanos();
        int peer = network.machine(to);
        network.send(machine, peer, HEAD_BYTES + payload.readableBytes(), () -> {
            long left = until - clock.nanos();
            if (result.isDone() || left <= 0) {
                payload.release();
                result.completeExceptionally(tooLate(to, request, timeout));
            } else {
                answer(peer, real.call(to, request, payload, Duration.ofNanos(left)), result);
            }
        });
        return result;
    }

    @Override
    public List<CompletableFuture<Envelope>> callAll(Address to, List<ChunkRequest.ReadChunk> reads, Duration timeout) {
        List<CompletableFuture<Envelope>> results = new ArrayList<>();
        reads.forEach(read -> results.add(new CompletableFuture<>()));
        long until = clock.nanos() + timeout.toNanos();
        int peer = network.machine(to);
        network.send(machine, peer, HEAD_BYTES * reads.size(), () -> {
            long left = until - clock.nanos();
            if (left <= 0) {
                for (int i = 0; i < results.size(); i++) {
                    results.get(i).completeExceptionally(tooLate(to, reads.get(i), timeout));
                }
                return;
            }
            List<CompletableFuture<Envelope>> calls = real.callAll(to, reads, Duration.ofNanos(left));
            for (int i = 0; i < results.size(); i++) {
                answer(peer, calls.get(i), results.get(i));
            }
        });
        return results;
    }

    /** Gives the outcome of a call when its bytes have come from the peer. */
    private void answer(int peer, CompletableFuture<Envelope> call, CompletableFuture<Envelope> result) {
        Futures.whenCancelled(result, () -> call.cancel(false));
        call.whenComplete((envelope, failure) -> {
            long bytes = envelope == null ? 0 : envelope.payload().readableBytes();
            network.send(peer, machine, HEAD_BYTES + bytes, () -> {
                if (failure != null) {
                    result.completeExceptionally(failure);
                } else if (!result.complete(envelope)) {
                    envelope.release();
                }
            });
        });
    }

    private static EcfsException tooLate(Address to, Message request, Duration timeout) {
        return new EcfsException(
                ErrorCode.TIMEOUT,
                request + " to " + to + " timed out after " + timeout.toMillis()
                        + " ms, not sent: the link was busy with messages before it");
    }

    /** Closes the real caller: requests that are still on the network fail when they would be made. */
    @Override
    public void close() {
        real.close();
    }
}
