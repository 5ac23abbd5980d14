package io.ecfs.namenode.log.ratis;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** Gives requests to the Ratis server in this process; no client of Ratis is in between. Safe for use by several threads. */
final class Submission {
    private final RaftServer server;
    private final RaftGroupId group;
    private final ClientId client = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();

    Submission(RaftServer server, RaftGroupId group) {
        this.server = server;
        this.group = group;
    }

    /**
     * Appends an entry of {@link EntryFormat}.
     *
     * @return the answers of applying it, one a command; fails as Ratis does, see {@link Failures}
     */
    CompletableFuture<List<byte[]>> append(byte[] entry) {
        return ask(RaftClientRequest.writeRequestType(), UnsafeByteOperations.unsafeWrap(entry))
                .thenApply(reply ->
                        EntryFormat.decode(reply.getMessage().getContent().asReadOnlyByteBuffer()));
    }

    /** Completes when this namenode leads by its lease, or by asking the others when that has run out. */
    CompletableFuture<?> confirmLease() {
        return ask(RaftClientRequest.readRequestType(), ByteString.EMPTY);
    }

    private CompletableFuture<RaftClientReply> ask(RaftClientRequest.Type type, ByteString content) {
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(server.getId())
                .setGroupId(group)
                .setCallId(calls.incrementAndGet())
                .setType(type)
                .setMessage(Message.valueOf(content))
                .build();
        try {
            return server.submitClientRequestAsync(request)
                    .thenCompose(reply -> reply.isSuccess()
                            ? CompletableFuture.completedFuture(reply)
                            : CompletableFuture.failedFuture(reply.getException()));
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
