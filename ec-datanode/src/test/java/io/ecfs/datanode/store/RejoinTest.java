package io.ecfs.datanode.store;

import static io.ecfs.datanode.store.Chunks.POLICY;
import static io.ecfs.datanode.store.Chunks.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ecfs.datanode.store.io.UnreadableFileException;
import io.ecfs.datanode.store.memory.DiskFaults;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.chunk.SentBefore;
import io.ecfs.message.chunk.TailCoverage;
import io.ecfs.message.chunk.TailCoverage.Range;
import io.ecfs.message.chunk.TailForm;
import io.ecfs.message.chunk.TailRecord;
import java.io.IOException;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A datanode that comes back while the writer of a chunk lives. If it lost with the power what the writer was told that
 * it has, it refuses the writer, whatever that asks next; if it has everything, as after a restart of the process
 * alone, it goes on.
 */
class RejoinTest {
    private static final ChunkId CHUNK = id(17, 1);
    private static final long WRITER = 7;
    private static final long CELL = Chunks.CELL;
    private static final int LENGTH = 3000;
    private static final int SEEDS = 30;

    private static void append(Volume volume, long sequence, TailForm form, boolean sync, SentBefore sent)
            throws EcfsException {
        TailRecord record = new TailRecord(sequence, LENGTH * sequence, LENGTH, form);
        int stored = record.storedBytes(POLICY, CHUNK.index());
        volume.tails()
                .append(CHUNK, WRITER, record, 0, sync, sent, Chunks.payload(id(99, 0), LENGTH * sequence, stored));
    }

    private static long covered(Volume volume) {
        TailCoverage coverage = volume.tails().coverage(CHUNK);
        return Math.max(coverage.mirroredUntil(0), coverage.codedUntil(0));
    }

    private static void assertRefuses(Volume volume, String what, SentBefore sent) {
        assertRefuses(what, () -> volume.tails().sync(CHUNK, WRITER, sent));
        assertRefuses(what, () -> volume.tails().check(CHUNK, WRITER, sent));
        for (boolean sync : new boolean[] {false, true}) {
            assertRefuses(what, () -> append(volume, 2, TailForm.MIRRORED, sync, sent));
            assertRefuses(what, () -> append(volume, 2, TailForm.CODED, sync, sent));
        }
    }

    private static void assertRefuses(String what, ThrowingCallable call) {
        assertThat(catchThrowableOfType(EcfsException.class, call))
                .as(what)
                .isNotNull()
                .extracting(EcfsException::code)
                .isEqualTo(ErrorCode.CHUNK_INCOMPLETE);
    }

