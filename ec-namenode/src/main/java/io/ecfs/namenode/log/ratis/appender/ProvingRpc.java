package io.ecfs.namenode.log.ratis.appender;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;

/**
 * Ratis over gRPC, with appenders that know the checkpoints and are shown to the {@link LeaderProof}. Public, with a
 * public constructor, because Ratis makes it by reflection from its class name.
 */
public final class ProvingRpc implements RpcType {
    private static final String PROOF = "ecfs.leader.proof";
    private static final String CHECKPOINTS = "ecfs.checkpoints";

    public static void install(Parameters parameters, LeaderProof proof, CheckpointAppender.Ends checkpoints) {
        parameters.put(PROOF, proof, LeaderProof.class);
        parameters.put(CHECKPOINTS, checkpoints, CheckpointAppender.Ends.class);
    }

    @Override
    public String name() {
        return ProvingRpc.class.getName();
    }

    @Override
    public RpcFactory newFactory(Parameters parameters) {
        return new Factory(
                parameters,
                parameters.get(PROOF, LeaderProof.class),
                parameters.get(CHECKPOINTS, CheckpointAppender.Ends.class));
    }

    private static final class Factory extends GrpcFactory {
        private final LeaderProof proof;
        private final CheckpointAppender.Ends checkpoints;

        Factory(Parameters parameters, LeaderProof proof, CheckpointAppender.Ends checkpoints) {
            super(parameters);
            this.proof = proof;
            this.checkpoints = checkpoints;
        }

        @Override
        public LogAppender newLogAppender(RaftServer.Division server, LeaderState leader, FollowerInfo follower) {
            LeaderProof.Term term = proof.of(leader);
            return term.add(new CheckpointAppender(server, term, follower, checkpoints));
        }
    }
}
