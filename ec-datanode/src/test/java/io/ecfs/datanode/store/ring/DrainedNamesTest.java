package io.ecfs.datanode.store.ring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.datanode.store.io.ForwardingVolumeIo;
import io.ecfs.datanode.store.io.VolumeFullException;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.memory.DiskFaults;
import io.ecfs.datanode.store.memory.DiskFaults.Operation;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.datanode.store.ring.StagedRoles.Wanted;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files that exchange names in a drain, which a crash interrupts at each of its changes. */
class DrainedNamesTest {
    /** Lives that crash at the same change. */
    private static final int SEEDS = 8;

    /** What becomes of the journal before the drain. */
    enum JournalState {
        SOUND,
        /** Its disk takes no more records. */
        FULL,
        /** It fails in the drain. */
        FAILING,
        /** It has failed, and the drain knows that. */
        FAILED;

        boolean fails() {
            return this == FAILING || this == FAILED;
        }
    }

    private interface Calls {
        void run(StagedVolumeIo io) throws IOException;
    }

    private static void write(VolumeIo io, String file, String text) throws IOException {
        if (io.length(file).isEmpty()) {
            io.create(file);
        }
        io.write(file, 0, ByteBuffer.wrap(text.getBytes(UTF_8)));
    }

    private static Map<String, String> content(VolumeIo io) throws IOException {
        Map<String, String> all = new TreeMap<>();
        for (String name : io.list("d")) {
            ByteBuffer into = ByteBuffer.allocate((int) io.length("d/" + name).orElseThrow());
            io.read("d/" + name, 0, into);
            all.put(name, new String(into.array(), 0, into.position(), UTF_8));
        }
        return all;
    }

    /** Drains what was staged and synced, with a crash at each change of one of the disks. */
    private static void crashEverywhere(JournalState state, Calls calls, Map<String, String> expected)
            throws IOException {
        for (Loss loss : Loss.values()) {
            for (boolean ofDevice : new boolean[] {true, false}) {
                int lives = 0;
                while (crash(state, calls, loss, ofDevice, lives, expected)) {
                    lives++;
                }
                assertThat(lives / SEEDS).isGreaterThan(ofDevice || state == JournalState.SOUND ? 3 : -1);
            }
        }
    }

    private static void breakJournal(StagedMachine machine, StagedVolumeIo io, JournalState state) throws IOException {
        machine.journal().faults((operation, path, number) -> {
            if (state == JournalState.FULL && operation == Operation.WRITE) {
                throw new VolumeFullException("journal has no room");
            }
            if (state.fails() && (operation == Operation.WRITE || operation == Operation.SYNC)) {
                throw new IOException("journal is broken");
            }
        });
        if (state == JournalState.FAILED) {
            io.create("beside");
        }
    }

    /** @return false when the drain ended before the crash */
    private static boolean crash(
            JournalState state, Calls calls, Loss loss, boolean ofDevice, int life, Map<String, String> expected)
            throws IOException {
        int at = life / SEEDS;
        StagedMachine machine = new StagedMachine(life, true, life % 2 == 0);
        StagedVolumeIo io = machine.open(1 << 20, 1L << 30);
        io.createDirectory("d");
        io.syncDirectory("");
        write(io, "d/x", "of x");
        write(io, "d/y", "of y");
        write(io, "d/x.2", "of x.2");
        io.syncAll(List.of("d/x", "d/y", "d/x.2"));
        machine.go(Wanted.READ, 3, 0);
        calls.run(io);
        io.syncDirectory("d");
        breakJournal(machine, io, state);
        MemoryVolumeIo disk = machine.disk(ofDevice);
        disk.crashAtMutation(disk.mutations() + at);
        try {
            machine.drainAll();
        } catch (IOException e) {
            assertThat(machine.crashed()).as(e.toString()).isTrue();
        }
        boolean crashed = machine.crashed();
        machine.journal().faults(DiskFaults.NONE);
        machine.restart(loss);
        io = machine.open();
        String what =
                "life " + life + ", journal " + state + ", " + loss + " in change " + at + " of the " + disk.describe();
        assertThat(content(io)).as(what).isEqualTo(expected);
        machine.drainAll();
        assertThat(content(io)).as(what + ", drained").isEqualTo(expected);
        assertThat(content(machine.device())).as(what + ", on the device").isEqualTo(expected);
        return crashed;
    }

    @ParameterizedTest
    @EnumSource
    void filesThatExchangeNamesKeepTheirBytes(JournalState state) throws IOException {
        crashEverywhere(
                state,
                io -> {
                    io.rename("d/x", "d/z");
                    io.rename("d/y", "d/x");
                    io.rename("d/z", "d/y");
                },
                Map.of("x", "of y", "y", "of x", "x.2", "of x.2"));
    }

