package io.ecfs.datanode.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.datanode.store.io.VolumeFullException;
import io.ecfs.datanode.store.memory.DiskFaults;
import io.ecfs.datanode.store.memory.DiskFaults.Operation;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * What a loss of power, a crash, a full disk and an error leave of a file's bytes in memory: over many seeds, all that
 * a disk does.
 */
class MemoryFileTest {
    private static final int SEEDS = 200;

    private interface Work {
        void on(MemoryVolumeIo disk) throws IOException;
    }

    private static MemoryVolumeIo disk(long seed) throws IOException {
        MemoryVolumeIo disk = new MemoryVolumeIo("disk", 1 << 20, new SplittableRandom(seed));
        disk.create("file");
        write(disk, 0, "aaaa");
        disk.sync("file");
        disk.syncDirectory("");
        return disk;
    }

    private static void write(MemoryVolumeIo disk, long offset, String text) throws IOException {
        disk.write("file", offset, ByteBuffer.wrap(text.getBytes(UTF_8)));
    }

    private static String text(MemoryVolumeIo disk) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) disk.length("file").orElseThrow());
        disk.read("file", 0, bytes);
        return new String(bytes.array(), UTF_8);
    }

    /** The file's bytes after a loss of power, by seed. */
    private static Set<String> leftovers(Work work) throws IOException {
        Set<String> seen = new TreeSet<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            MemoryVolumeIo disk = disk(seed);
            work.on(disk);
            disk.restart(Loss.UNSYNCED);
            String left = text(disk);
            seen.add(left);
            disk.restart(Loss.UNSYNCED);
            assertThat(text(disk)).as("what was left once stays").isEqualTo(left);
        }
        return seen;
    }

    @Test
    void anUnsyncedWriteIsThereOrNotOrTorn() throws IOException {
        assertThat(leftovers(disk -> write(disk, 0, "bbbb")))
                .containsExactlyInAnyOrder("aaaa", "baaa", "bbaa", "bbba", "bbbb");
    }

    @Test
    void writesReachTheDiskInAnyOrder() throws IOException {
        assertThat(leftovers(disk -> {
                    write(disk, 0, "b");
                    write(disk, 3, "c");
                }))
                .containsExactlyInAnyOrder("aaaa", "baaa", "aaac", "baac");
    }

    @Test
    void anUnsyncedTruncateIsThereOrNotAfterACrash() throws IOException {
        assertThat(leftovers(disk -> disk.truncate("file", 2))).containsExactlyInAnyOrder("aaaa", "aa");
        assertThat(leftovers(disk -> {
                    disk.truncate("file", 1);
                    write(disk, 3, "d");
                }))
                .containsExactlyInAnyOrder("aaaa", "a", "aaad", "a\0\0d", "a\0\0");
    }

    @Test
    void whatIsSyncedIsNeverLost() throws IOException {
        assertThat(leftovers(disk -> {
                    write(disk, 2, "bbbb");
                    disk.truncate("file", 5);
                    disk.sync("file");
                }))
                .containsExactly("aabbb");
        assertThat(leftovers(disk -> {
                    write(disk, 0, "bbbb");
                    disk.syncAll(List.of("file", "gone"));
                }))
                .containsExactly("bbbb");
    }

    @Test
    void theEndOfTheProcessLosesNothingAndMakesNothingDurable() throws IOException {
        assertThat(leftovers(disk -> {
                    write(disk, 0, "bbbb");
                    disk.restart(Loss.NOTHING);
                    assertThat(text(disk)).isEqualTo("bbbb");
                }))
                .containsExactlyInAnyOrder("aaaa", "baaa", "bbaa", "bbba", "bbbb");
        assertThat(leftovers(disk -> {
                    write(disk, 0, "bbbb");
                    disk.syncFileSystem();
                }))
                .containsExactly("bbbb");
    }

    @Test
    void aBitThatRotsIsRottenInEveryCopy() throws IOException {
        assertThat(leftovers(disk -> {
                    write(disk, 4, "x");
                    disk.flipBit("file", 3, 1);
                    assertThat(text(disk)).isEqualTo("aaacx");
                }))
                .containsExactlyInAnyOrder("aaac", "aaacx");
        MemoryVolumeIo disk = disk(1);
        assertThatThrownBy(() -> disk.flipBit("file", 4, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aCrashInAWriteLeavesAnyFirstPartOfIt() throws IOException {
        Set<String> seen = new TreeSet<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            MemoryVolumeIo disk = disk(seed);
            disk.crashAtMutation(disk.mutations() + 1);
            write(disk, 0, "c");
            assertThat(disk.crashed()).isFalse();
            assertThatThrownBy(() -> write(disk, 0, "bbbb")).isInstanceOf(IOException.class);
            assertThat(disk.crashed()).isTrue();
            assertThatThrownBy(() -> disk.length("file")).isInstanceOf(IOException.class);
            disk.restart(Loss.NOTHING);
            assertThat(disk.crashed()).isFalse();
            seen.add(text(disk));
            write(disk, 0, "works");
        }
        assertThat(seen).containsExactlyInAnyOrder("caaa", "baaa", "bbaa", "bbba", "bbbb");
    }

    @Test
    void aFullDiskTakesWhatFits() throws IOException {
        MemoryVolumeIo disk = new MemoryVolumeIo("disk", 10, new SplittableRandom(1));
        disk.create("file");
        write(disk, 0, "12345678");
        assertThatThrownBy(() -> write(disk, 6, "abcdef")).isInstanceOf(VolumeFullException.class);
        assertThat(text(disk)).isEqualTo("123456abcd");
        write(disk, 0, "0123456789");
        assertThat(disk.space().freeBytes()).isZero();
        assertThatThrownBy(() -> write(disk, 10, "x")).isInstanceOf(VolumeFullException.class);
        assertThat(text(disk)).isEqualTo("0123456789");
    }

    @Test
    void everyOperationCanBeMadeToFailAndThenChangesNothing() throws IOException {
        MemoryVolumeIo disk = disk(1);
        EnumSet<Operation> failed = EnumSet.noneOf(Operation.class);
        long[] last = {-1};
        disk.faults((operation, path, number) -> {
            assertThat(number).isGreaterThan(last[0]);
            last[0] = number;
            failed.add(operation);
            throw new IOException("Input/output error");
        });
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> disk.createDirectory("a"),
                () -> disk.create("b"),
                () -> disk.length("file"),
                () -> disk.read("file", 0, ByteBuffer.allocate(1)),
                () -> write(disk, 0, "x"),
                () -> disk.truncate("file", 0),
                () -> disk.sync("file"),
                () -> disk.syncDirectory(""),
                () -> disk.rename("file", "c"),
                () -> disk.delete("file"),
                () -> disk.list(""))) {
            assertThatThrownBy(call).hasMessage("Input/output error");
        }
        assertThat(failed).containsExactlyInAnyOrder(Operation.values());
        disk.faults(DiskFaults.NONE);
        assertThat(disk.files()).containsExactly("file");
        assertThat(disk.list("")).containsExactly("file");
        assertThat(text(disk)).isEqualTo("aaaa");
        assertThat(disk.describe()).isEqualTo("disk");
    }
}
