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
        WatchedVolumeIo io = WatchedVolumeIo.begin(disk, Optional.empty(), Loss.NOTHING, wrong::add);
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
        WatchedVolumeIo.begin(disk, Optional.of(io), Loss.UNSYNCED, wrong::add);
        assertThat(wrong).isEmpty();
    }

    @Test
    void aFileThatHasNoneOfItsNamesIsReported() throws IOException {
        WatchedVolumeIo io = withASyncedFile();
        io.rename("a/file", "b/file");
        io.syncDirectory("b");
        disk.rename("b/file", "a/file");
        WatchedVolumeIo.begin(disk, Optional.of(io), Loss.UNSYNCED, wrong::add);
        assertThat(wrong).hasSize(1);
    }
}
