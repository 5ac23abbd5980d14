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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.datanode.store.disk.DirectoryVolumeIo;
import io.ecfs.datanode.store.io.FileRegion;
import io.ecfs.datanode.store.io.NotMountedException;
import io.ecfs.datanode.store.io.ReadOnlyVolumeException;
import io.ecfs.datanode.store.io.VolumeFullException;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.transfer.ChunkPayload;
import io.ecfs.transfer.ReadRange;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every way in which a chunk is read or looked at: what it gives, and that what is not the chunk's is judged and never
 * given.
 */
class ChunkReadsTest {
    private static final ChunkId CHUNK = id(17, 3);
    private static final ChunkId OTHER = id(17, 4);
    private static final String DATA = "finalised/11/17.3.0.data";
    private static final String SUM = "finalised/11/17.3.0.sum";
    private static final int BYTES = 2 * CELL + 100;

    private final Random random = new Random(1);
    private final MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, random);
    private Volume volume;

    @BeforeEach
    void open() throws IOException {
        volume = Chunks.open(disk, random);
        finalised(volume, CHUNK, BYTES);
    }

    @AfterEach
    void close() {
        volume.close();
    }

    private ChunkState state() {
        return volume.find(CHUNK).orElseThrow().state();
    }

    private static ByteBuf room() {
        return Unpooled.buffer(4 * CELL);
    }

    /** In place of the chunk's files come another chunk's, with checksums that match its own bytes. */
    private void exchange() throws IOException {
        finalised(volume, OTHER, BYTES);
        disk.delete(DATA);
        disk.delete(SUM);
        disk.rename("finalised/11/17.4.0.data", DATA);
        disk.rename("finalised/11/17.4.0.sum", SUM);
    }

    @Test
    void theChecksumsAloneAreThoseOfTheWindows() throws IOException {
        for (long offset : new long[] {0, 4096, 2L * CELL}) {
            int bytes = (int) Math.min(4097, BYTES - offset);
            ByteBuf into = room();
            ReadRange range = volume.checksums(CHUNK, offset, bytes, into);
            assertThat(range.from()).isEqualTo(offset);
            ByteBuf whole = payload(CHUNK, offset, range.bytes());
            assertThat(into).isEqualTo(whole.slice(0, ChunkPayload.checksumBytes(range.bytes())));
        }
    }

    @Test
    void ofAChunkThatIsBeingWrittenNoFilesAreShown() throws IOException {
        volume.create(OTHER, Stamp.NONE, POLICY, 1);
        append(volume, OTHER, 1, 0, CELL, false);
        assertReads(volume, OTHER, 0, CELL, 0, CELL);
        assertCode(ErrorCode.CHUNK_INCOMPLETE, () -> volume.local(OTHER));
        assertCode(ErrorCode.UNSUPPORTED, () -> volume.local(CHUNK));
        assertThat(volume.lend(OTHER, 0, CELL, room())).isEmpty();
        assertThat(volume.lend(CHUNK, 0, CELL, room())).as("memory is not lent").isEmpty();
    }

    /** A chunk that is whole may never be published: its datanode was away, or its disk takes no change. */
    @Test
    void anOpenChunkHasChecksumsOfAllItsBytes() throws IOException {
        volume.create(OTHER, Stamp.NONE, POLICY, 1);
        append(volume, OTHER, 1, 0, CELL, false);
        append(volume, OTHER, 1, CELL, 100, true);
        for (int bytes : new int[] {4096, CELL, CELL + 100}) {
            ByteBuf into = room();
            assertThat(volume.checksums(OTHER, 0, bytes, into).bytes()).isEqualTo(bytes);
            assertThat(into).isEqualTo(payload(OTHER, 0, bytes).slice(0, ChunkPayload.checksumBytes(bytes)));
        }
        ByteBuf into = room();
        assertCode(ErrorCode.UNSUPPORTED, () -> volume.checksums(OTHER, 0, CELL - 1, into));
        assertCode(ErrorCode.UNSUPPORTED, () -> volume.checksums(OTHER, 0, CELL + 99, into));
        assertThat(into.writerIndex()).isZero();
    }

    @Test
    void filesThatAreAnotherChunksAreNotReadFromAnywhere() throws IOException {
        exchange();
        ByteBuf into = room();
        assertCode(ErrorCode.CHUNK_CORRUPT, () -> volume.read(CHUNK, CELL, 1, into));
        assertThat(into.writerIndex()).isZero();
        assertThat(state()).isEqualTo(ChunkState.CORRUPT);
    }

    @Test
    void filesThatAreAnotherChunksHaveNoChecksumsForAnybody() throws IOException {
        exchange();
        for (long offset : new long[] {0, CELL}) {
            ByteBuf into = room();
            assertCode(ErrorCode.CHUNK_CORRUPT, () -> volume.checksums(CHUNK, offset, 1, into));
            assertThat(into.writerIndex()).isZero();
        }
        assertThat(state()).isEqualTo(ChunkState.CORRUPT);
    }

    @Test
    void filesThatAreAnotherChunksAreNotShownToProcessesOfThisMachine() throws IOException {
        exchange();
        assertCode(ErrorCode.CHUNK_CORRUPT, () -> volume.local(CHUNK));
        assertThat(state()).isEqualTo(ChunkState.CORRUPT);
    }

    @Test
    void aFileThatEndsTooSoonIsACorruptChunk() throws IOException {
        disk.truncate(DATA, CELL);
        assertReads(volume, CHUNK, 0, CELL, 0, CELL);
        ByteBuf into = room();
        assertCode(ErrorCode.CHUNK_CORRUPT, () -> volume.read(CHUNK, CELL, 1, into));
        assertThat(into.writerIndex()).isZero();
        assertThat(state()).isEqualTo(ChunkState.CORRUPT);
        assertCode(ErrorCode.CHUNK_CORRUPT, () -> volume.read(CHUNK, 0, 1, room()));
    }

    @Test
    void checksumsThatEndTooSoonAreACorruptChunk() throws IOException {
        disk.truncate(SUM, ChunkHeader.BYTES + 4);
        assertReads(volume, CHUNK, 0, 4096, 0, 4096);
        assertCode(ErrorCode.CHUNK_CORRUPT, () -> volume.checksums(CHUNK, 4096, 1, room()));
        assertThat(state()).isEqualTo(ChunkState.CORRUPT);
    }

    /** A disk that went away takes no chunk with it: they are there again when it is. */
    @Test
    void withoutItsVersionFileTheDiskIsGoneAndNotTheChunk() throws IOException {
        disk.delete("VERSION");
        disk.delete(DATA);
        assertCode(ErrorCode.VOLUME_FAILED, () -> volume.read(CHUNK, 0, 1, room()));
        assertThat(volume.state()).isEqualTo(VolumeState.FAILED);
        assertThat(state()).isEqualTo(ChunkState.FINALISED);
        assertCode(ErrorCode.VOLUME_FAILED, () -> volume.probe(CHUNK));
        assertCode(ErrorCode.VOLUME_FAILED, () -> volume.scan(CHUNK, 0, CELL));
        assertCode(ErrorCode.VOLUME_FAILED, () -> volume.fence(CHUNK, 5));
    }

    @Test
    void aLookGoesFromWindowToWindowUntilTheEnd() throws IOException {
        assertThat(volume.scan(CHUNK, 0, CELL)).isEqualTo(new Volume.ScannedSlice(CELL, false, true));
        assertThat(volume.scan(CHUNK, CELL, CELL)).isEqualTo(new Volume.ScannedSlice(2L * CELL, false, true));
        assertThat(volume.scan(CHUNK, 2L * CELL, CELL)).isEqualTo(new Volume.ScannedSlice(BYTES, true, true));
        assertThat(volume.scan(CHUNK, 4L * CELL, CELL)).isEqualTo(new Volume.ScannedSlice(4L * CELL, false, true));
        assertThat(volume.scan(OTHER, CELL, CELL))
                .as("there is none")
                .isEqualTo(new Volume.ScannedSlice(CELL, true, true));
    }

    @Test
    void aLookFindsDamageInItsPartAlone() throws IOException {
        disk.flipBit(DATA, CELL + 5, 3);
        assertThat(volume.scan(CHUNK, 0, CELL).sound()).isTrue();
        assertThat(state()).isEqualTo(ChunkState.FINALISED);
        assertThat(volume.scan(CHUNK, CELL, CELL)).isEqualTo(new Volume.ScannedSlice(2L * CELL, true, false));
        assertThat(state()).isEqualTo(ChunkState.CORRUPT);
        assertThat(volume.scan(CHUNK, 0, CELL))
                .as("all of it is known")
                .isEqualTo(new Volume.ScannedSlice(0, true, true));
    }

    @Test
    void aCheckOfTheBeginningFindsALostHeaderOrAShortFile() throws IOException {
        disk.flipBit(SUM, 3, 0);
        disk.flipBit(SUM, ChunkHeader.SLOT_BYTES + 3, 0);
        assertThat(volume.scan(CHUNK, CELL, CELL).sound()).isTrue();
        assertThat(volume.scan(CHUNK, 0, CELL).sound()).isFalse();
    }

    @Test
    void aLookFindsThatTheEndIsMissing() throws IOException {
        disk.truncate(DATA, BYTES - 1);
        assertThat(volume.scan(CHUNK, 0, CELL).sound()).isFalse();
        assertThat(state()).isEqualTo(ChunkState.CORRUPT);
    }

    @Test
    void aWrongVerdictIsTakenBackUnlessItIsOfTheGroup() throws IOException {
        disk.flipBit(DATA, 5, 3);
        assertThat(volume.verify(CHUNK)).map(ChunkRecord::state).hasValue(ChunkState.CORRUPT);
        disk.flipBit(DATA, 5, 3);
        assertThat(volume.verify(CHUNK)).map(ChunkRecord::state).hasValue(ChunkState.FINALISED);
        assertReads(volume, CHUNK, 0, BYTES, 0, BYTES);
        volume.condemn(CHUNK);
        assertThat(volume.verify(CHUNK)).map(ChunkRecord::state).hasValue(ChunkState.CORRUPT);
        volume.condemn(OTHER);
        assertThat(volume.find(OTHER)).isEmpty();
    }

    @Test
    void aVerdictOnAChunkThatIsBeingWrittenLeavesItsHeaderAlone() throws IOException {
        volume.create(OTHER, Stamp.NONE, POLICY, 1);
        append(volume, OTHER, 1, 0, CELL, false);
        String data = "writing/11/17.4.0.data";
        disk.flipBit(data, 5, 3);
        long mutations = disk.mutations();
        assertThat(volume.verify(OTHER)).map(ChunkRecord::state).hasValue(ChunkState.CORRUPT);
        assertThat(disk.mutations()).isEqualTo(mutations);
        disk.flipBit(data, 5, 3);
        assertThat(volume.verify(OTHER)).map(ChunkRecord::state).hasValue(ChunkState.BEING_WRITTEN);
        append(volume, OTHER, 1, CELL, CELL, false);
    }

    /** The verdict holds until a start, though the disk takes no mark. */
    @Test
    void aDiskThatTakesNoMarkKeepsItsChunkCorruptAllTheSame() throws IOException {
        disk.flipBit(DATA, 5, 3);
        for (IOException refusal :
                new IOException[] {new VolumeFullException("no room"), new ReadOnlyVolumeException("no change")}) {
            disk.faults((operation, path, number) -> {
                if (operation.mutates()) {
                    throw refusal;
                }
            });
            assertThat(volume.verify(CHUNK)).map(ChunkRecord::state).hasValue(ChunkState.CORRUPT);
            disk.faults((operation, path, number) -> {});
            disk.flipBit(DATA, 5, 3);
            assertThat(volume.verify(CHUNK)).map(ChunkRecord::state).hasValue(ChunkState.FINALISED);
            disk.flipBit(DATA, 5, 3);
        }
    }

    /** A mark over it would vouch for the other chunk's bytes. */
    @Test
    void aForeignHeaderIsNeverMarked() throws IOException {
        exchange();
        ByteBuffer before = ByteBuffer.allocate(ChunkHeader.BYTES);
        disk.read(SUM, 0, before);
        assertThat(volume.verify(CHUNK)).map(ChunkRecord::state).hasValue(ChunkState.CORRUPT);
        ByteBuffer after = ByteBuffer.allocate(ChunkHeader.BYTES);
        disk.read(SUM, 0, after);
        assertThat(after.flip()).isEqualTo(before.flip());
    }

    @Test
    void bytesOfARealDirectoryAreBorrowedWithTheirChecksums(@TempDir Path directory) throws IOException {
        try (Volume real = Chunks.open(new DirectoryVolumeIo(directory, 4), random)) {
            finalised(real, CHUNK, BYTES);
            for (long offset : new long[] {0, CELL + 5}) {
                ByteBuf checksums = room();
                FileRegion lent = real.lend(CHUNK, offset, 100, checksums).orElseThrow();
                long from = offset / 4096 * 4096;
                assertThat(lent.range()).isEqualTo(new ReadRange(from, from + 4096));
                assertThat(lent.file().offset()).isEqualTo(from);
                assertThat(checksums).isEqualTo(payload(CHUNK, from, 4096).slice(0, 4));
                ByteBuffer bytes = ByteBuffer.allocate(4096);
                lent.file().file().read(bytes, from);
                assertThat(Unpooled.wrappedBuffer(bytes.flip()))
                        .isEqualTo(ChunkPayload.data(payload(CHUNK, from, 4096), 4096));
                lent.file().close();
            }
            assertThat(real.local(CHUNK).bytes()).isEqualTo(BYTES);
            assertThat(real.dataFile(CHUNK)).contains(real.path() + "/" + DATA);
            assertThat(real.path()).isEqualTo(directory.toAbsolutePath().toString());
        }
    }

    @Test
    void bytesThatCannotBeLentAreReadAndJudgedThen(@TempDir Path directory) throws IOException {
        DirectoryVolumeIo io = new DirectoryVolumeIo(directory, 4);
        try (Volume real = Chunks.open(io, random)) {
            finalised(real, CHUNK, BYTES);
            io.truncate(DATA, CELL);
            assertThat(real.lend(CHUNK, CELL, 1, room())).isEmpty();
            io.delete(DATA);
            assertThat(real.lend(CHUNK, 0, 1, room())).isEmpty();
            assertThat(real.find(CHUNK)).map(ChunkRecord::state).hasValue(ChunkState.FINALISED);
            io.delete("VERSION");
            assertCode(ErrorCode.VOLUME_FAILED, () -> real.lend(CHUNK, 0, 1, room()));
        }
    }

    @Test
    void aVolumeTellsItsRoomAndKeepsItsReserve() throws IOException {
        MemoryVolumeIo small = new MemoryVolumeIo("small", 10_000, random);
        try (Volume tight = Volume.open(small, Chunks.OWNER, Chunks.terms(9000), () -> new UUID(1, 1))) {
            long free = tight.space().freeBytes();
            assertThat(tight.space()).isEqualTo(small.space());
            assertThat(tight.state()).isEqualTo(VolumeState.HEALTHY);
            assertThat(tight.uuid()).isEqualTo(new UUID(1, 1).toString());
            small.create("ballast");
            small.write("ballast", 0, ByteBuffer.allocate((int) free - 9000));
            tight.measure();
            assertThat(tight.space().freeBytes()).isEqualTo(9000);
            assertThat(tight.state()).as("the reserve is whole").isEqualTo(VolumeState.HEALTHY);
            small.write("ballast", free - 9000, ByteBuffer.allocate(1));
            assertThat(tight.state()).as("as last measured").isEqualTo(VolumeState.HEALTHY);
            assertCode(ErrorCode.VOLUME_FULL, () -> tight.create(CHUNK, Stamp.NONE, POLICY, 1));
            assertThat(tight.state()).isEqualTo(VolumeState.FULL);
        }
    }

    @Test
    void aNoteSurvivesAndADamagedOneIsMalformedAndNoReasonToFail() throws IOException {
        assertThat(volume.note("scrub")).isEmpty();
        volume.note("scrub", Map.of("at", "17"));
        assertThat(volume.note("scrub")).contains(Map.of("at", "17"));
        disk.flipBit("scrub", 1, 0);
        assertCode(ErrorCode.MALFORMED, () -> volume.note("scrub"));
        assertThat(volume.state()).isEqualTo(VolumeState.HEALTHY);
        disk.faults((operation, path, number) -> {
            throw new IOException("Input/output error");
        });
        assertCode(ErrorCode.VOLUME_FAILED, () -> volume.note("scrub"));
    }

    @Test
    void whereNoneMayBeMadeAnEmptyDirectoryIsNotMounted() throws IOException {
        VolumeTerms usual = Chunks.terms(0);
        VolumeTerms terms = new VolumeTerms(0, usual.readErrors(), usual.clock(), false);
        MemoryVolumeIo empty = new MemoryVolumeIo("empty", 1 << 20, random);
        assertThatThrownBy(() -> Volume.open(empty, Chunks.OWNER, terms, UUID::randomUUID))
                .isInstanceOf(NotMountedException.class);
        assertThat(empty.files()).isEmpty();
        volume.close();
        volume = Volume.open(disk, Chunks.OWNER, terms, UUID::randomUUID);
        assertThat(volume.records(Optional.empty(), 10)).hasSize(1);
    }
}
