package io.ecfs.datanode.store.ring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.memory.DiskFaults;
import io.ecfs.datanode.store.memory.DiskFaults.Operation;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.datanode.store.ring.StagedRoles.Wanted;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a sync promises while another one is under way, or has failed. */
class StagedSyncsTest {
    private final StagedMachine machine = new StagedMachine(1, true, true);

    /** A volume with a file that passes, and is on disk. */
    private StagedVolumeIo writing() throws IOException {
        StagedVolumeIo io = machine.open(1 << 20, 1L << 30);
        io.create("a");
        io.syncAll(List.of("a"));
        assertThat(io.counts().journalBytes()).as("it is in no ring").isZero();
        return io;
    }

    private static void write(VolumeIo io, String text) throws IOException {
        write(io, "a", text);
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

    /** Runs something once, in the device, before the next operation of this kind. */
    private void inNext(Operation operation, DiskFaults what) {
        AtomicInteger times = new AtomicInteger();
        machine.device().faults((now, path, number) -> {
            if (now == operation && times.getAndIncrement() == 0) {
                what.before(now, path, number);
            }
        });
    }

    private void requireOnDisk(String text) throws IOException {
        machine.restart(Loss.UNSYNCED);
        ByteBuffer into = ByteBuffer.allocate(text.length());
        machine.open().read("a", 0, into);
        assertThat(new String(into.array(), UTF_8)).isEqualTo(text);
    }

    @Test
    void aSyncDoesNotTakeOneUnderWayForItsOwn() throws IOException {
        StagedVolumeIo io = writing();
        write(io, "some bytes");
        AtomicInteger inner = new AtomicInteger();
        machine.device().faults((operation, path, number) -> {
            if (operation == Operation.SYNC && inner.getAndIncrement() == 0) {
                io.sync("a");
            }
        });
        io.sync("a");
        assertThat(inner).as("syncs of the device").hasValue(2);
    }

    @Test
    void aSyncThatFailedIsDoneAgain() throws IOException {
        StagedVolumeIo io = writing();
        write(io, "some bytes");
        inNext(Operation.SYNC, (operation, path, number) -> {
            throw new IOException("not this time");
        });
        assertThatThrownBy(() -> io.syncAll(List.of("a"))).hasMessageContaining("not this time");
        io.sync("a");
        requireOnDisk("some bytes");
    }

    @Test
    void aSyncBehindAWriteIsNotSkippedForOneBeforeIt() throws IOException {
        StagedVolumeIo io = writing();
        inNext(Operation.WRITE, (operation, path, number) -> io.sync("a"));
        write(io, "some bytes");
        io.sync("a");
        requireOnDisk("some bytes");
    }

    @Test
    void aNameThatComesWhileItsDirectoryIsSyncedIsSyncedLater() throws IOException {
        StagedVolumeIo io = writing();
        inNext(Operation.CREATE, (operation, path, number) -> io.syncDirectory(""));
        io.create("b");
        AtomicInteger syncs = new AtomicInteger();
        inNext(Operation.SYNC_DIRECTORY, (operation, path, number) -> {
            syncs.incrementAndGet();
            throw new IOException("not this time");
        });
        assertThatThrownBy(() -> io.syncDirectory("")).hasMessageContaining("not this time");
        assertThat(syncs).hasValue(1);
        io.syncDirectory("");
        machine.restart(Loss.UNSYNCED);
        assertThat(machine.open().list("")).contains("b");
    }

    @Test
    void aSyncOfAStagedFileSyncsWhatPassedBefore() throws IOException {
        StagedVolumeIo io = writing();
        write(io, "some bytes");
        machine.go(Wanted.READ, 0, 0); // it begins to settle
        io.write("a", 4, ByteBuffer.wrap("more bytes".getBytes(UTF_8)));
        io.sync("a");
        requireOnDisk("somemore bytes");
    }

    @Test
    void bytesThatWereSyncedBehindAnUnsyncedRenamingSurvive() throws IOException {
        for (int seed = 0; seed < 20; seed++) {
            StagedMachine there = new StagedMachine(seed, true, seed % 2 == 0);
            StagedVolumeIo io = there.open(1 << 20, 1L << 30);
            io.createDirectory("d");
            io.syncDirectory("");
            write(io, "d/a", "old");
            io.syncAll(List.of("d/a"));
            io.rename("d/a", "d/b");
            if (seed % 4 > 1) {
                there.restart(Loss.NOTHING); // the next process does not know what this one synced
                io = there.open(1 << 20, 1L << 30);
            }
            there.go(Wanted.READ, 0, 0); // it begins to settle
            write(io, "d/b", "new");
            io.sync("d/b");
            there.restart(Loss.UNSYNCED);
            io = there.open();
            assertThat(io.list("d")).as("seed " + seed).containsAnyOf("a", "b");
            assertThat(read(io, io.length("d/b").isPresent() ? "d/b" : "d/a"))
                    .as("seed " + seed)
                    .isEqualTo("new");
        }
    }

    @Test
    void whatWasStagedInADirectoryThatIsLostIsDrained() throws IOException {
        for (int seed = 0; seed < 10; seed++) {
            StagedMachine there = new StagedMachine(seed, true, seed % 2 == 0);
            StagedVolumeIo io = there.open(1 << 20, 1L << 30);
            io.createDirectory("d/e");
            there.go(Wanted.READ, 0, 0);
            write(io, "d/e/a", "some bytes");
            io.sync("d/e/a");
            io.syncDirectory("d/e");
            there.restart(Loss.UNSYNCED);
            io = there.open();
            there.drainAll();
            assertThat(io.counts().stagedBytes()).as("seed " + seed).isZero();
        }
    }

    @Test
    void oneSyncIsOneSpill() throws IOException {
        StagedMachine inMemory = new StagedMachine(2, false, true);
        StagedVolumeIo io = inMemory.open(1 << 20, 1L << 30);
        inMemory.go(Wanted.READ, 3, 0);
        for (String file : List.of("a", "b")) {
            io.create(file);
            io.write(file, 0, ByteBuffer.wrap(file.getBytes(UTF_8)));
        }
        io.syncAll(List.of("a", "b"));
        assertThat(io.counts().spills()).containsEntry(SpillReason.VOLATILE_SYNC, 1L);
        assertThat(io.counts().allSpills()).isEqualTo(1);
    }
}
