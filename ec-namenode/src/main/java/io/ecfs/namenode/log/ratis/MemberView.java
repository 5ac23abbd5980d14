package io.ecfs.namenode.log.ratis;

import io.ecfs.message.report.ClusterReport.Role;
import io.ecfs.namenode.log.MetadataLog.Leadership;
import io.ecfs.namenode.log.MetadataLog.Member;
import io.ecfs.namenode.log.ReplicatedState.Position;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.server.RaftServer;

/**
 * All members as one namenode knows them, by Ratis at the moment of the call. Stateless; for any thread.
 * @param silence a follower that has not answered the leader for so long is unreachable
 * @param applied last entry that this namenode applied
 */
record MemberView(RaftMember self, Duration silence, RaftServer.Division division, Supplier<Position> applied) {

    /** All members in the order of their ids. Only a leader knows the silence of the others. */
    List<Member> at(Leadership now) {
        Map<String, Long> commits = commits();
        Map<String, Long> silent = silentMillis();
        List<Member> members = new ArrayList<>();
        for (String id : self.peers().keySet()) {
            boolean leads = now.leader().filter(id::equals).isPresent();
            if (id.equals(self.id())) {
                Role own = division.getInfo().isCandidate() ? Role.CANDIDATE : leads ? Role.LEADER : Role.FOLLOWER;
                members.add(new Member(id, own, now.term(), applied.get().index()));
            } else if (silent.getOrDefault(id, 0L) > silence.toMillis()) {
                members.add(new Member(id, Role.UNREACHABLE, now.term(), -1));
            } else {
                members.add(
                        new Member(id, leads ? Role.LEADER : Role.FOLLOWER, now.term(), commits.getOrDefault(id, -1L)));
            }
        }
        return members;
    }

    /** Log index up to which every member is known to have committed; -1 when one never reported. */
    long slowestCommit() {
        Map<String, Long> commits = commits();
        return self.peers().keySet().stream()
                .mapToLong(id -> commits.getOrDefault(id, -1L))
                .min()
                .orElse(-1);
    }

    /**
     * Returns whether this namenode has everything that was committed before its process began: it applied an entry of
     * the present leader's term, hence all that earlier terms committed; and all that this leader had committed when it
     * last wrote here.
     */
    boolean hasCaughtUp(Leadership now) {
        Position position = applied.get();
        return now.leader().isPresent()
                && position.term() == now.term()
                && position.index() >= commits().getOrDefault(now.leader().get(), Long.MAX_VALUE);
    }

    /** The last committed entry of each namenode, as far as it reported one. */
    private Map<String, Long> commits() {
        Map<String, Long> commits = new HashMap<>();
        for (CommitInfoProto info : division.getCommitInfos()) {
            commits.put(info.getServer().getId().toStringUtf8(), info.getCommitIndex());
        }
        return commits;
    }

    private Map<String, Long> silentMillis() {
        Map<String, Long> silent = new HashMap<>();
        division.getInfo()
                .getRoleInfoProto()
                .getLeaderInfo()
                .getFollowerInfoList()
                .forEach(peer -> silent.put(peer.getId().getId().toStringUtf8(), peer.getLastRpcElapsedTimeMs()));
        return silent;
    }
}
