package io.ecfs.datanode.store.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.datanode.store.memory.DiskFaults.Operation;
import io.ecfs.datanode.store.ring.StagedRoles.Wanted;
import io.ecfs.message.ring.ReadTimes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When a volume writes within its window. */
class StagedRolesTest {
    private static final long ROOM = 1L << 30;

    private final StagedMachine machine = new StagedMachine(1, true, true);

    private StagedVolumeIo reading(long journalBytes) throws IOException {
        StagedVolumeIo io = machine.open(1 << 20, journalBytes);
        machine.go(Wanted.READ, 3, 0);
        assertThat(io.roles().role()).isEqualTo(VolumeRole.READING);
        return io;
    }

    private static void write(StagedVolumeIo io, String file, int bytes) throws IOException {
        io.create(file);
        io.write(file, 0, ByteBuffer.allocate(bytes));
    }

    /** Its window ends and comes again, after more than a rotation. */
    private void nextWindow() throws IOException {
        machine.go(Wanted.READ, 3, 0);
        machine.pass(Duration.ofMinutes(1));
        machine.go(Wanted.WRITE, 3, 0);
    }

    @Test
    void aVolumeWithLittleStagedGoesOnReadingUntilThatIsARotationOld() throws IOException {
        StagedVolumeIo io = reading(ROOM);
        write(io, "a", 1000);
        long before = machine.device().mutations();
        machine.go(Wanted.WRITE, 0, 10);
        assertThat(io.roles().role()).isEqualTo(VolumeRole.READING);
        assertThat(io.roles().slowsReads()).isFalse();
        assertThat(machine.device().mutations()).isEqualTo(before);
        nextWindow();
        assertThat(io.roles().role()).isEqualTo(VolumeRole.WRITING);
    }

    @Test
    void aVolumeWithMuchStagedWritesAtOnce() throws IOException {
        StagedVolumeIo io = reading(ROOM);
        write(io, "a", (int) StagedRoles.LEAST_BACKLOG);
        machine.go(Wanted.WRITE, 1, 0);
        assertThat(io.roles().role()).isNotEqualTo(VolumeRole.READING);
    }

    @Test
    void aVolumeThatHasDrainedEverythingReadsUntilItsNextWindow() throws IOException {
        StagedVolumeIo io = reading(ROOM);
        write(io, "a", 1000);
        nextWindow();
        assertThat(io.roles().role()).isEqualTo(VolumeRole.WRITING);
        assertThat(io.roles().slowsReads()).isTrue();
        machine.drain(100);
        assertThat(io.counts().stagedBytes()).isZero();
        machine.go(Wanted.WRITE, 3, 0);
        assertThat(io.roles().role()).isEqualTo(VolumeRole.READING);
        assertThat(io.roles().slowsReads()).isFalse();
        long before = machine.device().mutations();
        write(io, "b", (int) StagedRoles.LEAST_BACKLOG);
        machine.pass(Duration.ofMinutes(1));
        machine.go(Wanted.WRITE, 3, 100);
        assertThat(io.roles().role()).as("once in a window").isEqualTo(VolumeRole.READING);
        assertThat(machine.device().mutations()).isEqualTo(before);
        assertThat(io.counts().allSpills()).isZero();
        nextWindow();
        assertThat(io.roles().role()).isEqualTo(VolumeRole.WRITING);
        assertThat(io.counts().lateSwitches()).isZero();
    }

    @Test
    void itWritesAgainBeforeItsJournalIsFull() throws IOException {
        StagedVolumeIo io = reading(1 << 20);
        write(io, "a", 1000);
        nextWindow();
        machine.drain(100);
        machine.go(Wanted.WRITE, 3, 0);
        assertThat(io.roles().role()).isEqualTo(VolumeRole.READING);
        write(io, "b", 900 << 10);
        assertThat(io.acknowledgementDelay()).isPositive();
        machine.go(Wanted.WRITE, 3, 0);
        assertThat(io.roles().role()).isEqualTo(VolumeRole.WRITING);
    }