    @ParameterizedTest
    @EnumSource
    void filesOfOneGroupThatExchangeNamesKeepTheirBytes(JournalState state) throws IOException {
        crashEverywhere(
                state,
                io -> {
                    io.rename("d/x", "d/z");
                    io.rename("d/x.2", "d/x");
                    io.rename("d/z", "d/x.2");
                },
                Map.of("x", "of x.2", "y", "of y", "x.2", "of x"));
    }

    @ParameterizedTest
    @EnumSource
    void aNewFileDoesNotTakeTheBytesOfTheOneBeforeIt(JournalState state) throws IOException {
        crashEverywhere(
                state,
                io -> {
                    io.rename("d/x", "d/u");
                    write(io, "d/x", "anew");
                    io.rename("d/u", "d/w.1"); // behind the new one
                    io.rename("d/y", "d/v.2");
                    write(io, "d/y", "other");
                    io.sync("d/x");
                },
                Map.of("w.1", "of x", "x", "anew", "v.2", "of y", "y", "other", "x.2", "of x.2"));
    }

    @ParameterizedTest
    @EnumSource
    void aReplacedFileDoesNotTakeTheNameOfItsSuccessorAlong(JournalState state) throws IOException {
        crashEverywhere(
                state,
                io -> {
                    write(io, "d/x", "is x"); // its group is drained first
                    io.delete("d/y");
                    io.rename("d/x", "d/y");
                    io.sync("d/y");
                    io.rename("d/x.2", "d/x");
                },
                Map.of("x", "of x.2", "y", "is x"));
    }

    @ParameterizedTest
    @EnumSource
    void aFileOfTheSameGroupReplacesAnotherOne(JournalState state) throws IOException {
        crashEverywhere(state, io -> io.rename("d/x.2", "d/x"), Map.of("x", "of x.2", "y", "of y"));
    }

    @ParameterizedTest
    @EnumSource
    void aFileOfAnotherGroupReplacesOne(JournalState state) throws IOException {
        crashEverywhere(state, io -> io.rename("d/y", "d/x"), Map.of("x", "of y", "x.2", "of x.2"));
    }

    @ParameterizedTest
    @EnumSource
    void thePlaceOfAFileThatReplacedAnotherOneIsTakenAtOnce(JournalState state) throws IOException {
        crashEverywhere(
                state,
                io -> {
                    io.rename("d/y", "d/x");
                    io.rename("d/x.2", "d/y");
                },
                Map.of("x", "of y", "y", "of x.2"));
    }

    @ParameterizedTest
    @EnumSource
    void filesThatMoveUpKeepTheirBytes(JournalState state) throws IOException {
        crashEverywhere(
                state,
                io -> {
                    io.rename("d/y", "d/u");
                    io.rename("d/x", "d/y");
                    io.rename("d/x.2", "d/x");
                    io.rename("d/u", "d/x.2");
                },
                Map.of("y", "of x", "x", "of x.2", "x.2", "of y"));
    }

    /** The device fails once, and then the drain's files are changed, or the machine loses its power. */
    @ParameterizedTest
    @EnumSource
    void filesWhoseDrainFailedOnceKeepTheirBytes(JournalState state) throws IOException {
        List<Calls> all = List.of(
                io -> {
                    io.rename("d/x", "d/z");
                    io.rename("d/x.2", "d/x");
                    io.rename("d/z", "d/x.2");
                },
                io -> {
                    io.rename("d/y", "d/u");
                    io.rename("d/x", "d/y");
                    io.rename("d/u", "d/x");
                },
                io -> io.rename("d/x.2", "d/x"),
                io -> {
                    io.rename("d/y", "d/x");
                    io.rename("d/x.2", "d/y");
                });
        for (Calls calls : all) {
            for (int failing = 0, life = 0; failIn(state, calls, failing, life); life++, failing = life / (2 * SEEDS)) {
                assertThat(failing).isLessThan(200);
            }
        }
    }

    /** @return false when the drain ended before it failed */
    private static boolean failIn(JournalState state, Calls calls, int failing, int life) throws IOException {
        StagedMachine machine = new StagedMachine(life, true, life % 2 == 0);
        StagedVolumeIo io = machine.open(1 << 20, 1L << 30);
        io.createDirectory("d");
        io.syncDirectory("");
        write(io, "d/x", "of x");
        write(io, "d/y", "of y");
        write(io, "d/x.2", "of x.2");
        io.syncAll(List.of("d/x", "d/y", "d/x.2"));
        machine.go(Wanted.READ, 3, 0);
        calls.run(io);
        io.syncDirectory("d");
        Map<String, String> expected = content(io);
        breakJournal(machine, io, state);
        AtomicInteger left = new AtomicInteger(failing);
        machine.device().faults((operation, path, number) -> {
            if (operation.mutates() && left.getAndDecrement() == 0) {
                throw new IOException("device fails once");
            }
        });
        int retries = life / SEEDS % 2 * 20; // the drain goes on, or does not
        try {
            drainPieces(io, Integer.MAX_VALUE);
        } catch (IOException e) {
            assertThat(left.get()).as(e.toString()).isNegative();
            drainPieces(io, life % 3);
        }
        boolean failed = left.get() < 0;
        machine.device().faults(DiskFaults.NONE);
        if (!state.fails()) {
            machine.journal().faults(DiskFaults.NONE);
            for (String name : expected.keySet()) {
                write(io, "d/" + name, "new");
                io.sync("d/" + name);
            }
            expected.replaceAll((name, text) -> "new" + text.substring(3));
        }
        try {
            drainPieces(io, retries);
        } finally {
            machine.journal().faults(DiskFaults.NONE);
        }
        machine.restart(Loss.UNSYNCED);
        io = machine.open();
        String what = "life " + life + ", journal " + state + ", failure in change " + failing + " of the device";
        assertThat(content(io)).as(what).isEqualTo(expected);
        machine.drainAll();
        assertThat(content(machine.device())).as(what + ", on the device").isEqualTo(expected);
        return failed;
    }

