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

import io.ecfs.datanode.store.io.VolumeFullException;
import io.ecfs.datanode.store.memory.DiskFaults;
import io.ecfs.datanode.store.memory.DiskFaults.Operation;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Stamp;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.TailForm;
import io.ecfs.message.chunk.TailRecord;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a change asks of the disk, in its order: what is acknowledged with a sync is on disk with its names, and nothing
 * is synced without need. That a crash between any two steps leaves what a start can explain is for {@link CrashTest}.
 */
class DiskStepsTest {
    private static final ChunkId CHUNK = id(17, 3);

    private final Random random = new Random(1);
    private final MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, random);
    private final List<String> steps = new ArrayList<>();
    private Volume volume;

    @BeforeEach
    void open() throws IOException {
        volume = Chunks.open(disk, random);
        finalised(volume, id(17, 0), CELL); // makes the directories
        disk.faults((operation, path, number) -> {
            if (operation.mutates()) {
                steps.add(operation.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " "
                        + path.replace("11/17.3.0", "*"));
            }
        });
    }

    @AfterEach
    void close() {
        volume.close();
    }

    private void assertSteps(String... expected) {
        assertThat(steps).containsExactly(expected);
        steps.clear();
    }

    private void open(int bytes) throws IOException {
        volume.create(CHUNK, Stamp.NONE, POLICY, 1);
        for (int at = 0; at < bytes; at += CELL) {
            append(volume, CHUNK, 1, at, Math.min(CELL, bytes - at), false);
        }
        steps.clear();
    }

    @Test
    void aNewDirectoryIsOnDiskBeforeItsFirstFile() throws IOException {
        volume.create(id(18, 0), Stamp.NONE, POLICY, 1);
        assertThat(steps.subList(0, 2)).containsExactly("create directory writing/12", "sync directory writing");
        steps.clear();
        volume.finish(id(18, 0), 1, 0, 0, false);
        assertThat(steps.subList(0, 2)).containsExactly("create directory finalised/12", "sync directory finalised");
    }

    @Test
    void creationAndAppendsSyncNothing() throws IOException {
        volume.create(CHUNK, Stamp.NONE, POLICY, 1);
        assertSteps("create writing/*.sum", "write writing/*.sum", "create writing/*.data");
        long length = volume.append(CHUNK, 1, 0, CELL, 0, payload(CHUNK, 0, CELL));
        assertThat(length).isEqualTo(CELL);
        assertSteps("write writing/*.data", "write writing/*.sum");
    }

    @Test
    void aSyncedPublicationWritesBytesThenHeaderThenName() throws IOException {
        open(CELL);
        volume.finish(CHUNK, 1, CELL, 3L * CELL, true);
        assertSteps(
                "sync writing/*.data",
                "sync writing/*.sum",
                "write writing/*.sum",
                "sync writing/*.sum",
                "rename writing/*.sum",
                "rename writing/*.data",
                "sync directory finalised/11",
                "sync directory writing/11");
        assertThat(volume.unsyncedChunks()).isZero();
    }

    @Test
    void aPublicationWithoutASyncIsPutOnDiskByTheNextRoundOnce() throws IOException {
        open(CELL);
        volume.finish(CHUNK, 1, CELL, 3L * CELL, false);
        assertSteps("write writing/*.sum", "rename writing/*.sum", "rename writing/*.data");
        assertThat(volume.unsyncedChunks()).isEqualTo(1);
        volume.syncUnsynced();
        assertSteps("sync finalised/*.data", "sync finalised/*.sum", "sync directory finalised/11");
        assertThat(volume.unsyncedChunks()).isZero();
        volume.syncUnsynced();
        assertSteps();
    }

    @Test
    void aPutWithSyncIsOnDiskWithItsNames() throws IOException {
        volume.put(CHUNK, Stamp.NONE, POLICY, 1, CELL, 3L * CELL, true, payload(CHUNK, 0, CELL));
        assertSteps(
                "create writing/*.sum",
                "create writing/*.data",
                "write writing/*.sum",
                "write writing/*.data",
                "sync writing/*.data",
                "sync writing/*.sum",
                "rename writing/*.sum",
                "rename writing/*.data",
                "sync directory finalised/11",
                "sync directory writing/11");
        assertThat(volume.unsyncedChunks()).isZero();
    }

    @Test
    void aPutWithoutSyncIsOnDiskWithItsRepeat() throws IOException {
        volume.put(CHUNK, Stamp.NONE, POLICY, 1, CELL, 3L * CELL, false, payload(CHUNK, 0, CELL));
        assertSteps(
                "create writing/*.sum",
                "create writing/*.data",
                "write writing/*.sum",
                "write writing/*.data",
                "rename writing/*.sum",
                "rename writing/*.data");
        assertThat(volume.unsyncedChunks()).isEqualTo(1);
        volume.put(CHUNK, Stamp.NONE, POLICY, 1, CELL, 3L * CELL, true, payload(CHUNK, 0, CELL));
        assertSteps("sync finalised/*.data", "sync finalised/*.sum", "sync directory finalised/11");
        assertThat(volume.unsyncedChunks()).as("put on disk by its repeat").isZero();
    }

    @Test
    void aClosedChunkThatIsDeletedIsNotSyncedAnyMore() throws IOException {
        open(CELL);
        volume.finish(CHUNK, 1, CELL, 3L * CELL, false);
        steps.clear();
        volume.delete(CHUNK, Stamp.NONE);
        assertSteps("delete finalised/*.data", "delete finalised/*.sum");
        assertThat(volume.unsyncedChunks()).isZero();
        assertThat(volume.chunkCount()).isEqualTo(1);
        assertThat(volume.chunkBytes()).as("of the other one").isEqualTo(CELL);
        assertThat(volume.find(CHUNK)).isEmpty();
        assertCode(ErrorCode.CHUNK_MISSING, () -> volume.probe(CHUNK));
        volume.syncUnsynced();
        assertSteps();
    }

    @Test
    void aFencePutsOnDiskWhatItsWriterWrote() throws IOException {
        open(CELL);
        Optional<ChunkRecord> fenced = volume.fence(CHUNK, 5);
        assertThat(fenced).isEqualTo(volume.find(CHUNK)).isPresent();
        assertSteps("write writing/*.sum", "sync writing/*.data", "sync writing/*.sum", "sync directory writing/11");
        volume.fence(CHUNK, 4);
        assertSteps("sync writing/*.data", "sync writing/*.sum", "sync directory writing/11");
    }

    /** It could be taken for a full one after a loss of power; a shorter one could not. */
    @Test
    void aTailCellAsLongAsAFullOneIsNotedOnDiskBeforeItIsWritten() throws IOException {
        open(CELL);
        long stripe = POLICY.stripeBytes();
        volume.append(CHUNK, 1, CELL, CELL, 2 * stripe - 1, payload(CHUNK, CELL, CELL));
        assertSteps("write writing/*.sum", "sync writing/*.sum", "write writing/*.data", "write writing/*.sum");
    }

    @Test
    void aTailCellInPiecesIsNotedWithItsFirstPiece() throws IOException {
        open(CELL);
        long stripe = POLICY.stripeBytes();
        volume.append(CHUNK, 1, CELL, 4096, 2 * stripe - 1, payload(CHUNK, CELL, 4096));
        assertSteps("write writing/*.sum", "sync writing/*.sum", "write writing/*.data", "write writing/*.sum");
        volume.append(CHUNK, 1, CELL + 4096, 4096, 2 * stripe - 1, payload(CHUNK, CELL + 4096, 4096));
        assertSteps("write writing/*.data", "write writing/*.sum");
    }

    @Test
    void aShorterTailCellIsNotedWithoutASync() throws IOException {
        open(CELL);
        long stripe = POLICY.stripeBytes();
        volume.append(CHUNK, 1, CELL, 64, stripe + 150, payload(CHUNK, CELL, 64));
        assertSteps("write writing/*.sum", "write writing/*.data", "write writing/*.sum");
        assertThat(volume.find(CHUNK)).map(ChunkRecord::fullStripeBytes).hasValue((long) CELL);
    }

    @Test
    void whatAnOrderToFinaliseCutsOffGoesAfterTheChunkIsPublished() throws IOException {
        open(2 * CELL);
        volume.fence(CHUNK, 5);
        steps.clear();
        volume.finalise(CHUNK, CELL, 3L * CELL);
        assertSteps(
                "sync writing/*.data",
                "sync writing/*.sum",
                "write writing/*.sum",
                "sync writing/*.sum",
                "rename writing/*.sum",
                "rename writing/*.data",
                "truncate finalised/*.data",
                "truncate finalised/*.sum",
                "sync directory finalised/11",
                "sync directory writing/11");
        assertThat(disk.length("finalised/11/17.3.0.data")).hasValue(CELL);
        assertThat(disk.length("finalised/11/17.3.0.sum")).hasValue(ChunkHeader.BYTES + 2 * 4);
    }

    @Test
    void aChunkThatIsAsLongAsOrderedIsNotCut() throws IOException {
        open(CELL);
        volume.finalise(CHUNK, CELL, 3L * CELL);
        assertThat(steps).noneMatch(step -> step.startsWith("truncate"));
    }

    private void record(long sequence, boolean sync) throws IOException {
        TailRecord record = new TailRecord(sequence, 3L * CELL + 100 * sequence, 100, TailForm.MIRRORED);
        volume.tails()
                .append(CHUNK, 1, record, 0, sync, Chunks.sent(volume, CHUNK, sequence - 1), payload(CHUNK, 0, 100));
    }

    @Test
    void aSyncedTailRecordPutsOnDiskWhatIsNotThereYet() throws IOException {
        open(CELL);
        record(0, false);
        assertSteps("create writing/*.tail", "write writing/*.tail");
        record(1, true);
        assertSteps(
                "write writing/*.tail",
                "sync writing/*.data",
                "sync writing/*.sum",
                "sync writing/*.tail",
                "sync directory writing/11");
        record(2, true);
        assertSteps("write writing/*.tail", "sync writing/*.tail");
        volume.tails().sync(CHUNK, 1, Chunks.sent(volume, CHUNK, 2));
        assertSteps();
        append(volume, CHUNK, 1, CELL, CELL, false);
        steps.clear();
        volume.tails().sync(CHUNK, 1, Chunks.sent(volume, CHUNK, 2));
        assertSteps("sync writing/*.data", "sync writing/*.sum");
    }

    @Test
    void aChunkWithoutBytesIsSyncedWithItsHeaderAndItsName() throws IOException {
        open(0);
        volume.tails().sync(CHUNK, 1, Chunks.sent(volume, CHUNK, -1));
        assertSteps("sync writing/*.sum", "sync directory writing/11");
        volume.tails().sync(CHUNK, 1, Chunks.sent(volume, CHUNK, -1));
        assertSteps();
        record(0, true);
        assertSteps(
                "create writing/*.tail", "write writing/*.tail", "sync writing/*.tail", "sync directory writing/11");
    }

    @Test
    void aFencePutsTheTailRecordsOnDiskTooAndPublicationRemovesThem() throws IOException {
        open(CELL);
        record(0, false);
        steps.clear();
        volume.fence(CHUNK, 5);
        assertSteps(
                "write writing/*.sum",
                "sync writing/*.data",
                "sync writing/*.sum",
                "sync directory writing/11",
                "sync writing/*.tail");
        volume.finalise(CHUNK, CELL, 3L * CELL);
        assertThat(steps.get(steps.size() - 1)).isEqualTo("delete writing/*.tail");
    }

    @Test
    void theRecordsOfADeletedChunkGoBeforeIt() throws IOException {
        open(CELL);
        record(0, false);
        steps.clear();
        volume.delete(CHUNK, Stamp.NONE);
        assertSteps("delete writing/*.tail", "delete writing/*.data", "delete writing/*.sum");
        assertThat(volume.tails().coverage(CHUNK).mirrored()).isEmpty();
    }

    @Test
    void aFilledTailIsOnDiskAndItsBeginningIsNotedBeforeIt() throws IOException {
        open(CELL);
        append(volume, CHUNK, 1, CELL, CELL, false);
        volume.fence(CHUNK, 5);
        steps.clear();
        long length = POLICY.stripeBytes() + 150;
        int cell = (int) new GroupLayout(POLICY, length).chunkBytes(3) - CELL;
        volume.tails().fill(CHUNK, 5, length, payload(CHUNK, CELL, cell));
        assertSteps(
                "truncate writing/*.data",
                "truncate writing/*.sum",
                "write writing/*.sum",
                "sync writing/*.sum",
                "write writing/*.data",
                "write writing/*.sum",
                "sync writing/*.data",
                "sync writing/*.sum",
                "sync directory writing/11");
        assertThat(disk.length("writing/11/17.3.0.sum")).hasValue(ChunkHeader.BYTES + 3 * 4);
    }

    @Test
    void aTailIsOffTheDiskBeforeItIsNotedThatFullStripesFollow() throws IOException {
        open(CELL);
        volume.fence(CHUNK, 5);
        long length = POLICY.stripeBytes() + 150;
        int cell = (int) new GroupLayout(POLICY, length).chunkBytes(3) - CELL;
        volume.tails().fill(CHUNK, 5, length, payload(CHUNK, CELL, cell));
        steps.clear();
        assertThat(volume.tails().beginStripes(CHUNK, 6, 2 * POLICY.stripeBytes()))
                .isEqualTo(CELL);
        assertSteps(
                "truncate writing/*.data",
                "truncate writing/*.sum",
                "sync writing/*.data",
                "sync writing/*.sum",
                "write writing/*.sum",
                "sync writing/*.sum");
        assertThat(volume.tails()
                        .appendStripes(CHUNK, 6, 2 * POLICY.stripeBytes(), CELL, CELL, payload(CHUNK, CELL, CELL)))
                .isEqualTo(2L * CELL);
        assertSteps("write writing/*.data", "write writing/*.sum");
        assertThat(volume.tails().endStripes(CHUNK, 6, 2 * POLICY.stripeBytes()).fullStripeBytes())
                .isEqualTo(2L * CELL);
        assertSteps("sync writing/*.data", "sync writing/*.sum", "sync directory writing/11");
    }

    @Test
    void onlyAFencedChunkThatEndsThereIsFilledUp() throws IOException {
        open(CELL);
        long length = 2 * POLICY.stripeBytes();
        assertCode(ErrorCode.INVALID_ARGUMENT, () -> volume.tails().beginStripes(CHUNK, 5, length));
        volume.fence(CHUNK, 5);
        steps.clear();
        assertCode(ErrorCode.FENCED, () -> volume.tails().beginStripes(CHUNK, 4, length));
        assertCode(
                ErrorCode.INVALID_ARGUMENT,
                () -> volume.tails().appendStripes(CHUNK, 5, length, 2L * CELL, CELL, payload(CHUNK, CELL, CELL)));
        ByteBuf damaged = payload(CHUNK, CELL, CELL);
        damaged.setByte(10, damaged.getByte(10) ^ 1);
        assertCode(ErrorCode.CHUNK_CORRUPT, () -> volume.tails().appendStripes(CHUNK, 5, length, CELL, CELL, damaged));
        assertSteps();
        assertThat(volume.find(CHUNK).orElseThrow().fullStripeBytes()).isEqualTo(CELL);
    }

    @Test
    void anythingButItsCellIsNoTail() throws IOException {
        open(CELL);
        volume.fence(CHUNK, 5);
        steps.clear();
        long length = POLICY.stripeBytes() + 150;
        ByteBuf damaged = payload(CHUNK, CELL, 64);
        damaged.setByte(10, damaged.getByte(10) ^ 1);
        assertCode(ErrorCode.CHUNK_CORRUPT, () -> volume.tails().fill(CHUNK, 5, length, damaged));
        assertCode(ErrorCode.MALFORMED, () -> volume.tails().fill(CHUNK, 5, length, payload(CHUNK, CELL, 65)));
        assertSteps();
        ChunkRecord published = volume.finalise(CHUNK, CELL, 3L * CELL);
        steps.clear();
        assertThat(volume.tails().fill(CHUNK, 5, 3L * CELL, payload(CHUNK, 0, 0)))
                .isEqualTo(published);
        assertCode(ErrorCode.INVALID_ARGUMENT, () -> volume.tails().fill(CHUNK, 5, length, payload(CHUNK, CELL, 64)));
        assertSteps();
    }

    @Test
    void chunksPublishedBeforeAStartAreComparedBeforeASync() throws IOException {
        open(CELL);
        volume.finish(CHUNK, 1, CELL, 3L * CELL, false);
        volume.close();
        disk.restart(Loss.NOTHING);
        volume = Chunks.open(disk, random);
        disk.flipBit("finalised/11/17.3.0.data", 5000, 0);
        assertCode(ErrorCode.CHUNK_CORRUPT, () -> volume.finish(CHUNK, 1, CELL, 3L * CELL, true));
    }

    @Test
    void whatWasComparedOnceIsNotReadAgain() throws IOException {
        open(CELL);
        volume.finish(CHUNK, 1, CELL, 3L * CELL, false);
        volume.close();
        disk.restart(Loss.NOTHING);
        volume = Chunks.open(disk, random);
        int[] reads = {0};
        disk.faults((operation, path, number) -> reads[0] += operation.name().equals("READ") ? 1 : 0);
        volume.finish(CHUNK, 1, CELL, 3L * CELL, true);
        assertThat(reads[0]).isPositive();
        reads[0] = 0;
        volume.finish(CHUNK, 1, CELL, 3L * CELL, true);
        assertThat(reads[0]).isZero();
    }

    @Test
    void aChunkForWhoseSecondFileThereIsNoRoomLeavesNoFirst() throws IOException {
        List<String> before = disk.files();
        disk.faults((operation, path, number) -> {
            if (operation == Operation.CREATE && path.endsWith(".data")) {
                throw new VolumeFullException("no room for a directory entry");
            }
        });
        assertCode(ErrorCode.VOLUME_FULL, () -> volume.create(CHUNK, Stamp.NONE, POLICY, 1));
        assertThat(disk.files()).isEqualTo(before);
        disk.faults(DiskFaults.NONE);
        volume.create(CHUNK, Stamp.NONE, POLICY, 1);
    }

    @Test
    void aPayloadInSeveralPiecesOfMemoryIsWrittenWhole() throws IOException {
        volume.create(CHUNK, Stamp.NONE, POLICY, 1);
        ByteBuf whole = payload(CHUNK, 0, CELL);
        int cut = whole.readableBytes() / 2 + 11;
        ByteBuf pieces = Unpooled.wrappedBuffer(whole.slice(0, cut), whole.slice(cut, whole.readableBytes() - cut));
        volume.append(CHUNK, 1, 0, CELL, 0, pieces);
        assertReads(volume, CHUNK, 0, CELL, 0, CELL);
        assertThat(volume.verify(CHUNK)).map(ChunkRecord::bytes).hasValue((long) CELL);
    }
}
