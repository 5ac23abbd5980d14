package io.ecfs.datanode.store;

import static io.ecfs.datanode.store.Chunks.POLICY;
import static io.ecfs.datanode.store.Chunks.id;
import static io.ecfs.datanode.store.Chunks.payload;
import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.datanode.store.memory.DiskFaults;
import io.ecfs.datanode.store.memory.DiskFaults.Operation;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Stamp;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The count of chunks that are closed and not on disk yet, and what a sync of them all takes out of it. */
class ClosedChunksTest {
    private static final int BYTES = 1000;

    private final Random random = new Random(1);
    private final MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, random);

    private static void put(Volume volume, ChunkId chunk, boolean sync) throws EcfsException {
        int bytes = (int) new GroupLayout(POLICY, BYTES).chunkBytes(chunk.index());
        volume.put(chunk, Stamp.NONE, POLICY, 7, bytes, BYTES, sync, payload(chunk, 0, bytes));
    }

    @Test
    void chunksClosedWithoutASyncCountUntilTheNextSyncOfAll() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            put(volume, id(1, 0), false);
            put(volume, id(2, 0), true);
            put(volume, id(3, 0), false);
            assertThat(volume.unsyncedChunks()).isEqualTo(2);
            volume.syncClosed();
            assertThat(volume.unsyncedChunks()).isZero();
        }
        disk.restart(Loss.UNSYNCED);
        try (Volume volume = Chunks.open(disk, random)) {
            assertThat(volume.chunkCount()).isEqualTo(3);
        }
    }

    @Test
    void aChunkThatIsClosedAgainDuringASyncWaitsForTheNext() throws IOException {
        ClosedChunks closed = new ClosedChunks();
        ChunkFiles files = new ChunkFiles(ChunkFiles.Place.FINALISED, id(1, 0));
        ChunkHeader first = ChunkHeader.put(id(1, 0), 0, new GroupLayout(POLICY, BYTES), 7);
        closed.closed(StoredChunk.sound(files, first, BYTES));
        disk.createDirectory(files.data().substring(0, files.data().lastIndexOf('/')));
        disk.create(files.data());
        disk.create(files.sum());
        disk.faults((operation, path, number) -> {
            if (operation == Operation.SYNC) {
                closed.closed(StoredChunk.sound(files, first.reopened(), BYTES));
            }
        });
        closed.sync(disk);
        assertThat(closed.count()).isOne();
        disk.faults(DiskFaults.NONE);
        closed.sync(disk);
        assertThat(closed.count()).isZero();
    }
}
