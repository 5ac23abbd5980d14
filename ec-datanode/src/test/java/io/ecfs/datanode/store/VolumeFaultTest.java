package io.ecfs.datanode.store;

import static io.ecfs.datanode.store.Chunks.CELL;
import static io.ecfs.datanode.store.Chunks.POLICY;
import static io.ecfs.datanode.store.Chunks.append;
import static io.ecfs.datanode.store.Chunks.finalised;
import static io.ecfs.datanode.store.Chunks.id;
import static io.ecfs.datanode.store.VolumeAssertions.assertCode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.datanode.store.io.UnreadableFileException;
import io.ecfs.datanode.store.io.VolumeFullException;
import io.ecfs.datanode.store.memory.DiskFaults.Operation;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.env.ManualTime;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.transfer.ChunkPayload;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Disks that are full, fail, or lose a file. */
class VolumeFaultTest {
    private static final ChunkId CHUNK = id(17, 3);
    private static final String DATA = "finalised/11/17.3.0.data";
    private static final String SUM = "finalised/11/17.3.0.sum";

    private final Random random = new Random(1);
    private final MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, random);

    @Test
    void aFullDiskRefusesTheWriterAndServesTheOthers() throws IOException {
        MemoryVolumeIo small = new MemoryVolumeIo("small", 6L * CELL, random);
        try (Volume volume = Chunks.open(small, random)) {
            finalised(volume, id(1, 0), CELL);
            volume.create(CHUNK, Stamp.NONE, POLICY, 1);
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
        try (Volume volume =
                Volume.open(small, Chunks.OWNER, Chunks.terms(4L * CELL), () -> new java.util.UUID(1, 1))) {
            assertThat(volume.state()).isEqualTo(VolumeState.FULL);
            assertCode(ErrorCode.VOLUME_FULL, () -> volume.create(id(2, 0), Stamp.NONE, POLICY, 1));
            assertThat(volume.verify(CHUNK)).map(ChunkRecord::state).hasValue(ChunkState.FINALISED);
        }
    }

    @Test
    void writersLeaveHalfOfTheReserveToRewrites() throws IOException {
        MemoryVolumeIo small = new MemoryVolumeIo("small", 16L * CELL, random);
        try (Volume volume = Volume.open(small, Chunks.OWNER, Chunks.terms(8L * CELL), () -> new UUID(1, 1))) {
            volume.create(CHUNK, Stamp.NONE, POLICY, 1);
            int written = 0;
            while (small.space().freeBytes() >= 5L * CELL) {
                append(volume, CHUNK, 1, (long) written++ * CELL, CELL, false);
            }
            long end = (long) written * CELL;
            assertCode(ErrorCode.VOLUME_FULL, () -> append(volume, CHUNK, 1, end, CELL, false));
            assertThat(volume.state()).isEqualTo(VolumeState.FULL);
            assertCode(ErrorCode.VOLUME_FULL, () -> volume.create(id(2, 0), Stamp.NONE, POLICY, 1));
            ChunkId rewritten = id(3, 0);
            volume.createInReserve(rewritten, Stamp.NONE, POLICY, 1);
            append(volume, rewritten, 1, 0, CELL, false);
            append(volume, rewritten, 1, CELL, CELL, false);
            volume.finish(rewritten, 1, 2L * CELL, 6L * CELL, true);
            volume.finish(CHUNK, 1, end, 3 * end, true);
        }
    }

    @Test
    void aFullDiskPublishesNothingHalfWay() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            volume.create(CHUNK, Stamp.NONE, POLICY, 1);
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
            volume.create(CHUNK, Stamp.NONE, POLICY, 1);
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
                    .isEqualTo(new ChunkRecord(CHUNK, ChunkState.FINALISED, CELL, CELL, 3L * CELL, Stamp.NONE));
        }
    }

    private static void failReads(MemoryVolumeIo disk, String of) {
        disk.faults((operation, path, number) -> {
            if (operation == Operation.READ && path.contains(of)) {
                throw new UnreadableFileException(path, path + ": Input/output error");
            }
        });
    }

    @Test
    void aChunkThatCannotBeReadIsCorruptAndItsVolumeServesTheOthers() throws IOException {
        ChunkId other = id(18, 0);
        for (String unreadable : List.of("17.3.0.data", "17.3.0.sum")) {
            for (boolean scrubbed : List.of(false, true)) {
                MemoryVolumeIo bad = new MemoryVolumeIo("bad", 64 << 20, random);
                try (Volume volume = Chunks.open(bad, random)) {
                    finalised(volume, CHUNK, CELL);
                    finalised(volume, other, CELL);
                    failReads(bad, unreadable);
                    if (scrubbed) {
                        assertThat(volume.scan(CHUNK, 0, CELL).sound()).isFalse();
                    }
                    assertCode(ErrorCode.CHUNK_CORRUPT, () -> volume.read(CHUNK, 0, 1, Unpooled.buffer(2 * CELL)));
                    assertThat(volume.state()).as(unreadable).isEqualTo(VolumeState.HEALTHY);
                    assertThat(volume.find(CHUNK)).map(ChunkRecord::state).hasValue(ChunkState.CORRUPT);
                    volume.read(other, 0, CELL, Unpooled.buffer(2 * CELL));
                    finalised(volume, id(19, 0), CELL);
                    bad.restart(Loss.NOTHING);
                }
                try (Volume volume = Chunks.open(bad, random)) {
                    assertThat(volume.find(CHUNK)).map(ChunkRecord::state).hasValue(ChunkState.CORRUPT);
                    assertThat(volume.find(other)).map(ChunkRecord::state).hasValue(ChunkState.FINALISED);
                }
            }
        }
    }

    private static Volume open(MemoryVolumeIo disk, Random random, ManualTime time, int files) throws IOException {
        ReadErrorAllowance allowance = new ReadErrorAllowance(files, Duration.ofHours(1));
        return Volume.open(
                disk,
                Chunks.OWNER,
                new VolumeTerms(0, allowance, time, true),
                () -> new UUID(random.nextLong(), random.nextLong()));
    }

    /**
     * Readers with old locations complain of a chunk that has nowhere else to go, and each complaint reads it again.
     */
    @Test
    void aFileThatIsReadAgainAndAgainIsOneUnreadableFile() throws IOException {
        ManualTime time = new ManualTime(1);
        try (Volume volume = open(disk, random, time, 2)) {
            for (int group = 1; group <= 3; group++) {
                finalised(volume, id(group, 0), CELL);
            }
            failReads(disk, ".data");
            for (int group = 1; group <= 3; group++) {
                assertThat(volume.scan(id(group, 0), 0, CELL).sound()).isFalse();
                time.advance(Duration.ofMinutes(61));
            }
            for (int again = 0; again < 40; again++) {
                for (int group = 1; group <= 3; group++) {
                    assertThat(volume.verify(id(group, 0)))
                            .map(ChunkRecord::state)
                            .hasValue(ChunkState.CORRUPT);
                }
                assertThat(volume.state()).isEqualTo(VolumeState.HEALTHY);
            }
        }
    }

    @Test
    void aPassOfTheScrubberCountsAFileOnce() throws IOException {
        try (Volume volume = open(disk, random, new ManualTime(1), 1)) {
            finalised(volume, CHUNK, CELL);
            failReads(disk, ".data");
            assertThat(volume.scan(CHUNK, 0, CELL).sound()).isFalse();
            assertThat(volume.state()).as("it is looked at, and then verified").isEqualTo(VolumeState.HEALTHY);
        }
    }

    @Test
    void moreUnreadableChunksWithinThePeriodThanAllowedFailTheVolume() throws IOException {
        ManualTime time = new ManualTime(1);
        try (Volume volume = open(disk, random, time, 2)) {
            for (int group = 1; group <= 5; group++) {
                finalised(volume, id(group, 0), CELL);
            }
            failReads(disk, ".data");
            for (int group = 1; group <= 4; group++) {
                ChunkId chunk = id(group, 0);
                assertCode(ErrorCode.CHUNK_CORRUPT, () -> volume.read(chunk, 0, 1, Unpooled.buffer(2 * CELL)));
                assertThat(volume.state()).as("after chunk " + group).isEqualTo(VolumeState.HEALTHY);
                time.advance(Duration.ofMinutes(31)); // so that at most two fall within an hour
            }
            time.advance(Duration.ofHours(1));
            failReads(disk, "nothing");
            for (int group = 6; group <= 8; group++) {
                finalised(volume, id(group, 0), CELL);
            }
            failReads(disk, ".data");
            for (int group = 6; group <= 8; group++) {
                ChunkId chunk = id(group, 0);
                assertCode(ErrorCode.CHUNK_CORRUPT, () -> volume.read(chunk, 0, 1, Unpooled.buffer(2 * CELL)));
            }
            assertThat(volume.state()).isEqualTo(VolumeState.FAILED);
        }
    }

    @Test
    void aVolumeWhoseOwnFilesCannotBeReadFailsWithTheFirstChunk() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            finalised(volume, CHUNK, CELL);
            failReads(disk, "");
            assertCode(ErrorCode.CHUNK_CORRUPT, () -> volume.read(CHUNK, 0, 1, Unpooled.buffer(2 * CELL)));
            assertThat(volume.state()).isEqualTo(VolumeState.FAILED);
            assertCode(ErrorCode.VOLUME_FAILED, () -> volume.create(id(1, 1), Stamp.NONE, POLICY, 1));
            assertThat(disk.files()).contains(DATA, SUM);
        }
    }

    @Test
    void aVolumeThatFailedTakesNoChangeAndIsStillReadAsFarAsItCan() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            finalised(volume, CHUNK, CELL);
            disk.faults((operation, path, number) -> {
                if (operation == Operation.WRITE) {
                    throw new IOException("Input/output error");
                }
            });
            assertCode(ErrorCode.VOLUME_FAILED, () -> volume.create(id(1, 1), Stamp.NONE, POLICY, 1));
            assertThat(volume.state()).isEqualTo(VolumeState.FAILED);
            disk.faults((operation, path, number) -> {});
            assertCode(ErrorCode.VOLUME_FAILED, () -> volume.create(id(1, 1), Stamp.NONE, POLICY, 1));
            assertCode(ErrorCode.VOLUME_FAILED, () -> volume.delete(CHUNK, Stamp.NONE));
            ByteBuf read = Unpooled.buffer(2 * CELL);
            volume.read(CHUNK, 0, CELL, read);
            assertThat(ChunkPayload.firstMismatch(read, CELL)).isEmpty();
            volume.checksums(CHUNK, 0, CELL, Unpooled.buffer(CELL));
        }
    }

    @Test
    void aStartThatCannotReadAHeaderCostsThatChunkAlone() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            finalised(volume, CHUNK, CELL);
            finalised(volume, id(18, 0), CELL);
            disk.restart(Loss.NOTHING);
        }
        failReads(disk, "17.3.0.sum");
        try (Volume volume = Chunks.open(disk, random)) {
            assertThat(volume.find(CHUNK)).map(ChunkRecord::state).hasValue(ChunkState.CORRUPT);
            assertThat(volume.find(id(18, 0))).map(ChunkRecord::state).hasValue(ChunkState.FINALISED);
            assertThat(volume.state()).isEqualTo(VolumeState.HEALTHY);
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
                    volume.create(CHUNK, Stamp.NONE, POLICY, 1);
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

    @Test
    void aLostFileOfAChunkThatIsWrittenCostsOnlyThatChunk() throws IOException {
        for (String lost : List.of("writing/11/17.3.0.data", "writing/11/17.3.0.sum")) {
            for (String doing : List.of("append", "finish", "fence", "finalise", "finish unsynced")) {
                MemoryVolumeIo other = new MemoryVolumeIo("disk", 64 << 20, random);
                try (Volume volume = Chunks.open(other, random)) {
                    volume.create(CHUNK, Stamp.NONE, POLICY, 1);
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
                    assertThat(volume.delete(CHUNK, Stamp.NONE)).isTrue();
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
}
