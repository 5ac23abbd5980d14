package io.ecfs.datanode.store;

import static io.ecfs.datanode.store.Chunks.CELL;
import static io.ecfs.datanode.store.Chunks.POLICY;
import static io.ecfs.datanode.store.Chunks.append;
import static io.ecfs.datanode.store.Chunks.finalised;
import static io.ecfs.datanode.store.Chunks.id;
import static io.ecfs.datanode.store.Chunks.payload;
import static io.ecfs.datanode.store.VolumeAssertions.assertCode;
import static io.ecfs.datanode.store.VolumeAssertions.assertReads;
import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is written is read back, at its own place and whole; what does not fit is refused. */
class VolumeTest {
    private static final ChunkId CHUNK = id(17, 3);
    private static final String DATA = "finalised/11/17.3.0.data";
    private static final String SUM = "finalised/11/17.3.0.sum";

    private final Random random = new Random(1);
    private final MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, random);

    @Test
    void aFinishedChunkIsReadBackWithItsChecksums() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            finalised(volume, CHUNK, 2 * CELL + 100);
            assertThat(volume.probe(CHUNK))
                    .isEqualTo(new ChunkRecord(
                            CHUNK,
                            ChunkState.FINALISED,
                            2 * CELL + 100,
                            2 * CELL + 100,
                            3L * (2 * CELL + 100),
                            Stamp.NONE));
            assertReads(volume, CHUNK, 0, 2 * CELL + 100, 0, 2 * CELL + 100);
            assertReads(volume, CHUNK, 5000, 1, 4096, 8192);
            assertReads(volume, CHUNK, 4095, 2, 0, 8192);
            assertReads(volume, CHUNK, 2 * CELL + 99, 1, 2L * CELL, 2 * CELL + 100);
        }
    }

    // HORRORS 39 (SeaweedFS #9938): a short read is an error, never a success.
    @Test
    void aReadBeyondTheEndIsRefused() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            finalised(volume, CHUNK, CELL);
            ByteBuf into = Unpooled.buffer(4 * CELL);
            assertCode(ErrorCode.INVALID_ARGUMENT, () -> volume.read(CHUNK, CELL - 1, 2, into));
            assertCode(ErrorCode.INVALID_ARGUMENT, () -> volume.read(CHUNK, CELL, 1, into));
            assertThat(into.writerIndex()).isZero();
        }
    }

    // HORRORS 42 (Ceph PR 58749): two reads of one chunk each give the bytes at their own offset.
    @Test
    void twoReadsOfOneChunkEachGiveTheirOwnOffset() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            finalised(volume, CHUNK, 2 * CELL);
            assertReads(volume, CHUNK, 4096, 4096, 4096, 8192);
            assertReads(volume, CHUNK, 8192, 4096, 8192, 12288);
        }
    }

    // HORRORS 23 (HDDS-7462, HDDS-9657, HDDS-15791): a write never makes the chunk that it does not find.
    @Test
    void aWriteToAnUnknownChunkIsAnErrorAndCreatesNothing() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            List<String> before = disk.files();
            assertCode(ErrorCode.CHUNK_MISSING, () -> append(volume, CHUNK, 1, 0, CELL, false));
            assertCode(ErrorCode.CHUNK_MISSING, () -> volume.finish(CHUNK, 1, 0, 0, true));
            assertCode(ErrorCode.CHUNK_MISSING, () -> volume.finalise(CHUNK, 0, 0));
            volume.create(CHUNK, Stamp.NONE, POLICY, 1);
            append(volume, CHUNK, 1, 0, CELL, false);
            volume.abort(CHUNK, 1);
            assertCode(ErrorCode.CHUNK_MISSING, () -> append(volume, CHUNK, 1, CELL, CELL, false));
            assertThat(disk.files()).isEqualTo(before);
        }
    }

    @Test
    void aChunkThatExistsInAnyStateIsNotOpenedAgain() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            volume.create(CHUNK, Stamp.NONE, POLICY, 1);
            assertCode(ErrorCode.ALREADY_EXISTS, () -> volume.create(CHUNK, Stamp.NONE, POLICY, 1));
            volume.finish(CHUNK, 1, 0, 0, false);
            assertCode(ErrorCode.ALREADY_EXISTS, () -> volume.create(CHUNK, Stamp.NONE, POLICY, 2));
            disk.flipBit(SUM, 1, 0);
            disk.flipBit(SUM, ChunkHeader.SLOT_BYTES + 1, 0);
            volume.verify(CHUNK);
            assertCode(ErrorCode.ALREADY_EXISTS, () -> volume.create(CHUNK, Stamp.NONE, POLICY, 2));
        }
    }

    // HORRORS 7, 10, 11 (HDDS-10983, HDDS-7056, HDDS-13174): two indices of one group on one volume stay two chunks.
    @Test
    // HDDS-6890
    void chunksOfOneGroupAreNeverTakenForEachOther() throws IOException {
        ChunkId first = id(17, 0);
        ChunkId newer = new ChunkId(first.group(), 0, 1);
        try (Volume volume = Chunks.open(disk, random)) {
            finalised(volume, first, CELL);
            finalised(volume, CHUNK, 2 * CELL);
            finalised(volume, newer, 3 * CELL);
        }
        disk.restart(Loss.NOTHING);
        try (Volume volume = Chunks.open(disk, random)) {
            assertThat(volume.probe(first).bytes()).isEqualTo(CELL);
            assertThat(volume.probe(CHUNK).bytes()).isEqualTo(2L * CELL);
            assertThat(volume.probe(newer).bytes()).isEqualTo(3L * CELL);
            volume.delete(first, Stamp.NONE); // HORRORS 12 (HDDS-7057): exactly this one
            assertThat(volume.records(Optional.empty(), 10))
                    .extracting(ChunkRecord::chunk)
                    .containsExactly(newer, CHUNK);
        }
    }

    @Test
    void damagedBytesAreRefusedBeforeTheyReachTheFile() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            volume.create(CHUNK, Stamp.NONE, POLICY, 1);
            ByteBuf damaged = payload(CHUNK, 0, CELL);
            int last = damaged.writerIndex() - 1;
            damaged.setByte(last, damaged.getByte(last) ^ 1);
            assertCode(ErrorCode.CHUNK_CORRUPT, () -> volume.append(CHUNK, 1, 0, CELL, 0, damaged));
            assertCode(ErrorCode.MALFORMED, () -> volume.append(CHUNK, 1, 0, CELL, 0, payload(CHUNK, 0, CELL - 1)));
            assertThat(disk.length("writing/11/17.3.0.data")).hasValue(0);
            append(volume, CHUNK, 1, 0, CELL, false);
        }
    }

    // HORRORS 25 (HDDS-15542): no length ever grows past a hole.
    @Test
    void writesAreAcceptedAtTheEndOnly() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            volume.create(CHUNK, Stamp.NONE, POLICY, 1);
            append(volume, CHUNK, 1, 0, CELL, false);
            assertCode(ErrorCode.INVALID_ARGUMENT, () -> append(volume, CHUNK, 1, 2L * CELL, CELL, false));
            assertCode(ErrorCode.INVALID_ARGUMENT, () -> append(volume, CHUNK, 1, 0, CELL, false));
            assertThat(volume.probe(CHUNK).bytes()).isEqualTo(CELL);
            append(volume, CHUNK, 1, CELL, CELL, true);
            assertCode(ErrorCode.INVALID_ARGUMENT, () -> append(volume, CHUNK, 1, 2L * CELL, CELL, false));
            assertCode(ErrorCode.INVALID_ARGUMENT, () -> append(volume, CHUNK, 1, 2L * CELL, CELL, true));
        }
    }

    @Test
    void aTailCellAsLongAsAFullOneIsToldApartAfterALossOfPower() throws IOException {
        for (int seed = 0; seed < 400; seed++) {
            MemoryVolumeIo drive = new MemoryVolumeIo("disk", 1 << 20, new Random(seed));
            Volume volume = Chunks.open(drive, random);
            volume.create(CHUNK, Stamp.NONE, POLICY, 1);
            append(volume, CHUNK, 1, 0, CELL, false);
            append(volume, CHUNK, 1, CELL, CELL, true);
            drive.syncDirectory("");
            drive.syncDirectory("writing");
            drive.syncDirectory("writing/11");
            drive.restart(Loss.UNSYNCED);
            Volume after = Chunks.open(drive, random);
            Optional<ChunkRecord> record = after.find(CHUNK);
            assertThat(record.map(ChunkRecord::fullStripeBytes).orElse(0L))
                    .as("seed %d: %s", seed, record)
                    .isLessThanOrEqualTo(CELL);
        }
    }

    @Test
    void finishingWithAnotherLengthThanTheDiskHasIsRefused() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            volume.create(CHUNK, Stamp.NONE, POLICY, 1);
            append(volume, CHUNK, 1, 0, CELL, false);
            assertCode(ErrorCode.INVALID_ARGUMENT, () -> volume.finish(CHUNK, 1, CELL - 1, 3L * CELL, false));
            assertCode(ErrorCode.INVALID_ARGUMENT, () -> volume.finish(CHUNK, 1, 2L * CELL, 3L * CELL, false));
            assertThat(volume.probe(CHUNK).state()).isEqualTo(ChunkState.BEING_WRITTEN);
            ChunkRecord finished = volume.finish(CHUNK, 1, CELL, 3L * CELL, false);
            assertThat(volume.finish(CHUNK, 1, CELL, 3L * CELL, true))
                    .as("asked again")
                    .isEqualTo(finished);
            assertCode(ErrorCode.FENCED, () -> volume.finish(CHUNK, 2, CELL, 3L * CELL, true));
            assertCode(ErrorCode.INVALID_ARGUMENT, () -> volume.abort(CHUNK, 1));
            assertThat(volume.probe(CHUNK)).isEqualTo(finished);
        }
    }

    @Test
    void anOrderToFinaliseCutsToWholeWindows() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            volume.create(CHUNK, Stamp.NONE, POLICY, 1);
            append(volume, CHUNK, 1, 0, CELL, false);
            append(volume, CHUNK, 1, CELL, CELL, false);
            assertCode(ErrorCode.INVALID_ARGUMENT, () -> volume.finalise(CHUNK, CELL + 1, 3L * CELL));
            assertCode(ErrorCode.INVALID_ARGUMENT, () -> volume.finalise(CHUNK, 3L * CELL, 9L * CELL));
            volume.finalise(CHUNK, CELL, 3L * CELL);
            assertThat(disk.length(DATA)).hasValue(CELL);
            assertThat(volume.verify(CHUNK)).map(ChunkRecord::state).hasValue(ChunkState.FINALISED);
            assertCode(ErrorCode.INVALID_ARGUMENT, () -> volume.finalise(CHUNK, CELL, 4L * CELL));
        }
    }

    // HORRORS 4 (HDFS-17003): one corrupt chunk, and only that one.
    @Test
    // HDFS-17050, HDFS-17054, HDFS-17047
    void verifyFindsOneFlippedBitAndBlamesNobodyElse() throws IOException {
        ChunkId neighbour = id(17, 4);
        try (Volume volume = Chunks.open(disk, random)) {
            finalised(volume, CHUNK, 2 * CELL);
            finalised(volume, neighbour, 2 * CELL);
            disk.flipBit(DATA, CELL + 5, 3);
            assertThat(volume.verify(neighbour)).map(ChunkRecord::state).hasValue(ChunkState.FINALISED);
            assertThat(volume.verify(CHUNK)).map(ChunkRecord::state).hasValue(ChunkState.CORRUPT);
        }
        disk.restart(Loss.NOTHING);
        try (Volume volume = Chunks.open(disk, random)) {
            assertThat(volume.probe(CHUNK).state()).as("remembered").isEqualTo(ChunkState.CORRUPT);
            disk.flipBit(DATA, CELL + 5, 3);
            assertThat(volume.verify(CHUNK)).map(ChunkRecord::state).hasValue(ChunkState.FINALISED);
        }
    }
}
