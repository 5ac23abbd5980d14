package io.ecfs.datanode.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.datanode.store.io.UnreadableFileException;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * What the loss of power leaves on a disk in memory: over many seeds, everything that POSIX allows, and nothing that
 * was synced is lost.
 */
class MemoryDiskTest {
    private static final int SEEDS = 200;

    private interface Work {
        void on(MemoryVolumeIo disk) throws IOException;
    }

    /** What files there were after a loss of power, by seed. */
    private static Set<String> leftovers(Work work) throws IOException {
        Set<String> seen = new TreeSet<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            MemoryVolumeIo disk = new MemoryVolumeIo("disk", 1 << 20, new SplittableRandom(seed));
            disk.createDirectory("a");
            disk.createDirectory("b");
            disk.syncDirectory("");
            work.on(disk);
            disk.restart(Loss.UNSYNCED);
            seen.add(disk.files().toString());
        }
        return seen;
    }

    @Test
    void theSyncOfOneDirectoryPutsNoNameOfAnotherOnDisk() throws IOException {
        assertThat(leftovers(disk -> {
                    disk.create("a/1");
                    disk.create("b/1");
                    disk.syncDirectory("b");
                }))
                .containsExactlyInAnyOrder("[b/1]", "[a/1, b/1]");
    }

    @Test
    void eachDirectoryKeepsSomeFirstPartOfItsChanges() throws IOException {
        assertThat(leftovers(disk -> {
                    disk.create("a/1");
                    disk.create("b/1");
                    disk.create("a/2");
                }))
                .containsExactlyInAnyOrder("[]", "[a/1]", "[b/1]", "[a/1, b/1]", "[a/1, a/2]", "[a/1, a/2, b/1]");
    }

    @Test
    void aDirectoryWhoseNameIsLostTakesItsFilesAlong() throws IOException {
        assertThat(leftovers(disk -> {
                    disk.createDirectory("a/c");
                    disk.create("a/c/1");
                    disk.syncDirectory("a/c");
                }))
                .containsExactlyInAnyOrder("[]", "[a/c/1]");
    }

    @Test
    void aRenameBetweenDirectoriesLeavesOneOfTheNames() throws IOException {
        assertThat(leftovers(disk -> {
                    disk.create("a/1");
                    disk.syncDirectory("a");
                    disk.rename("a/1", "b/1");
                }))
                .containsExactlyInAnyOrder("[a/1]", "[b/1]");
    }

    @Test
    void theEndOfTheOldNameAloneOnDiskLosesTheFile() throws IOException {
        assertThat(leftovers(disk -> {
                    disk.create("a/1");
                    disk.syncDirectory("a");
                    disk.rename("a/1", "b/1");
                    disk.syncDirectory("a");
                }))
                .containsExactlyInAnyOrder("[]", "[b/1]");
        assertThat(leftovers(disk -> {
                    disk.create("a/1");
                    disk.rename("a/1", "b/1");
                    disk.syncDirectory("b");
                    disk.syncDirectory("a");
                }))
                .containsExactly("[b/1]");
    }

    @Test
    void bytesAndNamesAreLostApartAndEachFilesBytesApart() throws IOException {
        Set<String> seen = new TreeSet<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            MemoryVolumeIo disk = new MemoryVolumeIo("disk", 1 << 20, new SplittableRandom(seed));
            for (String file : new String[] {"data", "sum"}) {
                disk.create(file);
                disk.write(file, 0, ByteBuffer.wrap(new byte[] {1}));
            }
            disk.syncDirectory("");
            disk.restart(Loss.UNSYNCED);
            seen.add(
                    disk.length("data").orElseThrow() + "," + disk.length("sum").orElseThrow());
        }
        assertThat(seen).containsExactlyInAnyOrder("0,0", "0,1", "1,0", "1,1");
    }

    @Test
    void aBadSectorAloneIsUnreadableUntilItIsWrittenAnew() throws IOException {
        MemoryVolumeIo disk = new MemoryVolumeIo("disk", 1 << 20, new SplittableRandom(1));
        disk.create("file");
        disk.write("file", 0, ByteBuffer.allocate(3 * 4096));
        disk.sync("file");
        disk.syncDirectory("");
        disk.failAnySector("file");
        disk.failAnySector("gone");

        List<Integer> bad = new ArrayList<>();
        for (int sector = 0; sector < 3; sector++) {
            if (unreadable(disk, sector * 4096L)) {
                bad.add(sector);
            }
        }
        assertThat(bad).hasSize(1);
        disk.restart(Loss.UNSYNCED);
        assertThat(unreadable(disk, bad.get(0) * 4096L + 4095)).isTrue();
        disk.write("file", bad.get(0) * 4096L, ByteBuffer.allocate(4096));
        assertThat(unreadable(disk, bad.get(0) * 4096L)).isFalse();
    }

    private static boolean unreadable(MemoryVolumeIo disk, long at) throws IOException {
        try {
            disk.read("file", at, ByteBuffer.allocate(1));
            return false;
        } catch (UnreadableFileException e) {
            return true;
        }
    }
}
