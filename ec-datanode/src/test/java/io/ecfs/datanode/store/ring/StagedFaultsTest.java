package io.ecfs.datanode.store.ring;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.datanode.store.io.VolumeFullException;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.memory.DiskFaults;
import io.ecfs.datanode.store.memory.DiskFaults.Operation;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.datanode.store.ring.StagedRoles.Wanted;
import io.ecfs.datanode.store.ring.device.MarkerFile;
import io.ecfs.datanode.store.ring.journal.JournalMissingException;
import io.ecfs.datanode.store.ring.journal.JournalTerms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of staged bytes when journals fill up, fail or rot. */
class StagedFaultsTest {
    private static final int LARGE = 100 << 10;

    private static StagedVolumeIo reading(StagedMachine machine, long journalBytes) throws IOException {
        StagedVolumeIo io = machine.open(1 << 20, journalBytes);
        machine.go(Wanted.READ, 3, 0);
        assertThat(io.roles().role()).isEqualTo(VolumeRole.READING);
        return io;
    }

    /** A volume that stages files a, b, c and d, each in a segment of its own; these are synced. */
    private static StagedVolumeIo withASegmentForEachFile(StagedMachine machine) throws IOException {
        StagedVolumeIo io = machine.open(1 << 12, 1L << 30);
        machine.go(Wanted.READ, 3, 0);
        for (String file : List.of("a", "b", "c", "d")) {
            io.create(file);
            io.write(file, 0, ByteBuffer.wrap(ofOneSegment(file)));
            io.sync(file);
        }
        assertThat(machine.journal().files()).hasSize(4);
        return io;
    }

