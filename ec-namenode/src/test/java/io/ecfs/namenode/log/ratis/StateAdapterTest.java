package io.ecfs.namenode.log.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.env.real.RealEnvironment;
import io.ecfs.namenode.log.ReplicatedState.Position;
import io.ecfs.namenode.log.ratis.checkpoint.Checkpoints;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.server.protocol.TermIndex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Ratis is told of a checkpoint that was asked for, when entries arrived in the log meanwhile. */
final class StateAdapterTest {
    private static final long TERM = 3;

    @TempDir
    private Path root;

    @Test
    void aCheckpointThatTheLogOvertookIsNotInstalledInTheLog() throws IOException {
        assertThat(answer(5, 7)).isNull();
        assertThat(answer(9, 12)).isNull();
    }

    @Test
    void aCheckpointThatReachesAsFarAsTheLogIsInstalledInTheLog() throws IOException {
        assertThat(answer(5, 5)).isEqualTo(TermIndex.valueOf(TERM, 5));
        assertThat(answer(9, 9)).isEqualTo(TermIndex.valueOf(TERM, 9));
        assertThat(answer(9, -1)).isEqualTo(TermIndex.valueOf(TERM, 9));
    }

    /** A namenode that applied entries up to 5 by itself was sent for a checkpoint, which ends at {@code fetched}. */
    private TermIndex answer(long fetched, long lastInLog) throws IOException {
        Path directory = root.resolve(fetched + "-" + lastInLog);
        RegisterState leader = stateAt(directory.resolve("leader"), fetched);
        RegisterState follower = stateAt(directory.resolve("follower"), 5);
        Checkpoints checkpoints = new Checkpoints(
                directory.resolve("checkpoints"),
                2,
                Duration.ofSeconds(60),
                Duration.ofMinutes(10),
                RealEnvironment.open().clock());
        StateAdapter adapter = new StateAdapter(
                "nn0",
                follower,
                checkpoints,
                1000,
                directory.resolve("download"),
                (target, least) -> CompletableFuture.completedFuture(leader.checkpoint(target)),
                () -> lastInLog,
                new NoEvents());
        return adapter.notifyInstallSnapshotFromLeader(
                        RoleInfoProto.getDefaultInstance(), TermIndex.valueOf(TERM, Math.min(fetched, 5) + 1))
                .join();
    }

    private static RegisterState stateAt(Path directory, long index) {
        RegisterState state = new RegisterState(directory);
        for (long entry = 0; entry <= index; entry++) {
            state.apply(new Position(TERM, entry), List.of(RegisterState.add("client", entry, "count", 1)));
        }
        return state;
    }

    private static final class NoEvents implements StateAdapter.Events {
        @Override
        public void roleMayHaveChanged() {}

        @Override
        public void ready(long term) {}

        @Override
        public void checkpointed(Position position) {}

        @Override
        public void shutDown() {}

        @Override
        public void failed(Throwable cause) {
            throw new AssertionError(cause);
        }
    }
}
