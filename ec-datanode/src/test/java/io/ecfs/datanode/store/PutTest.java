package io.ecfs.datanode.store;

import static io.ecfs.datanode.store.Chunks.POLICY;
import static io.ecfs.datanode.store.Chunks.id;
import static io.ecfs.datanode.store.Chunks.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.datanode.store.io.VolumeFullException;
import io.ecfs.datanode.store.memory.DiskFaults.Operation;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Stamp;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.transfer.ReadRange;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A chunk that is made, written and published in one call. */
class PutTest {
    private static final ChunkId CHUNK = id(17, 3);
    private static final long WRITER = 7;
    private static final long SMALL = 20_000;
    private static final long TWO_STRIPES_AND_A_TAIL = 6 * 8192 + 10_000;

    private final Random random = new Random(1);
    private final MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, random);

    private static int bytes(ChunkId chunk, long groupLength) {
        return (int) new GroupLayout(POLICY, groupLength).chunkBytes(chunk.index());
    }

    private static ChunkRecord put(Volume volume, ChunkId chunk, long writer, long groupLength, boolean sync)
            throws EcfsException {
        int bytes = bytes(chunk, groupLength);
        return volume.put(chunk, Stamp.NONE, POLICY, writer, bytes, groupLength, sync, payload(chunk, 0, bytes));
    }

    private static ChunkRecord finalised(ChunkId chunk, long groupLength) {
        long bytes = bytes(chunk, groupLength);
        return new ChunkRecord(chunk, ChunkState.FINALISED, bytes, bytes, groupLength, Stamp.NONE);
    }

    private static void assertHolds(Volume volume, ChunkId chunk, long bytes) throws EcfsException {
        if (bytes > 0) {
            ByteBuf into = Unpooled.buffer(ReadRange.payloadBytesFor(0, (int) bytes));
            volume.read(chunk, 0, (int) bytes, into);
            assertThat(into).isEqualTo(payload(chunk, 0, (int) bytes));
        }
    }

    private static void assertCode(ErrorCode code, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 100, SMALL, 3 * 8192, TWO_STRIPES_AND_A_TAIL})
    void isPublishedWithItsChecksumsAndStillThereAfterARestart(long groupLength) throws IOException {
        for (int index = 0; index < POLICY.chunks(); index++) {
            ChunkId chunk = id(17, index);
            try (Volume volume = Chunks.open(disk, random)) {
                assertThat(put(volume, chunk, WRITER, groupLength, false)).isEqualTo(finalised(chunk, groupLength));
            }
            disk.restart(Loss.NOTHING);
            try (Volume volume = Chunks.open(disk, random)) {
                assertThat(volume.verify(chunk)).contains(finalised(chunk, groupLength));
                assertHolds(volume, chunk, bytes(chunk, groupLength));
            }
            disk.restart(Loss.NOTHING);
        }
    }

    @Test
    void takesTwoFilesTwoWritesAndTwoRenames() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            put(volume, id(17, 0), WRITER, SMALL, false); // makes the directories
            List<Operation> done = new ArrayList<>();
            disk.faults((operation, path, number) -> {
                if (operation.mutates()) {
                    done.add(operation);
                }
            });
            put(volume, CHUNK, WRITER, SMALL, false);
            assertThat(done)
                    .containsExactly(
                            Operation.CREATE,
                            Operation.CREATE,
                            Operation.WRITE,
                            Operation.WRITE,
                            Operation.RENAME,
                            Operation.RENAME);
        }
    }

    @Test
    void repeatedByItsWriterChangesNothingAndPutsItOnDiskWhenAsked() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            put(volume, CHUNK, WRITER, SMALL, false);
            long before = disk.mutations();
            assertThat(put(volume, CHUNK, WRITER, SMALL, false)).isEqualTo(finalised(CHUNK, SMALL));
            assertThat(disk.mutations()).isEqualTo(before);
            assertThat(put(volume, CHUNK, WRITER, SMALL, true)).isEqualTo(finalised(CHUNK, SMALL));
        }
        disk.restart(Loss.UNSYNCED);
        try (Volume volume = Chunks.open(disk, random)) {
            assertThat(volume.verify(CHUNK)).contains(finalised(CHUNK, SMALL));
        }
    }

    @Test
    void finishedAgainWithSyncIsOnDisk() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            put(volume, CHUNK, WRITER, SMALL, false);
            volume.finish(CHUNK, WRITER, bytes(CHUNK, SMALL), SMALL, true);
        }
        disk.restart(Loss.UNSYNCED);
        try (Volume volume = Chunks.open(disk, random)) {
            assertThat(volume.verify(CHUNK)).contains(finalised(CHUNK, SMALL));
        }
    }

    @Test
    void neverReplacesAChunkThatExistsInAnotherWay() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            put(volume, CHUNK, WRITER, SMALL, false);
            assertCode(ErrorCode.ALREADY_EXISTS, () -> put(volume, CHUNK, 8, SMALL, false));
            assertCode(ErrorCode.ALREADY_EXISTS, () -> put(volume, CHUNK, WRITER, SMALL + 1000, false));
            ChunkId open = id(17, 1);
            volume.create(open, Stamp.NONE, POLICY, WRITER);
            assertCode(ErrorCode.ALREADY_EXISTS, () -> put(volume, open, WRITER, SMALL, false));
            disk.flipBit("finalised/11/17.3.0.data", 100, 1);
            volume.verify(CHUNK);
            assertCode(ErrorCode.ALREADY_EXISTS, () -> put(volume, CHUNK, WRITER, SMALL, false));
            assertThat(volume.find(CHUNK)).map(ChunkRecord::state).contains(ChunkState.CORRUPT);
        }
    }

    // HORRORS 23: a writer that was shut out publishes nothing.
    @Test
    void ofAShutOutWriterIsRefused() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
            volume.fence(CHUNK, 3);
            assertCode(ErrorCode.FENCED, () -> put(volume, CHUNK, WRITER, SMALL, false));
            assertCode(ErrorCode.ALREADY_EXISTS, () -> put(volume, CHUNK, 8, SMALL, false));
            assertThat(volume.find(CHUNK)).map(ChunkRecord::state).contains(ChunkState.BEING_WRITTEN);
        }
    }

    @Test
    void damagedOnItsWayLeavesNothing() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            int bytes = bytes(CHUNK, SMALL);
            ByteBuf damaged = payload(CHUNK, 0, bytes);
            damaged.setByte(damaged.writerIndex() - 1, damaged.getByte(damaged.writerIndex() - 1) ^ 1);
            List<String> before = disk.files();
            assertCode(
                    ErrorCode.CHUNK_CORRUPT,
                    () -> volume.put(CHUNK, Stamp.NONE, POLICY, WRITER, bytes, SMALL, false, damaged));
            ByteBuf cut = payload(CHUNK, 0, bytes - 1);
            assertCode(
                    ErrorCode.MALFORMED, () -> volume.put(CHUNK, Stamp.NONE, POLICY, WRITER, bytes, SMALL, false, cut));
            assertThat(disk.files()).isEqualTo(before);
            assertThat(volume.find(CHUNK)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void onAFullDiskLeavesNothingAndTheVolumeServesOn(boolean sync) throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            put(volume, id(17, 0), WRITER, SMALL, sync);
            List<String> before = disk.files();
            for (int failing = 0; failing < 6; failing++) {
                int[] left = {failing};
                disk.faults((operation, path, number) -> {
                    boolean needsRoom = operation == Operation.CREATE
                            || operation == Operation.WRITE
                            || operation == Operation.RENAME;
                    if (needsRoom && left[0]-- == 0) {
                        throw new VolumeFullException("no room for " + path);
                    }
                });
                assertCode(ErrorCode.VOLUME_FULL, () -> put(volume, CHUNK, WRITER, SMALL, sync));
                assertThat(disk.files()).as("operation %d", failing).isEqualTo(before);
                assertThat(volume.find(CHUNK)).isEmpty();
                assertThat(volume.state()).isEqualTo(VolumeState.HEALTHY);
            }
            disk.faults((operation, path, number) -> {});
            assertThat(put(volume, CHUNK, WRITER, SMALL, sync)).isEqualTo(finalised(CHUNK, SMALL));
        }
    }

    @Test
    void anErrorOfTheDiskTakesTheVolumeOut() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            disk.faults((operation, path, number) -> {
                if (operation == Operation.WRITE) {
                    throw new IOException("Input/output error");
                }
            });
            assertCode(ErrorCode.VOLUME_FAILED, () -> put(volume, CHUNK, WRITER, SMALL, false));
            assertThat(volume.state()).isEqualTo(VolumeState.FAILED);
        }
    }

    @Test
    void belowTheReserveNoChunkIsTaken() throws IOException {
        MemoryVolumeIo small = new MemoryVolumeIo("small", 10_000, random);
        try (Volume volume = Volume.open(small, Chunks.OWNER, Chunks.terms(9_900), () -> new java.util.UUID(1, 2))) {
            assertCode(ErrorCode.VOLUME_FULL, () -> put(volume, CHUNK, WRITER, SMALL, false));
            assertThat(volume.find(CHUNK)).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"NOTHING, false", "NOTHING, true", "UNSYNCED, false", "UNSYNCED, true"})
    void aCrashAtAnyStepLeavesNothingOrAFirstPartOrAll(Loss loss, boolean sync) throws IOException {
        for (long groupLength : new long[] {10, SMALL, TWO_STRIPES_AND_A_TAIL}) {
            for (int seed = 0; seed < (loss == Loss.NOTHING ? 1 : 10); seed++) {
                boolean done = false;
                for (long step = 0; !done; step++) {
                    MemoryVolumeIo victim = new MemoryVolumeIo("victim", 1 << 20, new Random(seed * 100L + step));
                    Volume volume = Chunks.open(victim, new Random(seed));
                    victim.crashAtMutation(victim.mutations() + step);
                    done = putUntilCrash(volume, groupLength, sync);
                    String replay = "seed " + seed + ", step " + step + ", group of " + groupLength;
                    victim.restart(loss);
                    assertRecovered(victim, groupLength, done, loss, sync, replay);
                    victim.restart(Loss.NOTHING);
                    assertRecovered(victim, groupLength, done, loss, sync, replay + ", second start");
                }
            }
        }
    }

    private static boolean putUntilCrash(Volume volume, long groupLength, boolean sync) {
        try {
            put(volume, CHUNK, WRITER, groupLength, sync);
            return true;
        } catch (EcfsException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.VOLUME_FAILED);
            return false;
        }
    }

    private static void assertRecovered(
            MemoryVolumeIo disk, long groupLength, boolean done, Loss loss, boolean sync, String what)
            throws IOException {
        try (Volume volume = Chunks.open(disk, new Random(9))) {
            Optional<ChunkRecord> found = volume.find(CHUNK);
            if (done && (loss == Loss.NOTHING || sync)) {
                assertThat(found).as(what).contains(finalised(CHUNK, groupLength));
            }
            if (found.isEmpty()) {
                return;
            }
            ChunkRecord record = found.get();
            if (record.state() == ChunkState.CORRUPT) {
                assertThat(loss).as(what).isEqualTo(Loss.UNSYNCED);
                return;
            }
            if (record.state() == ChunkState.FINALISED) {
                assertThat(record).as(what).isEqualTo(finalised(CHUNK, groupLength));
                if (done && loss == Loss.UNSYNCED && !sync) {
                    return; // published, and what was not synced may be gone: its checksums tell the reader
                }
            } else {
                long tailAt = new GroupLayout(POLICY, groupLength).fullStripeChunkBytes();
                assertThat(record.fullStripeBytes())
                        .as(what + ": a tail is never taken for full stripes")
                        .isEqualTo(Math.min(record.bytes(), tailAt));
            }
            if (record.state() == ChunkState.BEING_WRITTEN || loss == Loss.NOTHING || sync) {
                assertHolds(volume, CHUNK, record.bytes());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Operation.class,
            names = {"CREATE", "WRITE", "RENAME"})
    void aCrashWhileAPutIsUndoneLeavesNothingOrAnEmptyChunk(Operation full) throws IOException {
        for (int occurrence = 0; occurrence < 2; occurrence++) {
            boolean done = false;
            for (long step = 0; !done; step++) {
                MemoryVolumeIo victim = new MemoryVolumeIo("victim", 1 << 20, new Random(step));
                Volume volume = Chunks.open(victim, new Random(1));
                int[] left = {occurrence};
                long crashAfter = step;
                victim.faults((operation, path, number) -> {
                    if (operation == full && left[0]-- == 0) {
                        victim.crashAtMutation(victim.mutations() + crashAfter);
                        throw new VolumeFullException("no room for " + path);
                    }
                });
                assertThatThrownBy(() -> put(volume, CHUNK, WRITER, SMALL, false))
                        .isInstanceOf(EcfsException.class);
                done = !victim.crashed();
                victim.faults((operation, path, number) -> {});
                victim.restart(Loss.NOTHING);
                try (Volume after = Chunks.open(victim, new Random(9))) {
                    String what = full + " " + occurrence + ", step " + step;
                    after.find(CHUNK)
                            .ifPresent(record ->
                                    assertThat(record.state()).as(what).isNotEqualTo(ChunkState.CORRUPT));
                    if (after.find(CHUNK).isPresent()) {
                        assertHolds(after, CHUNK, after.find(CHUNK).get().bytes());
                    }
                }
            }
        }
    }
}