    private static byte[] ofOneSegment(String text) {
        return text.repeat(1 << 12).getBytes(UTF_8);
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

    @Test
    void aVolumeThatReadsIsNotWritten() throws IOException {
        StagedMachine machine = new StagedMachine(1, true, true);
        StagedVolumeIo io = reading(machine, 1L << 30);
        long before = machine.device().mutations();
        write(io, "a", "hello");
        write(io, "b", "gone");
        io.sync("a");
        io.syncDirectory("");
        io.delete("b");
        assertThat(io.lend("a", 0, 5)).isEmpty();
        assertThat(io.local("a")).isEmpty();
        assertThat(machine.device().mutations()).isEqualTo(before);
        assertThat(io.counts().allSpills()).isZero();
        machine.go(Wanted.WRITE, 3, 0);
        machine.pass(Duration.ofMinutes(1)); // longer than a rotation
        machine.go(Wanted.WRITE, 3, 100);
        assertThat(io.roles().role()).isEqualTo(VolumeRole.WRITING);
        assertThat(machine.device().files())
                .as("what was deleted never gets there")
                .containsExactly("a", MarkerFile.PATH);
        assertThat(read(machine.device(), "a")).isEqualTo("hello");
    }

    /** In a volume's queue the piece may be behind the change, on the same chunk. */
    @Test
    @Timeout(20)
    void aChangeDoesNotWaitForAPieceThatHasNotBegun() throws IOException {
        StagedMachine machine = new StagedMachine(7, true, true);
        StagedVolumeIo io = reading(machine, 1L << 30);
        write(io, "a", "one");
        machine.pass(Duration.ofMinutes(1));
        machine.go(Wanted.WRITE, 3, 0);
        Drain.Piece piece = io.drain().next().orElseThrow();
        assertThat(io.drain().next()).as("it is given out once").isEmpty();
        write(io, "a", "two");
        piece.run();
        assertThat(read(machine.device(), "a")).isEqualTo("two");
        write(io, "b", "passes");
        assertThat(machine.device().files()).contains("b");
    }

    @Test
    void aPieceThatComesLateDoesNotWriteAVolumeThatReads() throws IOException {
        StagedMachine machine = new StagedMachine(8, true, true);
        StagedVolumeIo io = reading(machine, 1L << 30);
        write(io, "a", "one");
        machine.pass(Duration.ofMinutes(1));
        machine.go(Wanted.WRITE, 3, 0);
        Drain.Piece piece = io.drain().next().orElseThrow();
        machine.go(Wanted.SETTLE, 3, 0);
        assertThat(io.roles().role()).isEqualTo(VolumeRole.READING);
        assertThat(piece.run()).isZero();
        assertThat(machine.device().files()).containsExactly(MarkerFile.PATH);
        assertThat(read(io, "a")).isEqualTo("one");
    }

    /** It would drain all that is staged, and a turn would not end it. */
    @Test
    void aBackgroundSyncWaitsForTheDrainOfAVolumeThatWrites() throws IOException {
        StagedMachine machine = new StagedMachine(9, false, true);
        StagedVolumeIo io = reading(machine, 1L << 30);
        write(io, "a", "one");
        assertThat(io.syncSpills()).isTrue();
        machine.pass(Duration.ofMinutes(1));
        machine.go(Wanted.WRITE, 3, 0);
        assertThat(io.roles().role()).isEqualTo(VolumeRole.WRITING);
        assertThat(io.syncSpills()).as("something is staged").isTrue();
        machine.drain(100);
        assertThat(io.syncSpills()).as("nothing is staged").isFalse();
    }

    @Test
    void aFullJournalSpillsWithinATenthOfTheDevicesRate() throws IOException {
        StagedMachine machine = new StagedMachine(2, true, true);
        StagedVolumeIo io = reading(machine, 5L * LARGE);
        io.create("a");
        int staged = 0;
        while (io.counts().journalBytes() + LARGE + 100 < 5L * LARGE) {
            io.write("a", (long) staged++ * LARGE, ByteBuffer.allocate(LARGE));
        }
        assertThat(io.acknowledgementDelay()).isBetween(Duration.ofMillis(1), JournalTerms.LONGEST_DELAY);
        machine.pass(Duration.ofSeconds(10));
        io.write("a", (long) staged * LARGE, ByteBuffer.allocate(LARGE));
        assertThat(io.counts().spills()).containsEntry(SpillReason.JOURNAL_FULL, 1L);
        assertThat(io.length("a")).hasValue((staged + 1L) * LARGE);
    }

    @Test
    void aFullJournalRefusesWhatIsMore() throws IOException {
        StagedMachine machine = new StagedMachine(3, true, true);
        StagedVolumeIo io = reading(machine, LARGE);
        io.create("a");
        io.create("b");
        machine.pass(Duration.ofSeconds(10));
        int written = 0;
        try {
            while (written < 100) {
                io.write("a", (long) written * LARGE, ByteBuffer.allocate(LARGE));
                written++;
            }
        } catch (VolumeFullException e) {
            assertThat(e).hasMessageContaining("its journal is full");
        }
        assertThat(written).isBetween(1, 99);
        write(io, "b", "small changes are taken");
        assertThat(read(io, "b")).isEqualTo("small changes are taken");
    }

    @Test
    void aVolumeGoesOnWithoutItsJournal() throws IOException {
        StagedMachine machine = new StagedMachine(4, true, true);
        StagedVolumeIo io = reading(machine, 1L << 30);
        write(io, "a", "staged");
        write(io, "b", "staged too");
        machine.journal().faults((operation, path, number) -> {
            if (operation == Operation.WRITE || operation == Operation.SYNC) {
                throw new IOException("journal is broken");
            }
        });
        write(io, "a", "direct");
        assertThat(read(io, "a")).isEqualTo("direct");
        write(io, "c", "new");
        assertThat(io.counts().spills().get(SpillReason.JOURNAL_FAILED)).isPositive();
        machine.drain(100);
        assertThat(read(machine.device(), "b")).isEqualTo("staged too");
        machine.restart(Loss.NOTHING);
        machine.journal().faults(DiskFaults.NONE);
        StagedVolumeIo again = machine.open();
        assertThat(read(again, "a"))
                .as("the journal's older records do not count")
                .isEqualTo("direct");
        assertThat(read(again, "b")).isEqualTo("staged too");
        assertThat(read(again, "c")).isEqualTo("new");
    }

    /** Numbers of records that were lost with the power are given again. */
    @Test
    void whatIsStagedAfterAJournalFailedIsNotTakenForWhatWasDrainedBefore() throws IOException {
        for (int seed = 20; seed < 40; seed++) {
            StagedMachine machine = new StagedMachine(seed, true, true);
            StagedVolumeIo io = reading(machine, 1L << 30);
            write(io, "x", "stays staged");
            io.sync("x");
            write(io, "a", "staged");
            breakJournal(machine);
            write(io, "a", "direct");
            machine.restart(Loss.UNSYNCED);
            machine.journal().faults(DiskFaults.NONE);
            StagedVolumeIo again = machine.open();
            write(again, "d", "new");
            again.sync("d");
            machine.restart(Loss.UNSYNCED);
            StagedVolumeIo last = machine.open();
            assertThat(read(last, "d")).as("seed %s", seed).isEqualTo("new");
            assertThat(read(last, "x")).isEqualTo("stays staged");
        }
    }

    @Test
    void aFileWhoseEndAFailedJournalLostDoesNotComeBack() throws IOException {
        for (int seed = 40; seed < 60; seed++) {
            StagedMachine machine = new StagedMachine(seed, true, true);
            StagedVolumeIo io = reading(machine, 1L << 30);
            write(io, "a", "deleted");
            write(io, "b", "replaced");
            write(io, "c", "replaces");
            io.sync("c");
            io.delete("a");
            io.rename("c", "b");
            breakJournal(machine);
            io.syncDirectory("");
            machine.restart(Loss.UNSYNCED);
            machine.journal().faults(DiskFaults.NONE);
            StagedVolumeIo again = machine.open();
            assertThat(again.length("a")).as("seed %s", seed).isEmpty();
            assertThat(again.length("c")).isEmpty();
            assertThat(read(again, "b")).isEqualTo("replaces");
        }
    }

    @Test
    void aFullDiskOfTheJournalDoesNotEndIt() throws IOException {
        StagedMachine machine = new StagedMachine(11, true, true);
        StagedVolumeIo io = reading(machine, 1L << 30);
        write(io, "a", "staged");
        machine.pass(Duration.ofMinutes(1));
        machine.go(Wanted.WRITE, 3, 0);
        machine.journal().faults((operation, path, number) -> {
            if (operation == Operation.WRITE) {
                throw new VolumeFullException("journal is full");
            }
        });
        machine.drain(100);
        assertThat(read(machine.device(), "a")).isEqualTo("staged");
        write(io, "a", "passes");
        machine.journal().faults(DiskFaults.NONE);
        machine.go(Wanted.READ, 3, 0);
        long before = machine.device().mutations();
        write(io, "b", "staged again");
        assertThat(machine.device().mutations()).isEqualTo(before);
        machine.restart(Loss.NOTHING);
        StagedVolumeIo again = machine.open();
        assertThat(read(again, "a")).isEqualTo("passes");
        assertThat(read(again, "b")).isEqualTo("staged again");
    }

    @Test
    void aVolumeJoinsItsRingWithoutAJournal() throws IOException {
        StagedMachine machine = new StagedMachine(12, true, true);
        StagedVolumeIo io = machine.open(1 << 20, 1L << 30);
        breakJournal(machine);
        machine.go(Wanted.READ, 3, 0);
        assertThat(io.roles().role()).isEqualTo(VolumeRole.READING);
        write(io, "a", "passes");
        assertThat(read(machine.device(), "a")).isEqualTo("passes");
    }

    @Test
    void manySmallWritesDoNotFillTheHeap() throws IOException {
        StagedMachine machine = new StagedMachine(13, true, true);
        StagedVolumeIo io = reading(machine, 1L << 30);
        io.create("a");
        for (int i = 0; i < StagedChanges.MOST_ENTRIES; i++) {
            io.write("a", 2L * i, ByteBuffer.allocate(1));
        }
        assertThat(io.counts().spills()).containsEntry(SpillReason.JOURNAL_FULL, 1L);
        assertThat(io.length("a")).hasValue(2L * StagedChanges.MOST_ENTRIES - 1);
    }

    /** The thread that leads the turns also tells the namenodes that the datanode lives. */
    @Test
    @Timeout(20)
    void aDiskThatHangsDoesNotHoldUpTheTurns() throws Exception {
        StagedMachine machine = new StagedMachine(14, true, true);
        StagedVolumeIo io = reading(machine, 1L << 30);
        write(io, "a", "staged");
        machine.pass(Duration.ofMinutes(1));
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        machine.journal().faults((operation, path, number) -> {
            if (operation == Operation.WRITE) {
                hangs.countDown();
                try {
                    goesOn.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
        });
        CompletableFuture<Void> write = CompletableFuture.runAsync(() -> {
            try {
                write(io, "a", "more");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        hangs.await();
        machine.go(Wanted.WRITE, 3, 0);
        assertThat(io.counts().role()).isEqualTo(VolumeRole.READING);
        assertThat(io.drain().next()).isPresent();
        assertThat(io.takeSpill()).isFalse();
        goesOn.countDown();
        write.join();
        machine.go(Wanted.WRITE, 3, 0);
        assertThat(io.counts().role()).isEqualTo(VolumeRole.WRITING);
    }

    private static void breakJournal(StagedMachine machine) {
        machine.journal().faults((operation, path, number) -> {
            if (operation == Operation.WRITE || operation == Operation.SYNC) {
                throw new IOException("journal is broken");
            }
        });
    }

    @Test
    void aDamagedRecordCostsItsFileAlone() throws IOException {
        StagedMachine machine = new StagedMachine(5, true, true);
        StagedVolumeIo io = reading(machine, 1L << 30);
        write(io, "a", "the bytes that rot");
        io.sync("a");
        write(io, "b", "other bytes");
        io.sync("b");
        write(io, "c", "later"); // tells that those before were on disk
        flip(machine, "the bytes that rot");
        machine.restart(Loss.NOTHING);
        StagedVolumeIo again = machine.open();
        assertThat(again.length("a")).isEmpty();
        assertThatThrownBy(() -> again.read("a", 0, ByteBuffer.allocate(1))).isInstanceOf(NoSuchFileException.class);
        assertThat(read(again, "b")).isEqualTo("other bytes");
        assertThat(read(again, "c")).isEqualTo("later");
        assertThat(again.counts().lostFiles()).isEqualTo(1);
    }

    /** It might be taken for one that was freed. */
    @Test
    void aJournalWithoutItsFirstSegmentIsDamaged() throws IOException {
        StagedMachine machine = new StagedMachine(15, true, true);
        withASegmentForEachFile(machine);
        machine.journal().delete(machine.journal().files().get(0));
        machine.restart(Loss.NOTHING);
        StagedVolumeIo again = machine.open();
        assertThat(again.counts().lostFiles()).as("b, c and d; a is not known").isEqualTo(3);
        assertThat(RandomCalls.content(again)).isEmpty();
        assertThat(machine.journal().files()).isEmpty();
    }

    @Test
    void aCrashInAStartWithADamagedJournalBringsNothingBack() throws IOException {
        int crashes = 0;
        for (boolean ofVolume : List.of(true, false)) {
            boolean crashed = true;
            for (int at = 0; crashed; at++) {
                StagedMachine machine = new StagedMachine(at, true, true);
                withASegmentForEachFile(machine);
                machine.journal().delete(machine.journal().files().get(1));
                machine.journal().syncFileSystem();
                machine.restart(Loss.NOTHING);
                MemoryVolumeIo disk = machine.disk(ofVolume);
                disk.crashAtMutation(disk.mutations() + at);
                try {
                    machine.open();
                } catch (IOException e) {
                    assertThat(machine.crashed()).as("%s", e).isTrue();
                    crashes++;
                }
                crashed = machine.crashed();
                machine.restart(Loss.UNSYNCED);
                assertThat(RandomCalls.content(machine.open()))
                        .as("crash %s", at)
                        .isEmpty();
                assertThat(machine.journal().files()).isEmpty();
            }
        }
        assertThat(crashes).isGreaterThan(5);
    }

    @Test
    void whatTheDeviceHasOfFilesBehindAMissingSegmentIsPutAside() throws IOException {
        StagedMachine machine = new StagedMachine(16, true, true);
        StagedVolumeIo io = machine.open(1 << 12, 1L << 30);
        write(io, "b", "on the device");
        write(io, "c", "on the device");
        machine.go(Wanted.READ, 3, 0);
        io.create("a");
        io.write("a", 0, ByteBuffer.wrap(ofOneSegment("a")));
        write(io, "b", "staged");
        write(io, "d", "staged");
        io.sync("d");
        machine.journal().delete(machine.journal().files().get(0));
        machine.restart(Loss.NOTHING);
        StagedVolumeIo again = machine.open();
        assertThat(again.length("b")).as("its bytes are stale").isEmpty();
        assertThat(again.length("d")).isEmpty();
        assertThat(read(again, "c")).isEqualTo("on the device");
        assertThat(again.counts().lostFiles()).as("b and d").isEqualTo(2);
        assertThat(machine.device().files()).contains("staged/lost-b");
    }

    @Test
    void freedSegmentsThatAPowerLossBringsBackDoNotCount() throws IOException {
        StagedMachine machine = new StagedMachine(17, true, true);
        StagedVolumeIo io = withASegmentForEachFile(machine);
        String first = machine.journal().files().get(0);
        ByteBuffer freed =
                ByteBuffer.allocate((int) machine.journal().length(first).orElseThrow());
        machine.journal().read(first, 0, freed);
        machine.pass(Duration.ofMinutes(1));
        machine.go(Wanted.WRITE, 3, 2);
        List<String> needed = machine.journal().files();
        assertThat(needed).as("those of a and b are freed").hasSize(3);
        write(io, "a", "A");
        machine.journal().create(first);
        machine.journal().write(first, 0, freed.flip());
        machine.restart(Loss.NOTHING);
        StagedVolumeIo again = machine.open();
        assertThat(again.counts().lostFiles()).isZero();
        assertThat(read(again, "a")).startsWith("Aaaa");
        assertThat(read(again, "d")).startsWith("dddd");
        assertThat(machine.journal().files()).isEqualTo(needed);
    }

    @Test
    void aVolumeDoesNotBeginWithoutTheJournalThatItNeeds() throws IOException {
        StagedMachine machine = new StagedMachine(9, true, true);
        write(reading(machine, 1L << 30), "a", "staged");
        machine.restart(Loss.NOTHING);
        MemoryVolumeIo journal = machine.loseJournal();
        assertThatThrownBy(machine::open)
                .isInstanceOf(JournalMissingException.class)
                .hasMessageContaining("has none");
        machine.mount(journal);
        assertThat(read(machine.open(), "a")).isEqualTo("staged");
        machine.drainAll();
        machine.restart(Loss.NOTHING);
        machine.loseJournal();
        assertThat(read(machine.open(), "a"))
                .as("it needed the journal no more")
                .isEqualTo("staged");
    }

    @Test
    void aJournalInMemoryIsDrainedByASync() throws IOException {
        StagedMachine machine = new StagedMachine(6, false, true);
        StagedVolumeIo io = reading(machine, 1L << 30);
        write(io, "a", "must be there");
        io.sync("a");
        io.syncDirectory("");
        assertThat(io.counts().spills()).containsEntry(SpillReason.VOLATILE_SYNC, 1L);
        machine.restart(Loss.UNSYNCED);
        assertThat(read(machine.open(), "a")).isEqualTo("must be there");
    }

    @Test
    void directoriesThatASyncMakesWhileTheVolumeReadsAreSpills() throws IOException {
        StagedMachine machine = new StagedMachine(9, false, true);
        StagedVolumeIo io = reading(machine, 1L << 30);
        long before = machine.device().mutations();
        io.createDirectory("finalised/02");
        assertThat(machine.device().mutations()).isEqualTo(before);
        io.syncDirectory("finalised");
        assertThat(machine.device().mutations()).isGreaterThan(before);
        assertThat(io.counts().spills()).containsEntry(SpillReason.VOLATILE_SYNC, 1L);
    }

    @Test
    void aJournalInMemoryIsDrainedAtTheEndOfTheProcess() throws IOException {
        StagedMachine machine = new StagedMachine(10, false, true);
        StagedVolumeIo io = reading(machine, 1L << 30);
        write(io, "a", "must be there");
        io.close();
        machine.restart(Loss.UNSYNCED);
        assertThat(read(machine.open(), "a")).isEqualTo("must be there");
    }

    private static void flip(StagedMachine machine, String text) throws IOException {
        String segment = machine.journal().files().get(0);
        ByteBuffer all =
                ByteBuffer.allocate((int) machine.journal().length(segment).orElseThrow());
        machine.journal().read(segment, 0, all);
        String content = new String(all.array(), ISO_8859_1);
        machine.journal().flipBit(segment, content.indexOf(text), 3);
    }
}
