package io.ecfs.namenode.log.ratis.checkpoint;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.snapshot.SnapshotReply;
import io.ecfs.message.snapshot.SnapshotRequest;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/** Asks over the wire, at the address where the other namenode serves clients. */
public final class WireSnapshotSource implements SnapshotSource {
    /** Timeout of answers from memory. */
    private static final Duration FROM_MEMORY = Duration.ofSeconds(2);

    /** Timeout of requests about a checkpoint: at the first one the other side reads all of it, for its checksums. */
    private static final Duration FROM_CHECKPOINT = Duration.ofMinutes(5);

    private final Caller caller;
    private final Function<String, Optional<Address>> address;

    /** @param address client address of a namenode */
    public WireSnapshotSource(Caller caller, Function<String, Optional<Address>> address) {
        this.caller = caller;
        this.address = address;
    }

    private static Duration timeout(SnapshotRequest request) {
        return request instanceof SnapshotRequest.DescribeLog ? FROM_MEMORY : FROM_CHECKPOINT;
    }

    @Override
    public Answer ask(String namenode, SnapshotRequest request) throws IOException {
        Address to = address.apply(namenode)
                .orElseThrow(() ->
                        new EcfsException(ErrorCode.UNREACHABLE, "no address is configured for namenode " + namenode));
        CompletableFuture<Envelope> call = caller.call(to, request, timeout(request));
        Envelope envelope;
        try {
            envelope = call.get();
        } catch (InterruptedException e) {
            call.cancel(false);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for the answer of namenode " + namenode);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        }
        SnapshotReply reply = envelope.expect(SnapshotReply.class);
        try {
            ByteBuffer payload = ByteBuffer.allocate(envelope.payload().readableBytes());
            envelope.payload().readBytes(payload);
            return new Answer(reply, payload.flip());
        } finally {
            envelope.release();
        }
    }
}
