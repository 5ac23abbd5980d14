package io.ecfs.datanode.store;

import static io.ecfs.datanode.store.Chunks.CELL;
import static io.ecfs.datanode.store.Chunks.POLICY;
import static io.ecfs.datanode.store.Chunks.append;
import static io.ecfs.datanode.store.Chunks.finalised;
import static io.ecfs.datanode.store.Chunks.id;
import static io.ecfs.datanode.store.VolumeAssertions.assertCode;
import static io.ecfs.datanode.store.VolumeAssertions.assertReads;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.datanode.store.disk.DirectoryVolumeIo;
import io.ecfs.datanode.store.io.UnreadableFileException;
import io.ecfs.datanode.store.memory.DiskFaults;
import io.ecfs.datanode.store.memory.DiskFaults.Operation;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkState;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a start makes of the files that it finds. */
class VolumeStartTest {
    private static final ChunkId CHUNK = id(17, 3);
    private static final String DATA = "finalised/11/17.3.0.data";
    private static final String SUM = "finalised/11/17.3.0.sum";

    private final Random random = new Random(1);
    private final MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, random);

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

    // HORRORS 39 (SeaweedFS #9938): half-done publication is completed only when every byte verifies.
    @Test
    void anInterruptedPublicationIsCompletedOnlyWhenItsBytesVerify() throws IOException {
        for (boolean damaged : new boolean[] {false, true}) {
            ChunkId chunk = id(17, damaged ? 1 : 0);
            try (Volume volume = Chunks.open(disk, random)) {
                volume.create(chunk, Stamp.NONE, POLICY, 1);
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
            assertCode(
                    ErrorCode.WRONG_CLUSTER,
                    () -> Volume.open(disk, stranger, Chunks.terms(0), () -> new java.util.UUID(1, 1)));
        }
        assertThat(disk.mutations()).isEqualTo(mutations);
    }

    @Test
    // HDDS-10652, HDDS-6209
    void anotherLayoutVersionIsRefusedAndLeftAsItIs() throws IOException {
        Chunks.open(disk, random).close();
        byte[] text = new byte[(int) disk.length("VERSION").orElseThrow()];
        disk.read("VERSION", 0, ByteBuffer.wrap(text));
        String body = new String(text, StandardCharsets.UTF_8).replace("layoutVersion=2", "layoutVersion=3");
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
            assertReads(volume, CHUNK, 5000, 4096, 4096, 12288);
            assertThat(volume.dataFile(CHUNK)).hasValue(directory.resolve(DATA).toString());
        }
        try (Volume volume = Chunks.open(new DirectoryVolumeIo(directory, 1), random)) {
            assertThat(volume.chunkCount()).isEqualTo(5);
            assertThat(volume.chunkBytes()).isEqualTo(5L * (2 * CELL + 100));
            assertReads(volume, CHUNK, 0, 2 * CELL + 100, 0, 2 * CELL + 100);
            volume.delete(CHUNK, Stamp.NONE);
        }
        assertThat(Files.exists(directory.resolve(DATA))).isFalse();
        assertThat(Files.exists(directory.resolve(SUM))).isFalse();
    }

    /** Who has the files open compares the header that it was shown with the one that is there. */
    @Test
    void condemningAChunkChangesItsHeaderForLocalReaders(@TempDir Path directory) throws IOException {
        try (Volume volume = Chunks.open(new DirectoryVolumeIo(directory, 4), random)) {
            finalised(volume, id(17, 3), CELL);
            ChunkReply.LocalFiles shown = volume.local(id(17, 3));
            assertThat(shown.headerCrc()).isEqualTo(headerCrc(shown));
            volume.condemn(id(17, 3));
            assertThat(headerCrc(shown)).isNotEqualTo(shown.headerCrc());
            assertCode(ErrorCode.CHUNK_CORRUPT, () -> volume.local(id(17, 3)));
        }
    }

    private static int headerCrc(ChunkReply.LocalFiles shown) throws IOException {
        CRC32C crc = new CRC32C();
        crc.update(Files.readAllBytes(Path.of(shown.checksumFile())), 0, (int) shown.checksumsAt());
        return (int) crc.getValue();
    }

    /**
     * Moved back to be written further, and then its bytes cannot be read: its files are found where they are by then.
     */
    @Test
    void anUnreadableUnfinishedChunkIsDeletedWithItsFiles() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            volume.create(CHUNK, Stamp.NONE, POLICY, 1);
            append(volume, CHUNK, 1, 0, CELL, false);
            finalised(volume, id(18, 0), CELL);
        }
        disk.createDirectory("finalised/11");
        disk.rename("writing/11/17.3.0.data", DATA);
        disk.rename("writing/11/17.3.0.sum", SUM);
        disk.faults((operation, path, number) -> {
            if (operation == Operation.READ && path.endsWith("17.3.0.data")) {
                throw new UnreadableFileException(path, path + ": Input/output error");
            }
        });
        try (Volume volume = Chunks.open(disk, random)) {
            assertThat(volume.find(CHUNK)).map(ChunkRecord::state).hasValue(ChunkState.BEING_WRITTEN);
            assertThat(volume.find(CHUNK)).map(ChunkRecord::bytes).hasValue(0L);
            disk.faults(DiskFaults.NONE);
            assertThat(volume.delete(CHUNK, Stamp.NONE)).isTrue();
            assertThat(disk.files()).noneMatch(file -> file.contains("17.3.0"));
        }
    }
}
