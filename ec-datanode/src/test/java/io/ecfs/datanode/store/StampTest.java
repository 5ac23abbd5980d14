package io.ecfs.datanode.store;

import static io.ecfs.datanode.store.Chunks.CELL;
import static io.ecfs.datanode.store.Chunks.POLICY;
import static io.ecfs.datanode.store.Chunks.id;
import static io.ecfs.datanode.store.Chunks.payload;
import static io.ecfs.datanode.store.VolumeAssertions.assertCode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/**
 * Two groups had one number, before and after the namenodes' state was rolled back: their stamps tell their chunks
 * apart.
 */
class StampTest {
    private static final ChunkId CHUNK = id(17, 3);
    private static final int OLD = 0x0DD;
    private static final int NEW = 0xBEEF_0001;

    private final Random random = new Random(1);
    private final MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, random);

    @Test
    void aChunkOfAnotherGroupOfItsNumberIsLeftAlone() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            volume.put(CHUNK, OLD, POLICY, 7, CELL, 3L * CELL, true, payload(CHUNK, 0, CELL));
            assertCode(ErrorCode.CHUNK_MISSING, () -> volume.requireStamp(CHUNK, NEW));
            assertCode(ErrorCode.ALREADY_EXISTS, () -> volume.create(CHUNK, NEW, POLICY, 8));
            assertCode(
                    ErrorCode.ALREADY_EXISTS,
                    () -> volume.put(CHUNK, NEW, POLICY, 7, CELL, 3L * CELL, true, payload(CHUNK, 0, CELL)));
            assertThat(volume.delete(CHUNK, NEW)).isFalse();
        }
        try (Volume again = Chunks.open(disk, random)) {
            assertThat(again.probe(CHUNK).stamp()).isEqualTo(OLD);
            assertThatCode(() -> again.requireStamp(CHUNK, OLD)).doesNotThrowAnyException();
            assertThat(again.delete(CHUNK, OLD)).isTrue();
        }
    }

    /** Through all that changes a header. */
    @Test
    void theStampStaysUntilAChunkGoes() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            volume.create(CHUNK, NEW, POLICY, 1);
            Chunks.append(volume, CHUNK, 1, 0, CELL, false);
            Chunks.append(volume, CHUNK, 1, CELL, 100, true);
            assertThat(volume.fence(CHUNK, 5).orElseThrow().stamp()).isEqualTo(NEW);
            assertThat(volume.finalise(CHUNK, CELL, 3L * CELL).stamp()).isEqualTo(NEW);
            volume.condemn(CHUNK);
            assertThat(volume.find(CHUNK).orElseThrow().stamp()).isEqualTo(NEW);
        }
    }

    @Test
    void aHeaderWhoseBytesAreLostIsOfNoGroupAndItsGarbageGoes() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            volume.put(CHUNK, OLD, POLICY, 7, CELL, 3L * CELL, true, payload(CHUNK, 0, CELL));
        }
        disk.write(sum(), 0, ByteBuffer.allocate(ChunkHeader.BYTES));
        try (Volume again = Chunks.open(disk, random)) {
            assertThat(again.probe(CHUNK).stamp()).isZero();
            assertThat(again.delete(CHUNK, NEW)).isTrue();
        }
    }

    /** What 6e8d76b wrote: headers and directories of version 1. */
    @Test
    void aVolumeOfTheReleaseBeforeStampsIsReadAndRaised() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            volume.put(CHUNK, 0, POLICY, 7, CELL, 3L * CELL, true, payload(CHUNK, 0, CELL));
        }
        ByteBuffer slot = ByteBuffer.allocate(ChunkHeader.SLOT_BYTES);
        disk.read(sum(), 0, slot);
        slot.putShort(4, (short) 1);
        CRC32C crc = new CRC32C();
        crc.update(slot.slice(0, ChunkHeader.SLOT_BYTES - Integer.BYTES));
        slot.putInt(ChunkHeader.SLOT_BYTES - Integer.BYTES, (int) crc.getValue());
        disk.write(sum(), 0, slot.clear());
        Map<String, String> version = TextFile.read(disk, VersionFile.NAME).orElseThrow();
        version = new java.util.LinkedHashMap<>(version);
        version.remove("crc32c");
        version.put("layoutVersion", "1");
        TextFile.write(disk, VersionFile.NAME, version);

        VolumeIdentity stranger = new VolumeIdentity("", "dn9", new UUID(9, 9).toString(), "");
        assertCode(ErrorCode.WRONG_CLUSTER, () -> Volume.open(disk, stranger, Chunks.terms(0), () -> new UUID(1, 1)));
        assertThat(TextFile.read(disk, VersionFile.NAME).orElseThrow()).containsEntry("layoutVersion", "1");
        try (Volume again = Chunks.open(disk, random)) {
            assertThat(again.probe(CHUNK).stamp()).isZero();
            VolumeAssertions.assertReads(again, CHUNK, 0, CELL, 0, CELL);
        }
        assertThat(TextFile.read(disk, VersionFile.NAME).orElseThrow()).containsEntry("layoutVersion", "2");
    }

    private static String sum() {
        return new ChunkFiles(ChunkFiles.Place.FINALISED, CHUNK).sum();
    }
}
