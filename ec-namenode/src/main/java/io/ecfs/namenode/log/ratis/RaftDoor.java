package io.ecfs.namenode.log.ratis;

import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees every call to the Raft port first. Only what members say to each other comes in: Ratis also offers its client and
 * administration services there (one of them removes a whole group), which nobody here uses. Votes that a joining namenode may not
 * give are refused.
 */
final class RaftDoor implements ServerInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(RaftDoor.class);

    private final Joining joining;

    RaftDoor(Joining joining) {
        this.joining = joining;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        String service = call.getMethodDescriptor().getServiceName();
        if (!RaftServerProtocolServiceGrpc.SERVICE_NAME.equals(service)) {
            LOG.warn("event=raft_call_refused service={} from={}", service, call.getAttributes());
            call.close(Status.PERMISSION_DENIED.withDescription("only Raft members speak here"), new Metadata());
            return new ServerCall.Listener<>() {};
        }
        if (joining.over()) {
            return next.startCall(call, headers);
        }
        return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
            private boolean refused;

            @Override
            public void onMessage(Q message) {
                if (message instanceof RequestVoteRequestProto vote && !joining.mayVoteFor(lastIndex(vote))) {
                    refused = true;
                    call.close(
                            Status.UNAVAILABLE.withDescription(
                                    "started on an empty directory, no vote before it caught up"),
                            new Metadata());
                    return;
                }
                super.onMessage(message);
            }

            @Override
            public void onHalfClose() {
                if (!refused) {
                    super.onHalfClose();
                }
            }
        };
    }

    private static long lastIndex(RequestVoteRequestProto vote) {
        return vote.hasCandidateLastEntry() ? vote.getCandidateLastEntry().getIndex() : -1;
    }
}
