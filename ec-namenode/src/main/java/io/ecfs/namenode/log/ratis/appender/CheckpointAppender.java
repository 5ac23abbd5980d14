package io.ecfs.namenode.log.ratis.appender;

import io.ecfs.namenode.log.ReplicatedState.Position;
import java.util.Optional;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.protocol.TermIndex;

/**
 * An appender for a leader whose state is its latest snapshot. An append names the entry before its first one, with its
 * term. Ratis looks for that entry in the log and at the latest snapshot, and takes for granted that a snapshot stays
 * while others are built on it; the state goes on. So a follower that ends right before the leader's first entry found
 * no append that it could take (a checkpoint that was installed after a restored log went on, a log that was cut
 * exactly there): it was sent for a checkpoint, answered that it has one, and so on for ever.
 *
 * <p>This one searches the checkpoints on disk as well. When none ends there, the follower is sent for one that ends
 * within the log.
 */
public final class CheckpointAppender extends RewindingAppender {

    /** The checkpoints of this namenode. */
    public interface Ends {
        /** The last entry of a checkpoint, when one ends at this index. */
        Optional<Position> at(long index);
    }

    private final Ends checkpoints;

    CheckpointAppender(RaftServer.Division server, LeaderState leader, FollowerInfo follower, Ends checkpoints) {
        super(server, leader, follower);
        this.checkpoints = checkpoints;
    }

    @Override
    public TermIndex getPrevious(long next) {
        TermIndex known = super.getPrevious(next);
        return known != null || next <= 0
                ? known
                : checkpoints
                        .at(next - 1)
                        .map(end -> TermIndex.valueOf(end.term(), end.index()))
                        .orElse(null);
    }

    /**
     * The follower fetches a checkpoint that holds at least all before the returned entry, unless it has all of that.
     */
    @Override
    public TermIndex shouldNotifyToInstallSnapshot() {
        TermIndex first = super.shouldNotifyToInstallSnapshot();
        return first != null
                        && first.getIndex() > 0
                        && first.getIndex() == getFollower().getNextIndex()
                ? TermIndex.valueOf(first.getTerm(), first.getIndex() + 1)
                : first;
    }
}
