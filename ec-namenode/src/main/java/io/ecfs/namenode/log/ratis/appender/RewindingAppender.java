package io.ecfs.namenode.log.ratis.appender;

import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;

/**
 * An appender that goes back to where a follower says that its log ends, also behind what it acknowledged before: its
 * disk was replaced by an empty or an older one. To append entries again that it has changes nothing.
 *
 * <p>Ratis stays at what was acknowledged when the follower refuses a heartbeat, and goes back when it refuses entries.
 * After ten failures it waits for as long as the interval of heartbeats before each message, sends nothing but
 * heartbeats then, and so never goes back.
 */
class RewindingAppender extends GrpcLogAppender {
    RewindingAppender(RaftServer.Division server, LeaderState leader, FollowerInfo follower) {
        super(server, leader, follower);
    }

    @Override
    protected long getNextIndexForInconsistency(long firstOfRequest, long nextOfFollower) {
        return nextOfFollower <= getFollower().getMatchIndex()
                ? nextOfFollower
                : super.getNextIndexForInconsistency(firstOfRequest, nextOfFollower);
    }
}
