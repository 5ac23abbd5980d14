package io.ecfs.datanode.store;

import static io.ecfs.datanode.store.Chunks.CELL;
import static io.ecfs.datanode.store.Chunks.POLICY;
import static io.ecfs.datanode.store.Chunks.id;
import static io.ecfs.datanode.store.Chunks.payload;
import static io.ecfs.datanode.store.VolumeAssertions.assertCode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.ecfs.datanode.store.ChunkFiles.Place;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.TailCoverage;
import io.ecfs.message.chunk.TailForm;
import io.ecfs.message.chunk.TailRecord;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * What a tail log knows of its records, at their edges; how it is searched behind damage; and what may follow what a
 * chunk has.
 */
class TailLogPartsTest {
    private static final ChunkId CHUNK = id(17, 3);
    private static final String FILE = "writing/11/17.3.0.tail";
    private static final Policy LARGE = Policy.parse("rs-3-2-64k");

    private final Random random = new Random(1);

    private static TailRecord mirrored(long sequence, long offset, int length) {
        return new TailRecord(sequence, offset, length, TailForm.MIRRORED);
    }

    private static TailRecord coded(long sequence, long offset, int length) {
        return new TailRecord(sequence, offset, length, TailForm.CODED);
    }

    @Test
    void aLogIsFullWithItsLastRecord() {
        TailLog log = new TailLog(CHUNK, POLICY);
        for (int i = 1; i < TailLog.MOST_RECORDS; i++) {
            log.add(mirrored(i, i, 1));
        }
        assertThat(log.full()).isFalse();
        log.add(mirrored(TailLog.MOST_RECORDS, TailLog.MOST_RECORDS, 1));
        assertThat(log.full()).isTrue();
        assertThat(log.lastSequence()).isEqualTo(TailLog.MOST_RECORDS);
        assertThat(log.end()).isEqualTo(TailLog.MOST_RECORDS * TailRecordFormat.fileBytes(1));
    }

    @Test
    void aLogIsDeadOnceAllOfItIsSettled() {
        TailLog log = new TailLog(CHUNK, POLICY);
        assertThat(log.deadBelow(100)).as("there is nothing to drop").isFalse();
        log.add(mirrored(0, 0, 50));
        log.add(mirrored(1, 50, 50));
        assertThat(log.deadBelow(99)).isFalse();
        assertThat(log.deadBelow(100)).isTrue();
        log.cut();
        assertThat(log.end()).isZero();
        assertThat(log.lastSequence()).isEqualTo(-1);
    }

    @Test
    void aByteIsFoundFromTheFirstToTheLastOfItsRecord() {
        TailLog log = new TailLog(CHUNK, POLICY);
        log.add(mirrored(0, 100, 50));
        log.add(mirrored(1, 150, 50));
        log.add(coded(2, 300, 50));
        assertThat(log.mirroredFrom(99)).isEmpty();
        assertThat(log.mirroredFrom(100)).hasSize(2);
        assertThat(log.mirroredFrom(149)).hasSize(2);
        assertThat(log.mirroredFrom(150)).hasSize(1);
        assertThat(log.mirroredFrom(199)).hasSize(1);
        assertThat(log.mirroredFrom(200)).isEmpty();
        assertThat(log.mirroredFrom(300)).isEmpty();
        assertThat(log.codedAt(299)).isEmpty();
        assertThat(log.codedAt(300)).isPresent();
        assertThat(log.codedAt(349)).isPresent();
        assertThat(log.codedAt(350)).isEmpty();
        assertThat(log.codedAt(100)).isEmpty();
        assertThat(log.coverage())
                .isEqualTo(new TailCoverage(
                        List.of(new TailCoverage.Range(100, 200)), List.of(new TailCoverage.Range(300, 350))));
    }

    @Test
    void itIsDirtyUntilItsBytesAndItsNameAreOnDisk() {
        TailLog log = new TailLog(CHUNK, POLICY);
        assertThat(log.dirty()).isFalse();
        assertThat(log.nameSynced()).isTrue();
        assertThat(log.namesSynced()).isFalse();
        log.synced(0);
        assertThat(log.namesSynced()).isTrue();
        assertThat(log.syncedUpTo(0)).isTrue();
        assertThat(log.syncedUpTo(1)).isFalse();
        log.made();
        assertThat(log.nameSynced()).isFalse();
        assertThat(log.dirty()).as("its name").isTrue();
        log.synced(CELL);
        assertThat(log.dirty()).isFalse();
        log.add(mirrored(0, 0, 5));
        assertThat(log.nameSynced()).isTrue();
        assertThat(log.dirty()).as("its bytes").isTrue();
        log.synced(CELL);
        log.bytesChanged();
        assertThat(log.syncedUpTo(CELL)).isFalse();
        assertThat(log.namesSynced()).as("the names are on disk as before").isTrue();
    }

