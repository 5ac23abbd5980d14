package io.ecfs.torture;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.Message;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.torture.fault.Machines.Lost;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Links of daemons and clients that lose messages. A cut has one direction: requests of one caller to some addresses
 * never leave, or they take effect and only the answers never arrive. Safe for several threads.
 */
final class Links {
    private final List<Cut> cuts = new CopyOnWriteArrayList<>();

    private record Cut(String from, Set<Address> to, Lost lost) {}

    /** Begins to lose messages; ends when the result runs. */
    Runnable cut(String from, Set<Address> to, Lost lost) {
        Cut cut = new Cut(from, Set.copyOf(to), lost);
        cuts.add(cut);
        return () -> cuts.remove(cut);
    }

    /** The caller with this name, subject to the cuts. */
    Caller over(String name, Caller caller) {
        return new CutCaller(name, caller);
    }

    private Optional<Lost> lost(String from, Address to) {
        return cuts.stream()
                .filter(cut -> cut.from().equals(from) && cut.to().contains(to))
                .map(Cut::lost)
                .findFirst();
    }

    private final class CutCaller implements Caller {
        private final String name;
        private final Caller caller;

        CutCaller(String name, Caller caller) {
            this.name = name;
            this.caller = caller;
        }

        @Override
        public CompletableFuture<Envelope> call(Address to, Message request, ByteBuf payload, Duration timeout) {
            Optional<Lost> lost = lost(name, to);
            if (lost.isEmpty()) {
                return caller.call(to, request, payload, timeout);
            }
            if (lost.get() == Lost.REQUESTS) {
                payload.release();
                return CompletableFuture.failedFuture(failure(ErrorCode.UNREACHABLE, to));
            }
            CompletableFuture<Envelope> answer = caller.call(to, request, payload, timeout);
            CompletableFuture<Envelope> result = answer.thenCompose(envelope -> {
                envelope.release();
                return CompletableFuture.failedFuture(failure(ErrorCode.CONNECTION_LOST, to));
            });
            result.whenComplete((envelope, failure) -> {
                if (result.isCancelled()) {
                    answer.cancel(false);
                }
            });
            return result;
        }

        @Override
        public List<CompletableFuture<Envelope>> callAll(
                Address to, List<ChunkRequest.ReadChunk> reads, Duration timeout) {
            return lost(name, to).isEmpty()
                    ? caller.callAll(to, reads, timeout)
                    : reads.stream().map(read -> call(to, read, timeout)).toList();
        }

        private EcfsException failure(ErrorCode code, Address to) {
            return new EcfsException(code, "the link from " + name + " to " + to + " is cut");
        }

        @Override
        public void close() {
            caller.close();
        }
    }
}
