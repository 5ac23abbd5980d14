package io.ecfs.namenode.log.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.ecfs.env.Scheduler;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Proposals over a log whose answers the test gives. */
final class ProposalsTest {
    private record Entry(List<byte[]> commands, CompletableFuture<List<byte[]>> answers) {}

    private static final RaftTuning STANDARD = RaftTuning.standard();
    /** Entries of 3 commands or 1 KiB, 2 at once; 5 commands or 2 KiB may wait. */
    private static final RaftTuning SMALL = new RaftTuning(
            STANDARD.electionTimeoutMin(),
            STANDARD.electionTimeoutMax(),
            3,
            1024,
            2,
            5,
            2048,
            STANDARD.segmentBytes(),
            STANDARD.checkpointEvery(),
            STANDARD.checkpointsKept(),
            STANDARD.laggingEntries(),
            STANDARD.mostEntries(),
            STANDARD.downloadIdle(),
            STANDARD.downloadMost());

    private final Scheduler scheduler = RealEnvironment.open().threads().scheduler("proposals");
    private final ConcurrentLinkedQueue<Entry> entries = new ConcurrentLinkedQueue<>();
    private final Proposals proposals = new Proposals(
            SMALL,
            scheduler,
            entry -> {
                Entry made = new Entry(EntryFormat.decode(ByteBuffer.wrap(entry)), new CompletableFuture<>());
                entries.add(made);
                return made.answers();
            },
            new RatisFailures("nn0", () -> true, Optional::empty, id -> Optional.empty()));

    @AfterEach
    void close() {
        scheduler.close();
    }

    private static byte[] command(int number, int bytes) {
        byte[] command = new byte[bytes];
        command[0] = (byte) number;
        return command;
    }

    private static ErrorCode codeOf(CompletableFuture<byte[]> failed) {
        try {
            failed.join();
            throw new AssertionError("did not fail");
        } catch (java.util.concurrent.CompletionException e) {
            return ((EcfsException) e.getCause()).code();
        }
    }

    private void awaitEntries(int count) {
        await().atMost(Duration.ofMinutes(2)).until(() -> entries.size() == count);
    }

    @Test
    void whatWaitsIsBoundedAndSharesEntriesInOrder() {
        List<CompletableFuture<byte[]>> answers = new ArrayList<>();
        answers.add(proposals.propose(command(0, 1)));
        awaitEntries(1);
        answers.add(proposals.propose(command(1, 1)));
        awaitEntries(2);
        for (int i = 2; i < 7; i++) {
            answers.add(proposals.propose(command(i, 1)));
        }
        assertThat(codeOf(proposals.propose(command(9, 1)))).isEqualTo(ErrorCode.BUSY);

        entries.forEach(entry -> entry.answers().complete(entry.commands()));
        awaitEntries(4);
        assertThat(entries.stream().map(entry -> entry.commands().size())).containsExactly(1, 1, 3, 2);
        entries.forEach(entry -> entry.answers().complete(entry.commands()));
        for (int i = 0; i < answers.size(); i++) {
            assertThat(answers.get(i).join()[0]).isEqualTo((byte) i);
        }
    }

    @Test
    void bytesAreBoundedInAnEntryAndInTheQueue() {
        List<CompletableFuture<byte[]>> sent = new ArrayList<>();
        sent.add(proposals.propose(command(0, 1)));
        awaitEntries(1);
        sent.add(proposals.propose(command(1, 1)));
        awaitEntries(2);
        sent.add(proposals.propose(command(2, 1000)));
        sent.add(proposals.propose(command(3, 1000)));
        assertThat(codeOf(proposals.propose(command(4, 100)))).isEqualTo(ErrorCode.BUSY);
        assertThat(codeOf(proposals.propose(command(5, 1025)))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        entries.forEach(entry -> entry.answers().complete(entry.commands()));
        awaitEntries(4);
        assertThat(entries.stream().map(entry -> entry.commands().size())).containsExactly(1, 1, 1, 1);
        entries.forEach(entry -> entry.answers().complete(entry.commands()));
        sent.forEach(CompletableFuture::join);
    }

    @Test
    void aWrongNumberOfAnswersIsNeverGivenToTheWrongCommand() {
        CompletableFuture<byte[]> command = proposals.propose(command(0, 1));
        awaitEntries(1);
        entries.peek().answers().complete(List.of());
        assertThat(codeOf(command)).isEqualTo(ErrorCode.INTERNAL);
    }

    @Test
    void closingAndAbandoningFailsEverythingThatWaits() {
        CompletableFuture<byte[]> underWay = proposals.propose(command(0, 1));
        awaitEntries(1);
        proposals.close();
        assertThat(codeOf(proposals.propose(command(1, 1)))).isEqualTo(ErrorCode.NOT_LEADER);
        assertThat(underWay).isNotDone();
        proposals.abandon();
        assertThat(codeOf(underWay)).isEqualTo(ErrorCode.NOT_LEADER);
        assertThatThrownBy(underWay::join).hasMessageContaining("no leader is known");
    }
}