    private void append(Volume volume, TailRecord record) throws IOException {
        append(volume, record.sequence() - 1, record);
    }

    /** @param last number of the record before */
    private void append(Volume volume, long last, TailRecord record) throws IOException {
        volume.tails()
                .append(
                        CHUNK,
                        1,
                        record,
                        0,
                        false,
                        Chunks.sent(volume, CHUNK, last),
                        payload(CHUNK, record.offset(), record.length()));
    }

    private static ChunkReply.TailBytes read(Volume volume, long from, int most) throws IOException {
        return volume.tails().read(CHUNK, from, most, Unpooled.buffer(8 * CELL));
    }

    /** Lengths of records of which each begins at the next of these places in the file, and the last has 100 bytes. */
    private List<TailRecord> recordsAt(long... places) {
        List<TailRecord> records = new ArrayList<>();
        long offset = 0;
        for (int i = 0; i < places.length; i++) {
            long room = i + 1 < places.length ? places[i + 1] - places[i] : TailRecordFormat.fileBytes(100);
            int length = 1;
            while (TailRecordFormat.fileBytes(length) < room) {
                length++;
            }
            assertThat(TailRecordFormat.fileBytes(length)).isEqualTo(room);
            records.add(mirrored(i, offset, length));
            offset += length;
        }
        return records;
    }

