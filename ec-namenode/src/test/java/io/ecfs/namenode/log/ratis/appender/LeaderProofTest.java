package io.ecfs.namenode.log.ratis.appender;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.RaftRpcReplyProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.junit.jupiter.api.Test;

/** The guard alone, fed with replies by hand; the appenders are Ratis's interface with only what the guard looks at. */
final class LeaderProofTest {
    /** One follower's appender; {@code next} is the number of its next message. */
    private static final class Follower {
        final RaftPeerId id;
        final AtomicInteger heartbeats = new AtomicInteger();
        final LogAppender appender;
        volatile long next;

        Follower(int number) {
            id = RaftPeerId.valueOf("nn" + number);
            appender = stub(LogAppender.class, method -> switch (method) {
                case "getCallId" -> next;
                case "getFollowerId" -> id;
                case "getCallIdComparator" -> Comparator.<Long>naturalOrder();
                case "triggerHeartbeat" -> {
                    heartbeats.incrementAndGet();
                    yield null;
                }
                default -> throw new AssertionError(method);
            });
        }
    }

    private interface Answers {
        Object to(String method);
    }

    private static <T> T stub(Class<T> kind, Answers answers) {
        return kind.cast(Proxy.newProxyInstance(
                kind.getClassLoader(), new Class<?>[] {kind}, (self, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(self);
                    case "equals" -> self == arguments[0];
                    case "toString" -> kind.getSimpleName();
                    default -> answers.to(method.getName());
                }));
    }

    private final LeaderState leader = stub(LeaderState.class, method -> null);

    private static AppendEntriesReplyProto reply(AppendResult result, long message) {
        return AppendEntriesReplyProto.newBuilder()
                .setResult(result)
                .setServerReply(RaftRpcReplyProto.newBuilder()
                        .setSuccess(result == AppendResult.SUCCESS)
                        .setCallId(message))
                .build();
    }

    private static List<Follower> followers(LeaderProof.Term term, int count) {
        List<Follower> followers =
                IntStream.rangeClosed(1, count).mapToObj(Follower::new).toList();
        followers.forEach(follower -> term.add(follower.appender));
        return followers;
    }

    @Test
    void anAcknowledgementOfAnOlderMessageProvesNothing() {
        LeaderProof proof = new LeaderProof(3);
        LeaderProof.Term term = proof.of(leader);
        List<Follower> followers = followers(term, 2);
        followers.forEach(follower -> follower.next = 10);

        CompletableFuture<Void> proven = proof.confirm();
        assertThat(followers)
                .allSatisfy(follower -> assertThat(follower.heartbeats).hasValue(1));
        for (Follower follower : followers) {
            term.onAppendEntriesReply(follower.appender, reply(AppendResult.SUCCESS, 9));
        }
        assertThat(proven).as("woken up with old replies in its sockets").isNotDone();
        assertThat(followers.get(0).heartbeats).as("asked again").hasValue(2);

        term.onAppendEntriesReply(followers.get(0).appender, reply(AppendResult.SUCCESS, 10));
        assertThat(proven).isCompleted();
    }

    @Test
    void aRefusalProvesNothing() {
        LeaderProof proof = new LeaderProof(3);
        LeaderProof.Term term = proof.of(leader);
        Follower follower = followers(term, 2).get(0);
        CompletableFuture<Void> proven = proof.confirm();
        term.onAppendEntriesReply(follower.appender, reply(AppendResult.NOT_LEADER, 5));
        assertThat(proven).isNotDone();
    }

    @Test
    void oneOfFourOthersIsNoMajorityHoweverOftenItAnswers() {
        LeaderProof proof = new LeaderProof(5);
        LeaderProof.Term term = proof.of(leader);
        List<Follower> followers = followers(term, 4);
        CompletableFuture<Void> proven = proof.confirm();
        for (int message = 0; message < 10; message++) {
            term.onAppendEntriesReply(followers.get(0).appender, reply(AppendResult.SUCCESS, message));
        }
        assertThat(proven).isNotDone();
        term.onAppendEntriesReply(followers.get(3).appender, reply(AppendResult.SUCCESS, 0));
        assertThat(proven).isCompleted();
    }

    @Test
    void repliesOfAnEarlierTermDoNotCountForALaterOne() {
        LeaderProof proof = new LeaderProof(3);
        LeaderProof.Term earlier = proof.of(leader);
        Follower follower = followers(earlier, 2).get(0);
        LeaderProof.Term later = proof.of(stub(LeaderState.class, method -> null));
        followers(later, 2);
        CompletableFuture<Void> proven = proof.confirm();
        earlier.onAppendEntriesReply(follower.appender, reply(AppendResult.SUCCESS, 5));
        assertThat(proven).isNotDone();
    }

    @Test
    void aSingleNamenodeIsItsOwnMajority() {
        assertThat(new LeaderProof(1).confirm()).isCompleted();
    }
}