    @ParameterizedTest
    @EnumSource
    void aRecordThatThePowerTookIsAHoleThatNoLaterOneCloses(TailForm form) throws IOException {
        SentBefore sent = new SentBefore(0, 1);
        int holes = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, new Random(seed));
            try (Volume volume = Chunks.open(disk, new Random(1))) {
                volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
                append(volume, 0, form, true, new SentBefore(0, -1));
                append(volume, 1, form, false, new SentBefore(0, 0));
            }
            disk.restart(Loss.UNSYNCED);
            try (Volume volume = Chunks.open(disk, new Random(1))) {
                if (covered(volume) < 2 * LENGTH) {
                    holes++;
                    assertRefuses(volume, "seed " + seed, sent);
                } else {
                    append(volume, 2, form, true, sent);
                }
            }
        }
        assertThat(holes).isBetween(1, SEEDS - 1);
    }

    @Test
    void cellsThatThePowerTookAreNotSyncedAsIfTheyWereThere() throws IOException {
        SentBefore sent = new SentBefore(2 * CELL, -1);
        int cut = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, new Random(seed));
            try (Volume volume = Chunks.open(disk, new Random(1))) {
                volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
                Chunks.append(volume, CHUNK, WRITER, 0, Chunks.CELL, false);
                volume.tails().sync(CHUNK, WRITER, new SentBefore(CELL, -1));
                Chunks.append(volume, CHUNK, WRITER, CELL, Chunks.CELL, false);
            }
            disk.restart(Loss.UNSYNCED);
            try (Volume volume = Chunks.open(disk, new Random(1))) {
                if (volume.find(CHUNK).orElseThrow().bytes() < sent.chunkBytes()) {
                    cut++;
                    assertRefuses(volume, "seed " + seed, sent);
                } else {
                    volume.tails().sync(CHUNK, WRITER, sent);
                }
            }
        }
        assertThat(cut).isBetween(1, SEEDS - 1);
    }

    @Test
    void aRestartOfTheProcessAloneCostsTheWriterNothing() throws IOException {
        MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, new Random(1));
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
            append(volume, 0, TailForm.MIRRORED, false, new SentBefore(0, -1));
            Chunks.append(volume, CHUNK, WRITER, 0, Chunks.CELL, false);
        }
        disk.restart(Loss.NOTHING);
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            assertThat(volume.tails().wasInterrupted(CHUNK)).isTrue();
            SentBefore sent = new SentBefore(CELL, 0);
            volume.tails().check(CHUNK, WRITER, sent);
            assertThat(volume.tails().wasInterrupted(CHUNK))
                    .as("its writer has named all that it sent")
                    .isFalse();
            volume.tails().sync(CHUNK, WRITER, sent);
            Chunks.append(volume, CHUNK, WRITER, CELL, Chunks.CELL, false);
            volume.tails().check(CHUNK, WRITER, new SentBefore(2 * CELL, 0));
        }
    }

    @Test
    void aFencedChunkKeepsSayingThatItMayHaveHadMore() throws IOException {
        MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, new Random(1));
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
            assertThat(volume.tails().wasInterrupted(CHUNK)).isFalse();
        }
        disk.restart(Loss.NOTHING);
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            volume.fence(CHUNK, 1);
            assertThat(volume.tails().wasInterrupted(CHUNK)).isTrue();
            volume.finalise(CHUNK, 0, 0);
            assertThat(volume.tails().wasInterrupted(CHUNK)).isFalse();
        }
    }

    @Test
    void aRecordBehindOneThatRottedCountsAndItsWriterMustNotGoOn() throws IOException {
        MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, new Random(1));
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
            append(volume, 0, TailForm.MIRRORED, true, new SentBefore(0, -1));
            append(volume, 1, TailForm.MIRRORED, true, new SentBefore(0, 0));
        }
        disk.restart(Loss.NOTHING);
        disk.flipBit(new ChunkFiles(ChunkFiles.Place.WRITING, CHUNK).tail(), 100, 3);
        for (int start = 0; start < 2; start++) {
            try (Volume volume = Chunks.open(disk, new Random(1))) {
                assertThat(volume.tails().coverage(CHUNK).mirrored())
                        .as("start %d", start)
                        .containsExactly(new Range(LENGTH, 2 * LENGTH));
                assertRefuses(volume, "start " + start, new SentBefore(0, 1));
            }
        }
    }

    @Test
    void aLogThatCannotBeReadDoesNotKeepItsVolumeFromOpening() throws IOException {
        MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, new Random(1));
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
            append(volume, 0, TailForm.MIRRORED, true, new SentBefore(0, -1));
        }
        disk.restart(Loss.NOTHING);
        disk.faults((operation, path, number) -> {
            if (operation == DiskFaults.Operation.READ && path.endsWith(".tail")) {
                throw new UnreadableFileException(path, path + " has a bad sector");
            }
        });
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            assertThat(volume.tails().coverage(CHUNK)).isEqualTo(TailCoverage.NONE);
            assertRefuses(volume, "it has no record", new SentBefore(0, 0));
            assertRefuses(volume, "nobody knows what it has", new SentBefore(0, -1));
        }
    }

    @Test
    void whatLiesBehindAWindowThatRottedStaysOnTheDisk() throws IOException {
        MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, new Random(1));
        String data = new ChunkFiles(ChunkFiles.Place.WRITING, CHUNK).data();
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
            for (int cell = 0; cell < 3; cell++) {
                Chunks.append(volume, CHUNK, WRITER, cell * CELL, Chunks.CELL, false);
            }
            volume.tails().sync(CHUNK, WRITER, new SentBefore(3 * CELL, -1));
        }
        disk.restart(Loss.NOTHING);
        disk.flipBit(data, CELL + 5, 3);
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            assertThat(volume.find(CHUNK).orElseThrow().bytes()).isEqualTo(CELL);
            assertRefuses(volume, "it has a hole", new SentBefore(3 * CELL, -1));
            volume.fence(CHUNK, 1);
        }
        assertThat(disk.length(data)).hasValue(3 * CELL);
        disk.restart(Loss.NOTHING);
        disk.flipBit(data, CELL + 5, 3);
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            assertThat(volume.find(CHUNK).orElseThrow().bytes())
                    .as("once its sector reads again")
                    .isEqualTo(3 * CELL);
        }
    }

    @Test
    void anUnreadableWindowEndsAnOpenChunkAtAStart() throws IOException {
        MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, new Random(1));
        ChunkFiles files = new ChunkFiles(ChunkFiles.Place.WRITING, CHUNK);
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
            for (int cell = 0; cell < 3; cell++) {
                Chunks.append(volume, CHUNK, WRITER, cell * CELL, Chunks.CELL, false);
            }
            append(volume, 4, TailForm.MIRRORED, true, new SentBefore(3 * CELL, -1));
        }
        disk.restart(Loss.NOTHING);
        disk.failSector(files.data(), CELL + 5);
        disk.failSector(files.data(), CELL + 4096);
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            assertThat(volume.find(CHUNK).orElseThrow().state()).isEqualTo(ChunkState.BEING_WRITTEN);
            assertThat(volume.find(CHUNK).orElseThrow().bytes()).isEqualTo(CELL);
            assertThat(volume.tails().coverage(CHUNK).mirrored()).containsExactly(new Range(4 * LENGTH, 5 * LENGTH));
            assertThat(volume.tails().wasInterrupted(CHUNK))
                    .as("it may have had more")
                    .isTrue();
            assertRefuses("it has a hole", () -> volume.tails().sync(CHUNK, WRITER, new SentBefore(3 * CELL, 4)));
            assertThat(volume.verify(CHUNK).orElseThrow().state()).isEqualTo(ChunkState.BEING_WRITTEN);
        }
        assertThat(disk.length(files.data())).hasValue(3 * CELL);
    }

    /** The first sector of a checksum file has the header and {@code (4096 - 512) / 4} checksums. */
    @Test
    void aSectorOfChecksumsThatCannotBeReadCostsNoneOfThoseBefore() throws IOException {
        MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, new Random(1));
        ChunkFiles files = new ChunkFiles(ChunkFiles.Place.WRITING, CHUNK);
        long readable = (4096 - 512) / 4 * 4096L;
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
            for (long at = 0; at < readable + 4 * CELL; at += CELL) {
                Chunks.append(volume, CHUNK, WRITER, at, Chunks.CELL, false);
            }
        }
        disk.restart(Loss.NOTHING);
        disk.failSector(files.sum(), 4096);
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            assertThat(volume.find(CHUNK).orElseThrow().bytes()).isEqualTo(readable);
            assertThat(volume.verify(CHUNK).orElseThrow().state()).isEqualTo(ChunkState.BEING_WRITTEN);
        }
    }

    @Test
    void aTornPublicationIsOpenAgainWhenAWindowIsUnreadable() throws IOException {
        MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, new Random(1));
        ChunkFiles files = new ChunkFiles(ChunkFiles.Place.WRITING, CHUNK);
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            Chunks.finalised(volume, CHUNK, 3 * Chunks.CELL);
        }
        disk.rename(files.in(ChunkFiles.Place.FINALISED).sum(), files.sum());
        disk.rename(files.in(ChunkFiles.Place.FINALISED).data(), files.data());
        disk.restart(Loss.NOTHING);
        disk.failSector(files.data(), CELL);
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            assertThat(volume.find(CHUNK).orElseThrow().state()).isEqualTo(ChunkState.BEING_WRITTEN);
            assertThat(volume.find(CHUNK).orElseThrow().bytes()).isEqualTo(CELL);
            assertThat(volume.tails().wasInterrupted(CHUNK)).isTrue();
        }
    }

    /**
     * As long as a full cell, though its first part is not: after a loss of power only the header can tell that it is
     * none.
     */
    @Test
    void aTailCellAsLongAsAFullOneIsNeverTakenForOne() throws IOException {
        long groupLength = 2 * POLICY.stripeBytes() - 100;
        int part = Chunks.CELL / 2;
        for (int seed = 0; seed < SEEDS; seed++) {
            MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, new Random(seed));
            ChunkFiles files = new ChunkFiles(ChunkFiles.Place.WRITING, CHUNK);
            try (Volume volume = Chunks.open(disk, new Random(1))) {
                volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
                Chunks.append(volume, CHUNK, WRITER, 0, Chunks.CELL, false);
                volume.tails().sync(CHUNK, WRITER, new SentBefore(CELL, -1));
                for (long at = CELL; at < 2 * CELL; at += part) {
                    volume.append(CHUNK, WRITER, at, part, groupLength, Chunks.payload(CHUNK, at, part));
                }
                disk.sync(files.data()); // written back before the checksums
            }
            disk.restart(Loss.UNSYNCED);
            try (Volume volume = Chunks.open(disk, new Random(1))) {
                assertThat(volume.find(CHUNK).orElseThrow().fullStripeBytes())
                        .as("seed %d", seed)
                        .isEqualTo(CELL);
            }
        }
    }

    /** Its header reached the disk, and not all of its bytes did: a sync of what is left would promise zeros. */
    @Test
    void anUnsyncedChunkIsComparedBeforeItIsReportedOnDisk() throws IOException {
        int lost = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, new Random(seed));
            try (Volume volume = Chunks.open(disk, new Random(1))) {
                volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
                for (int cell = 0; cell < 3; cell++) {
                    Chunks.append(volume, CHUNK, WRITER, cell * CELL, Chunks.CELL, false);
                }
                volume.finish(CHUNK, WRITER, 3 * CELL, 9 * CELL, false);
            }
            ChunkFiles files = new ChunkFiles(ChunkFiles.Place.FINALISED, CHUNK);
            disk.sync(files.sum()); // written back before the data
            disk.syncDirectory(files.directory());
            disk.restart(Loss.UNSYNCED);
            try (Volume volume = Chunks.open(disk, new Random(1))) {
                boolean published = volume.find(CHUNK)
                        .filter(record -> record.state() == ChunkState.FINALISED)
                        .isPresent();
                if (published) {
                    boolean synced = synced(volume);
                    boolean sound = volume.verify(CHUNK).orElseThrow().state() == ChunkState.FINALISED;
                    assertThat(synced).as("seed %d", seed).isEqualTo(sound);
                    lost += sound ? 0 : 1;
                }
            }
        }
        assertThat(lost).isPositive();
    }

    private static boolean synced(Volume volume) throws EcfsException {
        try {
            volume.finish(CHUNK, WRITER, 3 * CELL, 9 * CELL, true);
            return true;
        } catch (EcfsException e) {
            assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.CHUNK_CORRUPT);
            return false;
        }
    }
}
