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
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The count of chunks that are closed and not on disk yet, and what a sync of them all takes out of it. */
class UnsyncedChunksTest {
    private static final int BYTES = 1000;
    private static final int CHUNKS = 64;
    private static final int ROUNDS = 2000;

    private final Random random = new Random(1);
    private final MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, random);

    private static void put(Volume volume, ChunkId chunk, boolean sync) throws EcfsException {
        int bytes = (int) new GroupLayout(POLICY, BYTES).chunkBytes(chunk.index());
        volume.put(chunk, Stamp.NONE, POLICY, 7, bytes, BYTES, sync, payload(chunk, 0, bytes));
    }

    private static String parent(ChunkFiles files) {
        return files.data().substring(0, files.data().lastIndexOf('/'));
    }

    private static StoredChunk sound(ChunkId chunk) {
        ChunkHeader header = ChunkHeader.put(chunk, 0, new GroupLayout(POLICY, BYTES), 7);
        return StoredChunk.sound(new ChunkFiles(ChunkFiles.Place.FINALISED, chunk), header, BYTES);
    }

    @Test
    void chunksClosedWithoutASyncCountUntilTheNextSyncOfAll() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            put(volume, id(1, 0), false);
            put(volume, id(2, 0), true);
            put(volume, id(3, 0), false);
            assertThat(volume.unsyncedChunks()).isEqualTo(2);
            volume.syncUnsynced();
            assertThat(volume.unsyncedChunks()).isZero();
        }
        disk.restart(Loss.UNSYNCED);
        try (Volume volume = Chunks.open(disk, random)) {
            assertThat(volume.chunkCount()).isEqualTo(3);
        }
    }

    /** A writer asks once; what it appends later is acknowledged by the answer to that. */
    @Test
    void cellsThatFollowAnAcknowledgementReachTheDiskWithTheNextSync() throws IOException {
        ChunkId chunk = id(1, 0);
        try (Volume volume = Chunks.open(disk, random)) {
            volume.create(chunk, Stamp.NONE, POLICY, 7);
            Chunks.append(volume, chunk, 7, 0, Chunks.CELL, false);
            assertThat(volume.unsyncedChunks()).as("nothing is acknowledged").isZero();
            volume.tails().check(chunk, 7, Chunks.sent(volume, chunk, -1));
            volume.syncUnsynced();
            assertThat(volume.unsyncedChunks()).isZero();
            Chunks.append(volume, chunk, 7, Chunks.CELL, Chunks.CELL, false);
            assertThat(volume.unsyncedChunks()).isOne();
        }
        disk.restart(Loss.NOTHING);
        try (Volume volume = Chunks.open(disk, random)) {
            assertThat(volume.unsyncedChunks()).as("also after a start").isOne();
            volume.syncUnsynced();
        }
        disk.restart(Loss.UNSYNCED);
        try (Volume volume = Chunks.open(disk, random)) {
            assertThat(volume.find(chunk).orElseThrow().bytes()).isEqualTo(2L * Chunks.CELL);
        }
    }

    @Test
    void aChunkThatIsClosedAgainDuringASyncWaitsForTheNext() throws IOException {
        UnsyncedChunks closed = new UnsyncedChunks();
        ChunkFiles files = new ChunkFiles(ChunkFiles.Place.FINALISED, id(1, 0));
        ChunkHeader first = ChunkHeader.put(id(1, 0), 0, new GroupLayout(POLICY, BYTES), 7);
        closed.closed(StoredChunk.sound(files, first, BYTES));
        disk.createDirectory(parent(files));
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

    @Test
    void aSyncGoesOnWhileChunksAreClosedAndForgotten() throws Exception {
        UnsyncedChunks closed = new UnsyncedChunks();
        ChunkId last = id(CHUNKS, 0);
        for (String directory : LongStream.rangeClosed(1, CHUNKS)
                .mapToObj(group -> parent(new ChunkFiles(ChunkFiles.Place.FINALISED, id(group, 0))))
                .collect(Collectors.toCollection(TreeSet::new))) {
            disk.createDirectory(directory);
        }
        AtomicBoolean ended = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            while (!ended.get()) {
                LongStream.range(1, CHUNKS).forEach(group -> closed.closed(sound(id(group, 0))));
                LongStream.range(1, CHUNKS).forEach(group -> closed.forget(id(group, 0)));
            }
        });
        writer.start();
        try {
            for (int round = 0; round < ROUNDS; round++) {
                closed.closed(sound(last));
                closed.sync(disk);
                assertThat(closed.count()).isLessThanOrEqualTo(CHUNKS);
            }
        } finally {
            ended.set(true);
            writer.join();
        }
        assertThat(closed.count()).isZero();
    }
}
