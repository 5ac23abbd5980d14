package io.ecfs.datanode.store;

import static io.ecfs.datanode.store.Chunks.CELL;
import static io.ecfs.datanode.store.Chunks.POLICY;
import static io.ecfs.datanode.store.Chunks.append;
import static io.ecfs.datanode.store.Chunks.finalised;
import static io.ecfs.datanode.store.Chunks.id;
import static io.ecfs.datanode.store.Chunks.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ecfs.datanode.store.disk.DirectoryVolumeIo;
import io.ecfs.datanode.store.memory.DiskFaults.Operation;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.ChunkRecord;
import io.ecfs.message.ChunkState;
import io.ecfs.message.VolumeState;
import io.ecfs.transfer.ChunkPayload;
import io.ecfs.transfer.ReadRange;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
                            CHUNK, ChunkState.FINALISED, 2 * CELL + 100, 2 * CELL + 100, 3L * (2 * CELL + 100)));
            assertReads(volume, 0, 2 * CELL + 100, 0, 2 * CELL + 100);
            assertReads(volume, 5000, 1, 4096, 8192);
            assertReads(volume, 4095, 2, 0, 8192);
            assertReads(volume, 2 * CELL + 99, 1, 2L * CELL, 2 * CELL + 100);
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
            assertReads(volume, 4096, 4096, 4096, 8192);
            assertReads(volume, 8192, 4096, 8192, 12288);
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
            volume.create(CHUNK, POLICY, 1);
            append(volume, CHUNK, 1, 0, CELL, false);
            volume.abort(CHUNK, 1);
            assertCode(ErrorCode.CHUNK_MISSING, () -> append(volume, CHUNK, 1, CELL, CELL, false));
            assertThat(disk.files()).isEqualTo(before);
        }
    }

    @Test
    void aChunkThatExistsInAnyStateIsNotOpenedAgain() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            volume.create(CHUNK, POLICY, 1);
            assertCode(ErrorCode.ALREADY_EXISTS, () -> volume.create(CHUNK, POLICY, 1));
            volume.finish(CHUNK, 1, 0, 0, false);
            assertCode(ErrorCode.ALREADY_EXISTS, () -> volume.create(CHUNK, POLICY, 2));
            disk.flipBit(SUM, 1, 0);
            disk.flipBit(SUM, ChunkHeader.SLOT_BYTES + 1, 0);
            volume.verify(CHUNK);
            assertCode(ErrorCode.ALREADY_EXISTS, () -> volume.create(CHUNK, POLICY, 2));
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
            volume.delete(first); // HORRORS 12 (HDDS-7057): exactly this one
            assertThat(volume.records(Optional.empty(), 10))
                    .extracting(ChunkRecord::chunk)
                    .containsExactly(newer, CHUNK);
        }
    }

    // HORRORS 7: a file under another chunk's name is not served as that chunk.
    @Test
    void aHeaderOfAnotherChunkMakesTheFileCorrupt() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            finalised(volume, CHUNK, CELL);
        }
        disk.rename(DATA, "finalised/11/17.4.0.data");
        disk.rename(SUM, "finalised/11/17.4.0.sum");
        try (Volume volume = Chunks.open(disk, random)) {
            assertThat(volume.probe(id(17, 4)).state()).isEqualTo(ChunkState.CORRUPT);
            assertCode(ErrorCode.CHUNK_CORRUPT, () -> volume.read(id(17, 4), 0, 1, Unpooled.buffer(CELL)));
            assertThat(disk.files()).contains("finalised/11/17.4.0.data", "finalised/11/17.4.0.sum");
        }
    }

    /** Group numbers begin anew in every cluster: its header and checksums are sound, and its bytes are others. */
    @Test
    // SeaweedFS #9880, #9952, #9953
    void aChunkFileOfAnotherClusterIsCorruptFromTheStartOnAndKept() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            finalised(volume, CHUNK, CELL);
            finalised(volume, id(18, 0), CELL);
            Chunks.copyFromAnotherCluster(disk, volume, CHUNK);
        }
        try (Volume volume = Chunks.open(disk, random)) {
            assertThat(volume.find(CHUNK)).map(ChunkRecord::state).hasValue(ChunkState.CORRUPT);
            assertCode(ErrorCode.CHUNK_CORRUPT, () -> volume.read(CHUNK, 0, 1, Unpooled.buffer(2 * CELL)));
            assertThat(volume.verify(CHUNK)).map(ChunkRecord::state).hasValue(ChunkState.CORRUPT);
            assertThat(disk.length(DATA)).hasValue(CELL);
            assertThat(volume.verify(id(18, 0))).map(ChunkRecord::state).hasValue(ChunkState.FINALISED);
        }
    }

    @Test
    void damagedBytesAreRefusedBeforeTheyReachTheFile() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            volume.create(CHUNK, POLICY, 1);
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
            volume.create(CHUNK, POLICY, 1);
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
            volume.create(CHUNK, POLICY, 1);
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
            volume.create(CHUNK, POLICY, 1);
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

    // HORRORS 23: a writer that was shut out stays out, also after a restart.
    @Test
    void aFencedWriterStaysOutForGood() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            volume.create(CHUNK, POLICY, 1);
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

    @Test
    void anUnknownChunkCannotBeFenced() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            assertThat(volume.fence(CHUNK, 5)).isEmpty();
            assertThat(volume.delete(CHUNK)).isFalse();
            assertThat(volume.verify(CHUNK)).isEmpty();
        }
    }

    @Test
    void anOrderToFinaliseCutsToWholeWindows() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            volume.create(CHUNK, POLICY, 1);
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

    // HORRORS 33, 34, 37 (HDFS-16985, SeaweedFS #9930, #7620): what the start cannot explain is kept and reported.
    @Test
    // HDFS-17342, #9874, #9941, #7621
    void nothingUnexplainedIsDeletedAtTheStart() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            for (int index = 0; index < 5; index++) {
                finalised(volume, id(17, index), CELL);
            }
        }
        disk.flipBit("finalised/11/17.0.0.sum", 2, 1); // both headers: the chunk was published with the second
        disk.flipBit("finalised/11/17.0.0.sum", ChunkHeader.SLOT_BYTES + 2, 1);
        disk.truncate("finalised/11/17.1.0.data", 0);
        disk.delete("finalised/11/17.2.0.sum");
        disk.delete("finalised/11/17.3.0.data");
        disk.create("finalised/11/notes.txt");
        disk.create("finalised/11/18.0.0.data");
        List<String> before = disk.files();
        disk.restart(Loss.NOTHING);
        try (Volume volume = Chunks.open(disk, random)) {
            assertThat(disk.files()).isEqualTo(before);
            assertThat(volume.records(Optional.empty(), 10))
                    .extracting(ChunkRecord::state)
                    .containsExactly(
                            ChunkState.CORRUPT,
                            ChunkState.CORRUPT,
                            ChunkState.CORRUPT,
                            ChunkState.CORRUPT,
                            ChunkState.FINALISED);
        }
    }

    @Test
    void aFullDiskRefusesTheWriterAndServesTheOthers() throws IOException {
        MemoryVolumeIo small = new MemoryVolumeIo("small", 6L * CELL, random);
        try (Volume volume = Chunks.open(small, random)) {
            finalised(volume, id(1, 0), CELL);
            volume.create(CHUNK, POLICY, 1);
            append(volume, CHUNK, 1, 0, CELL, false);
            append(volume, CHUNK, 1, CELL, CELL, false);
            append(volume, CHUNK, 1, 2L * CELL, CELL, false);
            assertCode(ErrorCode.VOLUME_FULL, () -> append(volume, CHUNK, 1, 3L * CELL, 2 * CELL, false));
            assertThat(volume.probe(CHUNK).bytes()).isEqualTo(3L * CELL);
            assertThat(small.length("writing/11/17.3.0.data")).hasValue(3L * CELL);
            assertThat(volume.state()).isNotEqualTo(VolumeState.FAILED);
            assertThat(volume.verify(id(1, 0))).map(ChunkRecord::state).hasValue(ChunkState.FINALISED);
            volume.finish(CHUNK, 1, 3L * CELL, 9L * CELL, true);
        }
        try (Volume volume = Volume.open(small, Chunks.OWNER, 4L * CELL, () -> new java.util.UUID(1, 1))) {
            assertThat(volume.state()).isEqualTo(VolumeState.FULL);
            assertCode(ErrorCode.VOLUME_FULL, () -> volume.create(id(2, 0), POLICY, 1));
            assertThat(volume.verify(CHUNK)).map(ChunkRecord::state).hasValue(ChunkState.FINALISED);
        }
    }

    @Test
    void aFullDiskPublishesNothingHalfWay() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            volume.create(CHUNK, POLICY, 1);
            append(volume, CHUNK, 1, 0, CELL, false);
            int[] renames = {0};
            disk.faults((operation, path, number) -> {
                if (operation == Operation.RENAME && ++renames[0] == 2) {
                    throw new VolumeFullException("no room for a directory entry");
                }
            });
            assertCode(ErrorCode.VOLUME_FULL, () -> volume.finish(CHUNK, 1, CELL, 3L * CELL, true));
            assertThat(volume.probe(CHUNK).state()).isEqualTo(ChunkState.BEING_WRITTEN);
            assertThat(disk.files()).contains("writing/11/17.3.0.data", "writing/11/17.3.0.sum");
            disk.restart(Loss.NOTHING);
        }
        disk.faults((operation, path, number) -> {});
        try (Volume volume = Chunks.open(disk, random)) {
            assertThat(volume.probe(CHUNK).state()).isEqualTo(ChunkState.BEING_WRITTEN);
            append(volume, CHUNK, 1, CELL, CELL, false);
            volume.finish(CHUNK, 1, 2L * CELL, 6L * CELL, true);
        }
    }

    @Test
    void aPublicationAfterOneThatFoundTheDiskFullOutlivesARestart() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            volume.create(CHUNK, POLICY, 1);
            append(volume, CHUNK, 1, 0, CELL, false);
            int[] renames = {0};
            disk.faults((operation, path, number) -> {
                if (operation == Operation.RENAME && ++renames[0] == 2) {
                    throw new VolumeFullException("no room for a directory entry");
                }
            });
            assertCode(ErrorCode.VOLUME_FULL, () -> volume.finish(CHUNK, 1, CELL, 3L * CELL, true));
            volume.finish(CHUNK, 1, CELL, 3L * CELL, true);
            disk.restart(Loss.NOTHING);
        }
        try (Volume volume = Chunks.open(disk, random)) {
            assertThat(volume.probe(CHUNK))
                    .isEqualTo(new ChunkRecord(CHUNK, ChunkState.FINALISED, CELL, CELL, 3L * CELL));
        }
    }

    // HORRORS 39 (SeaweedFS #9938): half-done publication is completed only when every byte verifies.
    @Test
    void anInterruptedPublicationIsCompletedOnlyWhenItsBytesVerify() throws IOException {
        for (boolean damaged : new boolean[] {false, true}) {
            ChunkId chunk = id(17, damaged ? 1 : 0);
            try (Volume volume = Chunks.open(disk, random)) {
                volume.create(chunk, POLICY, 1);
                append(volume, chunk, 1, 0, CELL, false);
                append(volume, chunk, 1, CELL, CELL, false);
                boolean[] dead = {false};
                disk.faults((operation, path, number) -> {
                    dead[0] |= operation == Operation.RENAME;
                    if (dead[0]) {
                        throw new IOException("gone in the middle of it");
                    }
                });
                assertCode(ErrorCode.VOLUME_FAILED, () -> volume.finish(chunk, 1, 2L * CELL, 6L * CELL, false));
            }
            disk.faults((operation, path, number) -> {});
            if (damaged) {
                disk.flipBit("writing/11/17.1.0.data", CELL + 1, 0);
            }
            try (Volume volume = Chunks.open(disk, random)) {
                assertThat(volume.probe(chunk).state())
                        .isEqualTo(damaged ? ChunkState.BEING_WRITTEN : ChunkState.FINALISED);
                assertThat(volume.probe(chunk).bytes()).isEqualTo(damaged ? CELL : 2L * CELL);
            }
        }
    }

    @Test
    void anIoErrorTakesTheVolumeOut() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            finalised(volume, CHUNK, CELL);
            disk.faults((operation, path, number) -> {
                if (operation == Operation.READ) {
                    throw new IOException("Input/output error");
                }
            });
            assertCode(ErrorCode.VOLUME_FAILED, () -> volume.read(CHUNK, 0, 1, Unpooled.buffer(2 * CELL)));
            assertThat(volume.state()).isEqualTo(VolumeState.FAILED);
            disk.faults((operation, path, number) -> {});
            assertCode(ErrorCode.VOLUME_FAILED, () -> volume.create(id(1, 1), POLICY, 1));
            assertThat(disk.files()).contains(DATA, SUM);
        }
    }

    // fsyncgate: after a failed sync another one succeeds, though the bytes are gone.
    @Test
    void whatASyncFailedForIsNeverSaidToBeOnDisk() throws IOException {
        for (Operation failing : List.of(Operation.SYNC, Operation.SYNC_DIRECTORY)) {
            for (String doing : List.of("fence", "finalise", "finish again", "finalise again", "fence finished")) {
                MemoryVolumeIo other = new MemoryVolumeIo("disk", 64 << 20, random);
                try (Volume volume = Chunks.open(other, random)) {
                    volume.create(CHUNK, POLICY, 1);
                    append(volume, CHUNK, 1, 0, CELL, false);
                    if (doing.endsWith("again") || doing.endsWith("finished")) {
                        volume.finish(CHUNK, 1, CELL, 3L * CELL, false);
                    }
                    boolean[] once = {true};
                    other.faults((operation, path, number) -> {
                        if (operation == failing && once[0]) {
                            once[0] = false;
                            throw new IOException("Input/output error");
                        }
                    });
                    ThrowingCallable call = () -> putOnDisk(volume, doing);
                    assertThatThrownBy(call).as("%s of %s", failing, doing).isInstanceOf(EcfsException.class);
                    assertCode(ErrorCode.VOLUME_FAILED, call);
                    assertThat(volume.state()).isEqualTo(VolumeState.FAILED);
                }
            }
        }
    }

    private static void putOnDisk(Volume volume, String how) throws EcfsException {
        if (how.startsWith("fence")) {
            volume.fence(CHUNK, 5);
        } else if (how.startsWith("finalise")) {
            volume.finalise(CHUNK, CELL, 3L * CELL);
        } else {
            volume.finish(CHUNK, 1, CELL, 3L * CELL, true);
        }
    }

    // A restarted process knows the fence from the header that it read, which may never have been synced.
    @Test
    void everyFenceIsOnDiskWhenItIsAnswered() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            volume.create(CHUNK, POLICY, 1);
            append(volume, CHUNK, 1, 0, CELL, false);
            volume.fence(CHUNK, 5);
            long before = disk.mutations();
            volume.fence(CHUNK, 5);
            assertThat(disk.mutations() - before)
                    .as("both files and their directory")
                    .isEqualTo(3);
        }
    }

    @Test
    void aLostFileOfAChunkThatIsWrittenCostsOnlyThatChunk() throws IOException {
        for (String lost : List.of("writing/11/17.3.0.data", "writing/11/17.3.0.sum")) {
            for (String doing : List.of("append", "finish", "fence", "finalise", "finish unsynced")) {
                MemoryVolumeIo other = new MemoryVolumeIo("disk", 64 << 20, random);
                try (Volume volume = Chunks.open(other, random)) {
                    volume.create(CHUNK, POLICY, 1);
                    append(volume, CHUNK, 1, 0, CELL, false);
                    other.delete(lost);
                    ThrowingCallable call = () -> {
                        if (doing.equals("append")) {
                            append(volume, CHUNK, 1, CELL, CELL, false);
                        } else if (doing.equals("finish unsynced")) {
                            volume.finish(CHUNK, 1, CELL, 3L * CELL, false);
                        } else {
                            putOnDisk(volume, doing);
                        }
                    };
                    assertCode(ErrorCode.CHUNK_CORRUPT, call);
                    assertThat(volume.state()).as("%s without %s", doing, lost).isEqualTo(VolumeState.HEALTHY);
                    assertThat(volume.probe(CHUNK).state()).isEqualTo(ChunkState.CORRUPT);
                    finalised(volume, id(18, 0), CELL);
                    assertThat(volume.delete(CHUNK)).isTrue();
                    assertThat(other.files()).noneMatch(file -> file.contains("17.3.0"));
                }
            }
        }
    }

    @Test
    void oneLostFileIsACorruptChunkAndNotABrokenDisk() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            finalised(volume, CHUNK, CELL);
            disk.delete(DATA);
            assertCode(ErrorCode.CHUNK_CORRUPT, () -> volume.read(CHUNK, 0, 1, Unpooled.buffer(2 * CELL)));
            assertThat(volume.state()).isEqualTo(VolumeState.HEALTHY);
            assertThat(volume.probe(CHUNK).state()).isEqualTo(ChunkState.CORRUPT);
        }
    }

    @Test
    void anotherDatanodesVolumeIsRefusedAndLeftAsItIs() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            volume.bindCluster("c1");
            finalised(volume, CHUNK, CELL);
            assertCode(ErrorCode.WRONG_CLUSTER, () -> volume.bindCluster("c2"));
        }
        long mutations = disk.mutations();
        for (VolumeIdentity stranger : List.of(
                new VolumeIdentity("", "dn2", "dn1-uuid", ""),
                new VolumeIdentity("", "dn1", "dn9-uuid", ""),
                new VolumeIdentity("c2", "dn1", "dn1-uuid", ""))) {
            assertCode(ErrorCode.WRONG_CLUSTER, () -> Volume.open(disk, stranger, 0, () -> new java.util.UUID(1, 1)));
        }
        assertThat(disk.mutations()).isEqualTo(mutations);
    }

    @Test
    // HDDS-10652, HDDS-6209
    void anotherLayoutVersionIsRefusedAndLeftAsItIs() throws IOException {
        Chunks.open(disk, random).close();
        byte[] text = new byte[(int) disk.length("VERSION").orElseThrow()];
        disk.read("VERSION", 0, ByteBuffer.wrap(text));
        String body = new String(text, StandardCharsets.UTF_8).replace("layoutVersion=1", "layoutVersion=2");
        body = body.substring(0, body.lastIndexOf("crc32c="));
        java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
        crc.update(body.getBytes(StandardCharsets.UTF_8));
        String changed = body + "crc32c=" + Long.toHexString(crc.getValue()) + "\n";
        disk.truncate("VERSION", 0);
        disk.write("VERSION", 0, ByteBuffer.wrap(changed.getBytes(StandardCharsets.UTF_8)));
        long mutations = disk.mutations();
        assertCode(ErrorCode.INCOMPATIBLE_VERSION, () -> Chunks.open(disk, random));
        disk.flipBit("VERSION", 20, 0);
        assertCode(ErrorCode.MALFORMED, () -> Chunks.open(disk, random));
        assertThat(disk.mutations()).isEqualTo(mutations);
    }

    @Test
    void chunksWithoutAVersionFileAreNotFormattedOver() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            finalised(volume, CHUNK, CELL);
        }
        disk.delete("VERSION");
        List<String> before = disk.files();
        assertCode(ErrorCode.MALFORMED, () -> Chunks.open(disk, random));
        assertThat(disk.files()).isEqualTo(before);
    }

    @Test
    void aRealDirectoryHoldsTheSameFilesAndKeepsASecondProcessOut(@TempDir Path directory) throws IOException {
        try (Volume volume = Chunks.open(new DirectoryVolumeIo(directory, 4), random)) {
            for (int index = 0; index < 5; index++) {
                finalised(volume, id(17, index), 2 * CELL + 100);
            }
            assertThatThrownBy(() -> Chunks.open(new DirectoryVolumeIo(directory, 4), random))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("in use by another datanode");
            assertReads(volume, 5000, 4096, 4096, 12288);
            assertThat(volume.dataFile(CHUNK)).hasValue(directory.resolve(DATA).toString());
        }
        try (Volume volume = Chunks.open(new DirectoryVolumeIo(directory, 1), random)) {
            assertThat(volume.chunkCount()).isEqualTo(5);
            assertThat(volume.chunkBytes()).isEqualTo(5L * (2 * CELL + 100));
            assertReads(volume, 0, 2 * CELL + 100, 0, 2 * CELL + 100);
            volume.delete(CHUNK);
        }
        assertThat(Files.exists(directory.resolve(DATA))).isFalse();
        assertThat(Files.exists(directory.resolve(SUM))).isFalse();
    }

    private static void assertReads(Volume volume, long offset, int bytes, long from, long to) throws IOException {
        ByteBuf into = Unpooled.buffer(ReadRange.payloadBytesFor(offset, bytes));
        ReadRange range = volume.read(CHUNK, offset, bytes, into);
        assertThat(range).isEqualTo(new ReadRange(from, to));
        assertThat(into).isEqualTo(payload(CHUNK, from, range.bytes()));
        assertThat(ChunkPayload.firstMismatch(into, range.bytes())).isEmpty();
    }

    private static void assertFenced(Volume volume) {
        assertCode(ErrorCode.FENCED, () -> append(volume, CHUNK, 1, CELL, CELL, false));
        assertCode(ErrorCode.FENCED, () -> volume.finish(CHUNK, 1, CELL, 3L * CELL, false));
        assertCode(ErrorCode.FENCED, () -> volume.abort(CHUNK, 1));
    }

    private static void assertCode(ErrorCode code, ThrowingCallable call) {
        EcfsException e = catchThrowableOfType(EcfsException.class, call);
        assertThat(e).isNotNull();
        assertThat(e.code()).as(e.getMessage()).isEqualTo(code);
    }
}
