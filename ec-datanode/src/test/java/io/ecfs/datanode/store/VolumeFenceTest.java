package io.ecfs.datanode.store;

import static io.ecfs.datanode.store.Chunks.CELL;
import static io.ecfs.datanode.store.Chunks.POLICY;
import static io.ecfs.datanode.store.Chunks.append;
import static io.ecfs.datanode.store.Chunks.finalised;
import static io.ecfs.datanode.store.Chunks.id;
import static io.ecfs.datanode.store.VolumeAssertions.assertCode;
import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.datanode.store.io.ReadOnlyVolumeException;
import io.ecfs.datanode.store.memory.DiskFaults;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A writer that is shut out stays out. */
class VolumeFenceTest {
    private static final ChunkId CHUNK = id(17, 3);
    private static final String DATA = "finalised/11/17.3.0.data";
    private static final String SUM = "finalised/11/17.3.0.sum";

    private final Random random = new Random(1);
    private final MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, random);

    // HORRORS 23: a writer that was shut out stays out, also after a restart.
    @Test
    void aFencedWriterStaysOutForGood() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            volume.create(CHUNK, Stamp.NONE, POLICY, 1);
            append(volume, CHUNK, 1, 0, CELL, false);
            assertThat(volume.fence(CHUNK, 5)).map(ChunkRecord::bytes).hasValue((long) CELL);
            assertFenced(volume);
        }
        disk.restart(Loss.UNSYNCED);
        try (Volume volume = Chunks.open(disk, random)) {
            assertThat(volume.fence(CHUNK, 5)).map(ChunkRecord::bytes).hasValue((long) CELL);
            assertFenced(volume);
            ChunkRecord finalised = volume.finalise(CHUNK, CELL, 3L * CELL);
            assertThat(finalised.state()).isEqualTo(ChunkState.FINALISED);
            assertThat(volume.finalise(CHUNK, CELL, 3L * CELL)).isEqualTo(finalised);
            assertThat(volume.fence(CHUNK, 9)).hasValue(finalised);
            assertCode(ErrorCode.FENCED, () -> volume.finish(CHUNK, 1, CELL, 3L * CELL, false));
        }
        assertThat(disk.files()).contains(DATA, SUM);
    }

    /** Otherwise recovery would wait for an answer that never comes. */
    @Test
    void aDiskThatTakesNoChangeShutsTheWriterOutAllTheSame() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            volume.create(CHUNK, Stamp.NONE, POLICY, 1);
            append(volume, CHUNK, 1, 0, CELL, false);
            disk.faults((operation, path, number) -> {
                if (operation.mutates()) {
                    throw new ReadOnlyVolumeException("no change is allowed to " + path);
                }
            });
            assertThat(volume.fence(CHUNK, 5)).map(ChunkRecord::bytes).hasValue((long) CELL);
            assertThat(volume.fence(CHUNK, 5)).map(ChunkRecord::bytes).hasValue((long) CELL);
            assertThat(volume.state()).isEqualTo(VolumeState.READ_ONLY);
            disk.faults(DiskFaults.NONE);
            assertFenced(volume);
        }
    }

    @Test
    void anUnknownChunkCannotBeFenced() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            assertThat(volume.fence(CHUNK, 5)).isEmpty();
            assertThat(volume.delete(CHUNK, Stamp.NONE)).isFalse();
            assertThat(volume.verify(CHUNK)).isEmpty();
        }
    }

    // A restarted process knows the fence from the header that it read, which may never have been synced.
    @Test
    void everyFenceIsOnDiskWhenItIsAnswered() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            volume.create(CHUNK, Stamp.NONE, POLICY, 1);
            append(volume, CHUNK, 1, 0, CELL, false);
            volume.fence(CHUNK, 5);
            long before = disk.mutations();
            volume.fence(CHUNK, 5);
            assertThat(disk.mutations() - before)
                    .as("both files and their directory")
                    .isEqualTo(3);
        }
    }

    private static void assertFenced(Volume volume) {
        assertCode(ErrorCode.FENCED, () -> append(volume, CHUNK, 1, CELL, CELL, false));
        assertCode(ErrorCode.FENCED, () -> volume.finish(CHUNK, 1, CELL, 3L * CELL, false));
        assertCode(ErrorCode.FENCED, () -> volume.abort(CHUNK, 1));
    }
}
