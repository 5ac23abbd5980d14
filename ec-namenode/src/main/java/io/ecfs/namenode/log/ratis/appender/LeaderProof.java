package io.ecfs.namenode.log.ratis.appender;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.server.protocol.TermIndex;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Proves that this namenode led at some moment after a call: a majority acknowledged, with success and so in this
 * leader's term, a message that was built after the call (Raft dissertation, section 6.4, step 2). No clock takes part,
 * so a process that was stopped for any time and resumed, with old acknowledgements waiting in its sockets, is not
 * misled. Ratis 3.3.0's own check remembers that an index was acknowledged once and then sends no more messages; hence
 * this one.
 *
 * <p>It sits between Ratis's log appenders and Ratis's leader: it sees each appender being made and each reply going
 * up. Message numbers of an appender grow; a reply whose number is not below the appender's next number at the time of
 * the call answers a message built after it.
 */
public final class LeaderProof {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderProof.class);

    private final int members;
    private volatile Term current;

    /** @param members of the group, with this namenode */
    public LeaderProof(int members) {
        this.members = members;
    }

    /**
     * Completes when leadership after this call is proven. Never completes when it is lost: the caller gives up by
     * itself.
     */
    public CompletableFuture<Void> confirm() {
        Round round = new Round(members);
        Term term = current;
        if (round.enough()) {
            round.proven.complete(null);
        } else if (term != null) {
            term.begin(round);
        }
        return round.proven;
    }

    /** To be given to the appender in place of the leader. */
    Term of(LeaderState leader) {
        Term term = current;
        if (term == null || term.leader != leader) {
            term = new Term(leader);
            current = term;
        }
        return term;
    }

    /** One call to {@link #confirm}. */
    private static final class Round {
        final int members;
        final CompletableFuture<Void> proven = new CompletableFuture<>();

        @GuardedBy("this")
        final Map<LogAppender, Long> from = new HashMap<>();

        @GuardedBy("this")
        final Set<RaftPeerId> acknowledged = new HashSet<>();

        Round(int members) {
            this.members = members;
        }

        synchronized boolean enough() {
            return acknowledged.size() + 1 > members / 2;
        }

        /** @return true when this reply completes the majority */
        synchronized boolean onReply(LogAppender appender, long message) {
            Long first = from.computeIfAbsent(appender, LogAppender::getCallId);
            if (appender.getCallIdComparator().compare(message, first) < 0) {
                // Its heartbeat may have been taken for sent by the message before.
                appender.triggerHeartbeat();
                return false;
            }
            return acknowledged.add(appender.getFollowerId()) && enough();
        }
    }

    /** The leadership of one term, as its appenders see it. */
    static final class Term implements LeaderState {
        private final LeaderState leader;
        private final Map<RaftPeerId, LogAppender> appenders = new ConcurrentHashMap<>();
        private final List<Round> rounds = new CopyOnWriteArrayList<>();

        Term(LeaderState leader) {
            this.leader = leader;
        }

        LogAppender add(LogAppender appender) {
            appenders.put(appender.getFollowerId(), appender);
            return appender;
        }

        private void begin(Round round) {
            synchronized (round) {
                for (LogAppender appender : appenders.values()) {
                    round.from.put(appender, appender.getCallId());
                }
            }
            rounds.add(round);
            appenders.values().forEach(LogAppender::triggerHeartbeat);
        }

        @Override
        public void onAppendEntriesReply(LogAppender appender, AppendEntriesReplyProto reply) {
            leader.onAppendEntriesReply(appender, reply);
            if (reply.getResult() == AppendResult.INCONSISTENCY) {
                beginAgainWhenEmptied(appender, reply.getNextIndex());
            }
            if (reply.getResult() == AppendResult.SUCCESS
                    && reply.getServerReply().getSuccess()) {
                long message = reply.getServerReply().getCallId();
                List<Round> complete = rounds.stream()
                        .filter(round -> round.onReply(appender, message))
                        .toList();
                rounds.removeAll(complete);
                complete.forEach(round -> round.proven.complete(null));
            }
        }

        /**
         * A follower that acknowledged entries and now wants the very first was started on an empty directory. Ratis
         * 3.3.0 never goes back behind what was acknowledged in its term, so that the follower would be left out until
         * the next election; a new appender knows nothing of the past.
         */
        private void beginAgainWhenEmptied(LogAppender appender, long wanted) {
            long acknowledged = appender.getFollower().getMatchIndex();
            if (wanted <= 0 && acknowledged > 0 && appenders.remove(appender.getFollowerId(), appender)) {
                LOG.warn(
                        "event=namenode_emptied namenode={} acknowledged={} action=it_gets_everything_again",
                        appender.getFollowerId(),
                        acknowledged);
                leader.restart(appender);
            }
        }

        @Override
        public void restart(LogAppender appender) {
            leader.restart(appender);
        }

        @Override
        public AppendEntriesRequestProto newAppendEntriesRequestProto(
                FollowerInfo follower, List<LogEntryProto> entries, TermIndex previous, long callId) {
            return leader.newAppendEntriesRequestProto(follower, entries, previous, callId);
        }

        @Override
        public void checkHealth(FollowerInfo follower) {
            leader.checkHealth(follower);
        }

        @Override
        public boolean onFollowerTerm(FollowerInfo follower, long followerTerm) {
            return leader.onFollowerTerm(follower, followerTerm);
        }

        @Override
        public void onFollowerCommitIndex(FollowerInfo follower, long commitIndex) {
            leader.onFollowerCommitIndex(follower, commitIndex);
        }

        @Override
        public void onFollowerSuccessAppendEntries(FollowerInfo follower) {
            leader.onFollowerSuccessAppendEntries(follower);
        }

        @Override
        public boolean isFollowerBootstrapping(FollowerInfo follower) {
            return leader.isFollowerBootstrapping(follower);
        }
    }
}