    private static void drainPieces(StagedVolumeIo io, int most) throws IOException {
        for (int piece = 0; piece < most; piece++) {
            Optional<Drain.Piece> next = io.drain().next(true);
            if (next.isEmpty()) {
                return;
            }
            next.get().run();
        }
    }

    @Test
    void aFullJournalDoesNotFailInADrain() throws IOException {
        StagedMachine machine = new StagedMachine(1, true, true);
        StagedVolumeIo io = machine.open(1 << 20, 1L << 30);
        write(io, "x", "of x");
        write(io, "y", "of y");
        io.syncAll(List.of("x", "y"));
        machine.go(Wanted.READ, 3, 0);
        io.rename("x", "z");
        io.rename("y", "x");
        io.rename("z", "y");
        breakJournal(machine, io, JournalState.FULL);
        drainPieces(io, Integer.MAX_VALUE);
        machine.journal().faults(DiskFaults.NONE);
        write(io, "x", "is x");
        assertThat(io.counts().stagedBytes()).isPositive();
        assertThat(io.counts().spills()).containsEntry(SpillReason.JOURNAL_FAILED, 0L);
    }

    /** Its journal is of a version that did not sync the names of the device first. */
    @Test
    void aVolumeThatLostADirectoryOpens() throws IOException {
        StagedMachine machine = new StagedMachine(1, true, false);
        StagedVolumeIo io = machine.open(1 << 20, 1L << 30);
        io.createDirectory("d");
        write(io, "d/x", "of x");
        io.syncAll(List.of("d/x"));
        machine.go(Wanted.READ, 3, 0);
        io.delete("d/x");
        io.syncDirectory("d");
        machine.restart(Loss.NOTHING);
        VolumeIo without = new ForwardingVolumeIo(machine.device()) {
            @Override
            public OptionalLong length(String file) throws IOException {
                return file.startsWith("d/") ? OptionalLong.empty() : super.length(file);
            }

            @Override
            public List<String> list(String directory) throws IOException {
                return super.list(directory).stream()
                        .filter(name -> !name.equals("d"))
                        .toList();
            }

            @Override
            public void syncDirectory(String directory) throws IOException {
                if (directory.equals("d")) {
                    throw new NoSuchFileException(directory);
                }
                super.syncDirectory(directory);
            }
        };
        StagedVolumeIo again = machine.open(without);
        assertThat(again.length("d/x")).isEmpty();
        assertThat(again.counts().lostFiles()).isZero();
    }

    @Test
    void aFileWhoseEndIsNotOnDiskKeepsItsBytes() throws IOException {
        for (int seed = 0; seed < 20; seed++) {
            StagedMachine machine = new StagedMachine(seed, true, true);
            StagedVolumeIo io = machine.open(1 << 20, 1L << 30);
            write(io, "x", "of x");
            io.syncAll(List.of("x"));
            machine.go(Wanted.READ, 3, 0);
            io.rename("x", "y");
            write(io, "z", "of z");
            io.rename("z", "x");
            io.sync("x");
            io.syncDirectory("");
            io.delete("y");
            Drain.Piece ofX = io.drain().next(true).orElseThrow();
            Drain.Piece ofZ = io.drain().next(true).orElseThrow();
            ofX.giveBack();
            MemoryVolumeIo device = machine.device();
            List<String> renamed = new ArrayList<>();
            device.faults((operation, path, number) -> {
                if (operation == Operation.RENAME) {
                    renamed.add(path);
                } else if (!renamed.isEmpty() && operation == Operation.SYNC_DIRECTORY) {
                    machine.journal().crashAtMutation(0);
                }
            });
            try {
                ofZ.run();
            } catch (IOException e) {
                assertThat(machine.crashed()).isTrue();
            }
            device.faults(DiskFaults.NONE);
            machine.restart(Loss.UNSYNCED);
            io = machine.open();
            if (io.length("y").isPresent()) {
                ByteBuffer into = ByteBuffer.allocate(4);
                io.read("y", 0, into);
                assertThat(new String(into.array(), UTF_8)).as("seed %s", seed).isEqualTo("of x");
            }
        }
    }
}