    @Test
    void itWritesAgainBeforeTheHeapIsFull() throws IOException {
        StagedVolumeIo io = reading(ROOM);
        write(io, "a", 1000);
        nextWindow();
        machine.drain(100);
        machine.go(Wanted.WRITE, 3, 0);
        assertThat(io.roles().role()).isEqualTo(VolumeRole.READING);
        io.create("b");
        for (int i = 0; i < StagedChanges.MOST_ENTRIES / 10 * 9; i++) {
            io.write("b", 2L * i, ByteBuffer.allocate(1));
        }
        assertThat(io.acknowledgementDelay()).isPositive();
        machine.go(Wanted.WRITE, 3, 0);
        assertThat(io.roles().role()).isEqualTo(VolumeRole.WRITING);
        assertThat(io.counts().allSpills()).isZero();
    }

    @Test
    void aVolumeWhoseJournalHasFailedWritesInItsWindow() throws IOException {
        StagedVolumeIo io = reading(ROOM);
        machine.journal().faults((operation, path, number) -> {
            if (operation == Operation.WRITE || operation == Operation.SYNC) {
                throw new IOException("journal is broken");
            }
        });
        write(io, "a", 1000);
        long spills = io.counts().allSpills();
        assertThat(spills).isPositive();
        machine.go(Wanted.WRITE, 3, 0);
        assertThat(io.roles().role()).isEqualTo(VolumeRole.WRITING);
        write(io, "b", 1000);
        machine.go(Wanted.WRITE, 3, 0);
        assertThat(io.roles().role()).isEqualTo(VolumeRole.WRITING);
        assertThat(io.counts().allSpills()).isEqualTo(spills);
    }

    /** A sync would drain it, while the volume reads. */
    @Test
    void aBackgroundSyncWaitsAMinuteFromWhenNothingWasStaged() throws IOException {
        StagedMachine inMemory = new StagedMachine(2, false, true);
        StagedVolumeIo io = inMemory.open(1 << 20, ROOM);
        StagedVolume volume = inMemory.volume();
        inMemory.go(Wanted.READ, 3, 0);
        write(io, "a", 1000);
        assertThat(volume.defersSync()).isTrue();
        inMemory.pass(Duration.ofSeconds(50));
        inMemory.go(Wanted.WRITE, 3, 100);
        inMemory.go(Wanted.WRITE, 3, 0);
        write(io, "b", 1000);
        inMemory.pass(Duration.ofSeconds(30));
        assertThat(volume.defersSync()).as("a is drained").isTrue();
        inMemory.pass(Duration.ofSeconds(30));
        assertThat(volume.defersSync()).isFalse();
    }

    @Test
    void readsAreMeasuredByWhatTheVolumeDoesWhenTheyAreAnswered() throws IOException {
        StagedVolumeIo io = reading(ROOM);
        StagedVolume volume = machine.volume();
        assertThat(volume.readTimes(false)).isEqualTo(ReadTimes.NONE);
        measure(volume, 30, Duration.ofMillis(1));
        write(io, "a", (int) StagedRoles.LEAST_BACKLOG);
        machine.go(Wanted.WRITE, 3, 0);
        assertThat(volume.isWriting()).isTrue();
        measure(volume, 30, Duration.ofMillis(20));
        volume.measure(CompletableFuture.failedFuture(new IOException("of a test")));
        assertThat(volume.readTimes(false).p99Micros()).isBetween(1000L, 1250L);
        assertThat(volume.readTimes(true).p50Micros()).isBetween(20_000L, 25_000L);
    }

    private void measure(StagedVolume volume, int reads, Duration each) {
        for (int i = 0; i < reads; i++) {
            CompletableFuture<Integer> read = new CompletableFuture<>();
            volume.measure(read);
            machine.pass(each);
            read.complete(i);
        }
    }
}
