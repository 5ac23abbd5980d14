package io.ecfs.datanode.store.ring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.datanode.store.io.VolumeFullException;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.memory.DiskFaults;
import io.ecfs.datanode.store.memory.DiskFaults.Operation;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.datanode.store.ring.StagedRoles.Wanted;
import io.ecfs.datanode.store.ring.journal.JournalMissingException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A volume whose journal fails, or is interrupted, at its beginning and at its end. */
class JournalFaultsTest {
    private final StagedMachine machine = new StagedMachine(1, true, true);

    private StagedVolumeIo reading() throws IOException {
        StagedVolumeIo io = machine.open(1 << 20, 1L << 30);
        machine.go(Wanted.READ, 3, 0);
        assertThat(io.roles().role()).isEqualTo(VolumeRole.READING);
        return io;
    }

    private static void write(VolumeIo io, String file, String text) throws IOException {
        if (io.length(file).isEmpty()) {
            io.create(file);
        }
        io.write(file, 0, ByteBuffer.wrap(text.getBytes(UTF_8)));
    }

    private static String read(VolumeIo io, String file) throws IOException {
        ByteBuffer into = ByteBuffer.allocate((int) io.length(file).orElseThrow());
        io.read(file, 0, into);
        return new String(into.array(), UTF_8);
    }

    private void failJournal(Operation... operations) {
        fail(new IOException("journal is broken"), operations);
    }

    private void fail(IOException error, Operation... operations) {
        machine.journal().faults((operation, path, number) -> {
            for (Operation failing : operations) {
                if (operation == failing) {
                    throw error;
                }
            }
        });
    }

    /** The next process stages a file, and the one after it does not begin without the journal. */
    private void requireThatTheJournalIsMissed(String when) throws IOException {
        machine.restart(Loss.NOTHING);
        write(reading(), "b", "staged");
        machine.restart(Loss.UNSYNCED);
        machine.loseJournal();
        assertThatThrownBy(machine::open).as(when).isInstanceOf(JournalMissingException.class);
    }

    @Test
    void aVolumeWhoseProcessDiedBeforeItNotedItsJournalNeedsIt() throws IOException {
        machine.open(1 << 20, 1L << 30);
        machine.device().crashAtMutation(machine.device().mutations());
        machine.go(Wanted.READ, 0, 0);
        assertThat(machine.crashed()).isTrue();
        assertThat(machine.journal().files()).hasSize(1);
        requireThatTheJournalIsMissed("no marker yet");
    }

    @Test
    void aVolumeWhoseProcessDiedWhileItsJournalEndedNeedsTheNextOne() throws IOException {
        boolean crashed = true;
        for (int at = 0; crashed; at++) {
            StagedMachine another = new StagedMachine(at, true, true);
            StagedVolumeIo io = another.open(1 << 20, 1L << 30);
            another.go(Wanted.READ, 3, 0);
            write(io, "a", "staged");
            another.pass(Duration.ofMinutes(1));
            another.go(Wanted.WRITE, 3, 100);
            assertThat(io.counts().stagedBytes()).isZero();
            another.journal().crashAtMutation(another.journal().mutations() + at);
            try {
                another.go(Wanted.OUTSIDE, 2, 0);
            } catch (IOException e) {
                assertThat(another.crashed()).as("%s", e).isTrue();
            }
            crashed = another.crashed();
            another.restart(Loss.NOTHING);
            StagedVolumeIo next = another.open(1 << 20, 1L << 30);
            another.go(Wanted.READ, 3, 0);
            write(next, "b", "staged");
            another.restart(Loss.UNSYNCED);
            another.loseJournal();
            assertThatThrownBy(another::open).as("crash %s", at).isInstanceOf(JournalMissingException.class);
        }
    }

    @Test
    void aJournalThatCannotBeRemovedDoesNotTakeTheVolumeAlong() throws IOException {
        StagedVolumeIo io = reading();
        write(io, "a", "staged");
        machine.pass(Duration.ofMinutes(1));
        machine.go(Wanted.WRITE, 3, 100);
        assertThat(io.counts().stagedBytes()).isZero();
        failJournal(Operation.values());
        machine.go(Wanted.OUTSIDE, 3, 0);
        assertThat(io.roles().role()).isEqualTo(VolumeRole.OUTSIDE);
        write(io, "a", "passes");
        machine.go(Wanted.READ, 3, 0);
        write(io, "b", "passes");
        assertThat(read(machine.device(), "a")).isEqualTo("passes");
        assertThat(read(machine.device(), "b")).isEqualTo("passes");
        machine.restart(Loss.NOTHING);
        machine.journal().faults(DiskFaults.NONE);
        StagedVolumeIo again = machine.open();
        assertThat(read(again, "a")).isEqualTo("passes");
        assertThat(read(again, "b")).isEqualTo("passes");
        assertThat(again.counts().lostFiles()).isZero();
    }

