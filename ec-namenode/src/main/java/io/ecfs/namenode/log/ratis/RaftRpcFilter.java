package io.ecfs.namenode.log.ratis;

import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.log.ReplicatedState.Position;
import io.ecfs.namenode.log.ratis.Joining.Candidate;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Filters every call to the Raft port. Only calls between members pass: Ratis also offers its client and administration
 * services there (one of them removes a whole group), which ECFS does not use. Votes and entries of a log of another
 * identity are rejected, and votes that a joining namenode may not give.
 */
final class RaftRpcFilter implements ServerInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(RaftRpcFilter.class);
    private static final int MOST_STRANGERS = 64;
    private static final Position NONE = new Position(0, -1);

    private final String self;
    private final LogIdentity log;
    private final Joining joining;
    /**
     * Senders of another log that were refused: one line each. At most as many as there are members and logs of theirs.
     */
    private final Set<String> strangers = ConcurrentHashMap.newKeySet();

    RaftRpcFilter(String self, LogIdentity log, Joining joining) {
        this.self = self;
        this.log = log;
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
        return new SimpleForwardingServerCallListener<>(
                next.startCall(new VoteOfAnEmptyLog<>(call, joining), headers)) {
            private boolean refused;

            @Override
            public void onMessage(Q message) {
                if (refused) {
                    return;
                }
                Optional<Status> refusal = refusal(message);
                if (refusal.isPresent()) {
                    refused = true;
                    call.close(refusal.get(), new Metadata());
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

    private Optional<Status> refusal(Object message) {
        if (message instanceof RequestVoteRequestProto vote) {
            Optional<Status> stranger = stranger(vote.getServerRequest());
            return stranger.isPresent()
                    ? stranger
                    : joining.refusal(candidate(vote)).map(Status.UNAVAILABLE::withDescription);
        }
        return message instanceof AppendEntriesRequestProto append
                ? stranger(append.getServerRequest())
                : Optional.empty();
    }

    private Optional<Status> stranger(RaftRpcRequestProto request) {
        UUID theirs = RaftGroupId.valueOf(request.getRaftGroupId().getId()).getUuid();
        if (theirs.equals(log.log())) {
            return Optional.empty();
        }
        String from = request.getRequestorId().toStringUtf8();
        if (strangers.size() < MOST_STRANGERS && strangers.add(from + " " + theirs)) {
            LOG.error(
                    "event=other_log_refused namenode={} log={} from={} its_log={} action=\"{}\"",
                    self,
                    log.log(),
                    from,
                    theirs,
                    "two clusters were formatted with one configuration: empty the directory of the one whose cluster"
                            + " is not wanted, or correct the addresses in its configuration");
        }
        return Optional.of(Status.PERMISSION_DENIED.withDescription(
                "namenode " + self + " has " + log + ", namenode " + from + " has log " + theirs));
    }

    private static Candidate candidate(RequestVoteRequestProto vote) {
        TermIndexProto last = vote.getCandidateLastEntry();
        return new Candidate(
                vote.getServerRequest().getRequestorId().toStringUtf8(),
                vote.getCandidateTerm(),
                vote.getPreVote(),
                vote.hasCandidateLastEntry() ? new Position(last.getTerm(), last.getIndex()) : NONE);
    }

    /**
     * Ratis counts no vote of a namenode whose log is empty when the candidate's is not, since that namenode may have
     * lost its disk. {@link Joining} knows that it has, and gives a vote only when nothing can be lost by it. Such a
     * vote is sent without the last entry that it would name, as those of releases of Ratis without that rule.
     */
    private static final class VoteOfAnEmptyLog<Q, A> extends SimpleForwardingServerCall<Q, A> {
        private final Joining joining;

        VoteOfAnEmptyLog(ServerCall<Q, A> call, Joining joining) {
            super(call);
            this.joining = joining;
        }

        @Override
        public void sendMessage(A message) {
            super.sendMessage(
                    message instanceof RequestVoteReplyProto vote && !joining.over() ? counted(vote) : message);
        }

        @SuppressWarnings("unchecked") // a reply for a reply
        private A counted(RequestVoteReplyProto vote) {
            return (A) vote.toBuilder().clearLastEntry().build();
        }
    }
}
