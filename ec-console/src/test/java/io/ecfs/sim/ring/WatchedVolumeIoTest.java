package io.ecfs.sim.ring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A file whose name was synced has one of its names since then after a loss of power. */
class WatchedVolumeIoTest {
    private final List<String> wrong = new ArrayList<>();
    private final MemoryVolumeIo disk = new MemoryVolumeIo("disk", 1 << 20, new SplittableRandom(1));

    private WatchedVolumeIo withASyncedFile() throws IOException {
        WatchedVolumeIo io = WatchedVolumeIo.begin(disk, Optional.empty(), Loss.NOTHING, true, wrong::add);
        io.createDirectory("a");
        io.createDirectory("b");
        io.syncDirectory("");
        io.create("a/file");
        io.write("a/file", 0, ByteBuffer.wrap("bytes".getBytes(UTF_8)));
        io.syncAll(List.of("a/file"));
        return io;
    }

    @Test
    void aFileThatWasRenamedAndBackMayHaveEitherName() throws IOException {
        WatchedVolumeIo io = withASyncedFile();
        io.rename("a/file", "b/file");
        io.rename("b/file", "a/file");
        disk.rename("a/file", "b/file"); // the first renaming got to disk, the second one did not
        WatchedVolumeIo.begin(disk, Optional.of(io), Loss.UNSYNCED, true, wrong::add);
        assertThat(wrong).isEmpty();
    }

    @Test
    void aFileThatHasNoneOfItsNamesIsReported() throws IOException {
        WatchedVolumeIo io = withASyncedFile();
        io.rename("a/file", "b/file");
        io.syncDirectory("b");
        disk.rename("b/file", "a/file");
        WatchedVolumeIo.begin(disk, Optional.of(io), Loss.UNSYNCED, true, wrong::add);
        assertThat(wrong).hasSize(1);
    }

    /** What the process before had not synced is in a journal in memory, for all that the model knows. */
    @Test
    void aProcessThatFollowsOneThatDiedHasOnDiskWhatThatOneSynced() throws IOException {
        WatchedVolumeIo io = withASyncedFile();
        io.write("a/file", 5, ByteBuffer.wrap("more".getBytes(UTF_8)));
        WatchedVolumeIo next = WatchedVolumeIo.begin(disk, Optional.of(io), Loss.NOTHING, false, wrong::add);
        disk.truncate("a/file", 5);
        WatchedVolumeIo.begin(disk, Optional.of(next), Loss.UNSYNCED, true, wrong::add);
        assertThat(wrong).isEmpty();
        disk.truncate("a/file", 4);
        WatchedVolumeIo.begin(disk, Optional.of(next), Loss.UNSYNCED, true, wrong::add);
        assertThat(wrong).hasSize(1);
    }
}