    @Test
    void aJournalWhoseFirstSyncFailsDoesNotTakeTheVolumeAlong() throws IOException {
        failJournal(Operation.SYNC);
        StagedVolumeIo io = reading();
        write(io, "a", "passes");
        assertThat(read(machine.device(), "a")).isEqualTo("passes");
        assertThat(io.counts().spills()).containsKey(SpillReason.JOURNAL_FAILED);
    }

    /** Its record is whole, and the next in order. */
    @Test
    void aChangeThatFailedAndLandedIsNotTakenForOneThatIsStaged() throws IOException {
        StagedVolumeIo io = machine.open(1 << 20, 1L << 30);
        write(io, "a", "old");
        io.syncAll(List.of("a"));
        machine.go(Wanted.READ, 3, 0);
        machine.errorsBehindWritesOfTheJournal(true);
        write(io, "a", "newer and longer");
        write(io, "b", "a file");
        machine.restart(Loss.NOTHING);
        machine.errorsBehindWritesOfTheJournal(false);
        StagedVolumeIo again = machine.open();
        assertThat(read(again, "a")).isEqualTo("newer and longer");
        assertThat(read(again, "b")).isEqualTo("a file");
        machine.drainAll();
        assertThat(read(machine.device(), "a")).isEqualTo("newer and longer");
    }

    /** The number of the record that landed is not given again. */
    @Test
    void aJournalThatBeginsAgainInTheSameProcessKeepsWhatItStages() throws IOException {
        StagedVolumeIo io = reading();
        machine.errorsBehindWritesOfTheJournal(true);
        write(io, "a", "passes");
        machine.errorsBehindWritesOfTheJournal(false);
        machine.drainAll();
        machine.go(Wanted.READ, 3, 0);
        write(io, "b", "staged");
        assertThat(machine.device().files()).doesNotContain("b");
        machine.restart(Loss.NOTHING);
        StagedVolumeIo again = machine.open();
        assertThat(read(again, "a")).isEqualTo("passes");
        assertThat(read(again, "b")).isEqualTo("staged");
    }

    @Test
    void whatIsDrainedElsewhereIsForgottenWithTheJournalAlone() throws IOException {
        StagedVolumeIo io = reading();
        write(io, "a", "staged");
        io.sync("a");
        failJournal(Operation.WRITE, Operation.SYNC);
        write(io, "a", "direct");
        machine.restart(Loss.NOTHING);
        fail(new VolumeFullException("journal is full"), Operation.WRITE);
        assertThat(read(machine.open(), "a")).isEqualTo("direct");
        machine.restart(Loss.NOTHING);
        machine.journal().faults(DiskFaults.NONE);
        assertThat(read(machine.open(), "a")).isEqualTo("direct");
    }

    @Test
    void aJournalThatHasNoRoomAtAStartIsVoidedInFewBytes() throws IOException {
        StagedVolumeIo io = reading();
        io.create("a");
        for (int i = 0; i < 10_000; i++) {
            io.write("a", 0, ByteBuffer.allocate(1));
        }
        write(io, "b", "staged");
        machine.pass(Duration.ofMinutes(1));
        machine.go(Wanted.WRITE, 3, 0);
        machine.device().faults((operation, path, number) -> {
            if (operation == Operation.WRITE) { // the drain has made the file
                machine.device().crashAtMutation(0);
            }
        });
        assertThatThrownBy(() -> machine.drain(1)).isInstanceOf(IOException.class);
        machine.restart(Loss.NOTHING);
        machine.device().faults(DiskFaults.NONE);
        fail(new VolumeFullException("journal is full"), Operation.WRITE);
        StagedVolumeIo again = machine.open();
        write(again, "c", "passes");
        long bytes = 0;
        for (String file : machine.device().files()) {
            bytes += file.startsWith("staged/") ? machine.device().length(file).orElseThrow() : 0;
        }
        assertThat(bytes).isLessThan(1000);
        machine.restart(Loss.NOTHING);
        machine.journal().faults(DiskFaults.NONE);
        StagedVolumeIo last = machine.open();
        assertThat(last.length("a")).hasValue(1);
        assertThat(read(last, "b")).isEqualTo("staged");
        assertThat(read(last, "c")).isEqualTo("passes");
    }
}
