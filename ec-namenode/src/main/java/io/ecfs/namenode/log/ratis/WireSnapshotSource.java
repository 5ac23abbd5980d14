package io.ecfs.namenode.log.ratis;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.SnapshotReply;
import io.ecfs.message.SnapshotRequest;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Parcel;
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
    /** For what is answered from memory. */
    private static final Duration QUICK = Duration.ofSeconds(2);

    private final Caller caller;
    private final Function<String, Optional<Address>> address;
    private final Duration timeout;

    /**
     * @param address client address of a namenode
     * @param timeout of one request; the first one reads a whole checkpoint on the other side to sum it up, so minutes
     */
    public WireSnapshotSource(Caller caller, Function<String, Optional<Address>> address, Duration timeout) {
        this.caller = caller;
        this.address = address;
        this.timeout = timeout;
    }

    @Override
    public Answer ask(String namenode, SnapshotRequest request) throws IOException {
        Address to = address.apply(namenode)
                .orElseThrow(() ->
                        new EcfsException(ErrorCode.UNREACHABLE, "no address is configured for namenode " + namenode));
        CompletableFuture<Parcel> call =
                caller.call(to, request, request instanceof SnapshotRequest.DescribeLog ? QUICK : timeout);
        Parcel parcel;
        try {
            parcel = call.get();
        } catch (InterruptedException e) {
            call.cancel(false);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while asking namenode " + namenode + " for its checkpoint");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        }
        SnapshotReply reply = parcel.expect(SnapshotReply.class);
        try {
            ByteBuffer payload = ByteBuffer.allocate(parcel.payload().readableBytes());
            parcel.payload().readBytes(payload);
            return new Answer(reply, payload.flip());
        } finally {
            parcel.release();
        }
    }
}