    /** @param lost indexes of the records that are not found */
    private void assertFindsBesideABadSector(long badSector, boolean rotten, List<Integer> lost, long... places)
            throws IOException {
        MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, new Random(1));
        List<TailRecord> records = recordsAt(places);
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            volume.create(CHUNK, Stamp.NONE, LARGE, 1);
            for (TailRecord record : records) {
                append(volume, record);
            }
        }
        disk.restart(Loss.NOTHING);
        disk.failSector(FILE, badSector * 4096);
        if (rotten) {
            disk.flipBit(FILE, 20, 3);
        }
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            TailCoverage found = volume.tails().coverage(CHUNK);
            for (int i = 0; i < records.size(); i++) {
                TailRecord record = records.get(i);
                assertThat(found.mirroredUntil(record.offset()) >= record.end())
                        .as("record %d at %d, bad sector %d", i, places[i], badSector)
                        .isEqualTo(!lost.contains(i));
            }
        }
    }

    @Test
    void aBadSectorCostsOnlyTheRecordsThatReachIntoIt() throws IOException {
        assertFindsBesideABadSector(2, false, List.of(1), 0, 5000, 12_400); // reads from 5,001 on would skip to 13,193
        assertFindsBesideABadSector(2, false, List.of(1), 0, 5000, 12_288, 12_500);
        assertFindsBesideABadSector(1, true, List.of(0, 2), 0, 1084, 1268, 8300); // sound in the sector before it
        for (long head = 4096 - TailRecordFormat.HEAD_BYTES - 1; head <= 4097; head++) { // across two sound sectors
            assertFindsBesideABadSector(3, true, List.of(0, 2), 0, head, 6000, 20_000);
        }
        // Around the end of what is searched at a time, too.
        assertFindsBesideABadSector(16, true, List.of(0, 2), 0, 65_300, 65_500, 69_700);
        assertFindsBesideABadSector(15, true, List.of(0, 1), 0, 61_000, 65_600);
    }

    /** The head of the next record lies at each place around the end of what is searched at a time. */
    @Test
    void recordsFarBehindADamagedOneAreFoundWhereverTheyBegin() throws IOException {
        for (int headAt = 65_452; headAt <= 65_462; headAt++) {
            MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, random);
            int length = headAt - TailRecordFormat.HEAD_BYTES - 16 * Integer.BYTES;
            try (Volume volume = Chunks.open(disk, random)) {
                volume.create(CHUNK, Stamp.NONE, LARGE, 1);
                append(volume, mirrored(0, 0, length));
                assertThat(disk.length(FILE)).hasValue(headAt);
                append(volume, mirrored(1, length, 100));
            }
            disk.flipBit(FILE, 0, 0);
            disk.restart(Loss.NOTHING);
            try (Volume volume = Chunks.open(disk, random)) {
                assertThat(volume.tails().coverage(CHUNK).mirrored())
                        .as("head at %s", headAt)
                        .containsExactly(new TailCoverage.Range(length, length + 100));
            }
        }
    }

    @Test
    void aRecordThatRottedCoversNothingFromThenOn() throws IOException {
        MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, random);
        try (Volume volume = Chunks.open(disk, random)) {
            volume.create(CHUNK, Stamp.NONE, POLICY, 1);
            append(volume, mirrored(0, 0, 100));
            append(volume, mirrored(1, 200, 100));
            disk.flipBit(FILE, TailRecordFormat.HEAD_BYTES + 50, 0);
            assertCode(ErrorCode.CHUNK_CORRUPT, () -> read(volume, 0, CELL));
            assertThat(read(volume, 0, CELL).length()).isZero();
            assertThat(volume.tails().coverage(CHUNK).mirrored()).containsExactly(new TailCoverage.Range(200, 300));
            disk.truncate(FILE, TailRecordFormat.fileBytes(100) + 99);
            assertCode(ErrorCode.CHUNK_CORRUPT, () -> read(volume, 200, CELL));
        }
    }

    @Test
    void ofAChunkWithoutALogAndBesideItsRecordsThereIsNothing() throws IOException {
        MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, random);
        try (Volume volume = Chunks.open(disk, random)) {
            volume.create(CHUNK, Stamp.NONE, POLICY, 1);
            ChunkReply.TailBytes nothing = new ChunkReply.TailBytes(CHUNK, TailForm.MIRRORED, 7, 0, 0);
            assertThat(read(volume, 7, CELL)).isEqualTo(nothing);
            assertThat(volume.tails().coverage(CHUNK)).isEqualTo(TailCoverage.NONE);
            append(volume, mirrored(0, 100, 50));
            assertThat(read(volume, 7, CELL)).isEqualTo(nothing);
            assertThat(read(volume, 120, 10))
                    .isEqualTo(new ChunkReply.TailBytes(CHUNK, TailForm.MIRRORED, 120, 10, 10));
        }
    }

    /** Otherwise the next record would lie behind bytes that are none. */
    @Test
    void aRecordForWhichThereIsNoRoomLeavesTheLogAsItWas() throws IOException {
        MemoryVolumeIo disk = new MemoryVolumeIo("disk", 1500, random);
        try (Volume volume = Chunks.open(disk, random)) {
            volume.create(CHUNK, Stamp.NONE, POLICY, 1);
            append(volume, mirrored(0, 0, 100));
            long length = disk.length(FILE).orElseThrow();
            int tooLong = (int) disk.space().freeBytes();
            assertCode(ErrorCode.VOLUME_FULL, () -> append(volume, mirrored(1, 100, tooLong)));
            assertThat(disk.length(FILE)).hasValue(length);
            append(volume, 0, mirrored(2, 100, 50));
            assertThat(read(volume, 0, CELL).length()).isEqualTo(150);
        }
    }

    @Test
    void cellsFollowAtTheEndByWholeWindowsUpToTheLargestChunk() {
        long limit = POLICY.groupBytes() / POLICY.dataChunks();
        ChunkHeader header = ChunkHeader.opened(CHUNK, 0, POLICY, 1);
        ChunkFiles files = new ChunkFiles(Place.WRITING, CHUNK);
        StoredChunk chunk = StoredChunk.sound(files, header, limit - 4096);
        assertThatCode(() -> chunk.requireAppend(limit - 4096, 4096, 0)).doesNotThrowAnyException();
        assertThatCode(() -> chunk.requireAppend(limit - 4096, 0, 0)).doesNotThrowAnyException();
        assertCode(ErrorCode.INVALID_ARGUMENT, () -> chunk.requireAppend(limit - 4096, 4097, 0));
        assertCode(ErrorCode.INVALID_ARGUMENT, () -> chunk.requireAppend(limit - 4096, -1, 0));
        assertCode(ErrorCode.INVALID_ARGUMENT, () -> chunk.requireAppend(limit - 8192, 10, 0));
        StoredChunk uneven = StoredChunk.sound(files, header, 100);
        assertCode(ErrorCode.INVALID_ARGUMENT, () -> uneven.requireAppend(100, 10, 0));
        StoredChunk tailed = StoredChunk.sound(files, header.withTail(4096, 15_000), 4096);
        assertThatCode(() -> tailed.requireAppend(4096, 100, 20_000))
                .as("another tail takes the place of one that has no byte yet")
                .doesNotThrowAnyException();
        StoredChunk begun = StoredChunk.sound(files, header.withTail(0, 15_000), 4096);
        assertThatCode(() -> begun.requireAppend(4096, 100, 15_000)).doesNotThrowAnyException();
        assertCode(ErrorCode.INVALID_ARGUMENT, () -> begun.requireAppend(4096, 100, 20_000));
        assertCode(ErrorCode.INVALID_ARGUMENT, () -> begun.requireAppend(4096, 100, 0));
    }
}
