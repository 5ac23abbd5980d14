package io.ecfs.namenode.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.env.ManualTime;
import io.ecfs.message.Address;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class MemoryQuorumTest {
    /** Keeps the commands it was given. */
    private static final class Words implements ReplicatedState {
        final List<String> said = new ArrayList<>();
        Position applied = new Position(0, -1);

        @Override
        public List<byte[]> apply(Position position, List<byte[]> commands) {
            List<byte[]> answers = new ArrayList<>();
            for (byte[] command : commands) {
                said.add(new String(command, StandardCharsets.UTF_8));
                answers.add(bytes("#" + said.size()));
            }
            applied = position;
            return answers;
        }

        @Override
        public void skip(Position position) {
            applied = position;
        }

        @Override
        public Position applied() {
            return applied;
        }

        @Override
        public Position checkpoint(Path directory) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void install(Path directory) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long stateHash() {
            return said.hashCode();
        }
    }

    private final ManualTime time = new ManualTime(5);
    private final MemoryQuorum quorum =
            new MemoryQuorum(time.scheduler("quorum"), time.randomness(), Duration.ofMillis(1), 3);
    private final TreeMap<String, Words> states = new TreeMap<>();
    private final TreeMap<String, MetadataLog> logs = new TreeMap<>();

    MemoryQuorumTest() {
        for (String id : List.of("a", "b", "c")) {
            states.put(id, new Words());
            join(id);
        }
        quorum.elect("a");
        settle();
    }

    private void join(String id) {
        logs.put(id, quorum.join(id, new Address(id, 1), states.get(id)));
    }

    private void settle() {
        time.advance(Duration.ofSeconds(1));
    }

    private CompletableFuture<byte[]> say(String id, String word) {
        return logs.get(id).propose(bytes(word));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void commandsReachEveryMemberInOneOrder() {
        CompletableFuture<byte[]> first = say("a", "x");
        CompletableFuture<byte[]> second = say("a", "y");
        CompletableFuture<byte[]> refused = say("b", "z");
        settle();
        assertThat(first.join()).isEqualTo(bytes("#1"));
        assertThat(second.join()).isEqualTo(bytes("#2"));
        assertThat(refused).isCompletedExceptionally();
        assertThat(states.values()).allMatch(s -> s.said.equals(List.of("x", "y")));
    }

    @Test
    void anIsolatedLeaderConfirmsNothing() {
        quorum.cut("a");
        CompletableFuture<byte[]> unknown = say("a", "lost");
        CompletableFuture<Integer> stale =
                logs.get("a").read(() -> states.get("a").said.size());
        settle();
        assertThat(unknown).isNotDone();
        assertThat(stale).isNotDone();
        quorum.elect("b");
        CompletableFuture<byte[]> taken = say("b", "x");
        settle();
        taken = taken.isCompletedExceptionally() ? say("b", "x") : taken;
        settle();
        assertThat(taken).isCompleted();
        assertThat(stale).isNotDone();
        quorum.heal("a");
        settle();
        assertThat(unknown).isCompletedExceptionally();
        assertThat(stale).isCompletedExceptionally();
        assertThat(states.get("a").said).isEqualTo(states.get("b").said);
    }

    @Test
    void aMemberThatWasDownCatchesUp() {
        quorum.crash("c");
        CompletableFuture<byte[]> first = say("a", "x");
        settle();
        assertThat(first).isCompleted();
        quorum.crash("a");
        join("c");
        settle();
        quorum.elect("c");
        settle();
        assertThat(logs.get("c").leadership().leading()).isTrue();
        assertThat(states.get("c").said).containsExactly("x");
    }
}
