package io.ecfs.namenode.log.ratis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.LeaderElectionManagementRequest;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * Gives requests to the Ratis server in this process; no client of Ratis is in between. They go to the group's own part
 * of the server: the way through the server as a whole hands each to another thread and waits for it. Safe for use by
 * several threads.
 */
final class Submission {
    private final RaftServer server;
    private final RaftPeerId id;
    private final RaftGroupId group;
    private final RaftClientAsynchronousProtocol door;
    private final ClientId client;
    private final AtomicLong calls = new AtomicLong();

    /** @param client a random number, which identifies the caller to Ratis */
    Submission(RaftServer.Division division, UUID client) {
        this.client = ClientId.valueOf(client);
        this.server = division.getRaftServer();
        this.id = division.getId();
        this.group = division.getGroup().getGroupId();
        if (!(division instanceof RaftClientAsynchronousProtocol asynchronous)) {
            throw new IllegalStateException(
                    "this version of Ratis takes no requests at " + division.getClass() + ", its part for one group");
        }
        this.door = asynchronous;
    }

    /**
     * Appends an entry of {@link EntryFormat}.
     *
     * @return the answers of applying it, one a command; fails as Ratis does, see {@link RatisFailures}
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

    /** This namenode does not stand for election until {@link #resumeElections}. */
    void pauseElections() throws IOException {
        server.leaderElectionManagement(
                LeaderElectionManagementRequest.newPause(client, id, group, calls.incrementAndGet()));
    }

    void resumeElections() {
        try {
            server.leaderElectionManagement(
                    LeaderElectionManagementRequest.newResume(client, id, group, calls.incrementAndGet()));
        } catch (IOException e) {
            throw new UncheckedIOException("namenode " + id + " cannot stand for election again", e);
        }
    }

    private CompletableFuture<RaftClientReply> ask(RaftClientRequest.Type type, ByteString content) {
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(id)
                .setGroupId(group)
                .setCallId(calls.incrementAndGet())
                .setType(type)
                .setMessage(Message.valueOf(content))
                .build();
        try {
            return door.submitClientRequestAsync(request)
                    .thenCompose(reply -> reply.isSuccess()
                            ? CompletableFuture.completedFuture(reply)
                            : CompletableFuture.failedFuture(reply.getException()));
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
