package io.ecfs.namenode.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.env.ManualTime;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FeatureLevel;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.entry.CommandCodec;
import io.ecfs.namenode.entry.NextRelease;
import io.ecfs.namenode.log.MetadataLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ProposerTest {
    private static final Command STEP = new Command.PurgeStep(1, 2, 3);

    private final ManualTime time = new ManualTime(1);
    private final List<byte[]> logged = new ArrayList<>();
    private final List<Outcome<CommandResult>> outcomes = new ArrayList<>();

    private final MetadataLog log = new MetadataLog() {
        @Override
        public CompletableFuture<byte[]> propose(byte[] command) {
            logged.add(command);
            return CompletableFuture.completedFuture(new CommandCodec().encode(new CommandResult.Done()));
        }

        @Override
        public <T> CompletableFuture<T> read(LocalRead<T> read) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Leadership leadership() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void onLeadership(LeadershipListener listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<Member> members() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    };

    private void propose(CommandCodec codec) {
        Proposer proposer = new Proposer(log, codec, time.scheduler("namenode"), () -> FeatureLevel.RELEASE);
        proposer.propose(STEP, outcomes::add);
        time.advance(Duration.ZERO);
    }

    @Test
    void anEntryThatNoNamenodeCouldReadIsNotLogged() {
        propose(NextRelease.unreadable("budget 2 is too small"));
        assertThat(logged).isEmpty();
        assertThat(outcomes).singleElement().isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            assertThat(failed.reason())
                    .hasMessageContaining("not logged")
                    .hasMessageContaining("budget 2 is too small");
            assertThat(EcfsException.of(failed.reason()).code()).isEqualTo(ErrorCode.INTERNAL);
        });
    }

    @Test
    void otherEntriesAre() {
        propose(new CommandCodec());
        assertThat(logged).hasSize(1);
        assertThat(outcomes).containsExactly(new Outcome.Done<>(new CommandResult.Done()));
    }
}
