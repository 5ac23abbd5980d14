package io.ecfs.fault.inject;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChunkRotTest {
    private static final int BYTES = 10_000;
    private static final int HEADER = 512;

    @TempDir
    private Path directory;

    private final SplittableRandom random = new SplittableRandom(1);
    private Path data;
    private byte[] before;
    private byte[] sumsBefore;

    @BeforeEach
    void aChunk() throws IOException {
        data = directory.resolve("1.0.0.data");
        before = new byte[BYTES];
        random.nextBytes(before);
        Files.write(data, before);
        sumsBefore = checksums(before);
        Files.write(ChunkRot.checksums(data), sumsBefore);
    }

    private static byte[] checksums(byte[] bytes) {
        ByteBuffer sums = ByteBuffer.allocate(HEADER + 4 * 3);
        sums.position(HEADER);
        for (int at = 0; at < bytes.length; at += 4096) {
            CRC32C crc = new CRC32C();
            crc.update(bytes, at, Math.min(4096, bytes.length - at));
            sums.putInt((int) crc.getValue());
        }
        return sums.array();
    }

    private static int differences(byte[] one, byte[] other) {
        int bits = 0;
        for (int i = 0; i < one.length; i++) {
            bits += Integer.bitCount((one[i] ^ other[i]) & 0xff);
        }
        return bits;
    }

    @Test
    void oneBitIsFlipped() throws IOException {
        ChunkRot.flipData(data, random);
        assertThat(differences(Files.readAllBytes(data), before)).isOne();
        ChunkRot.flipChecksum(data, random);
        byte[] sums = Files.readAllBytes(ChunkRot.checksums(data));
        assertThat(differences(sums, sumsBefore)).isOne();
        for (int at = 0; at < HEADER; at++) {
            assertThat(sums[at]).isEqualTo(sumsBefore[at]);
        }
    }

    @Test
    void forgedBytesHaveTheirRightChecksums() throws IOException {
        ChunkRot.forge(data, random);
        byte[] forged = Files.readAllBytes(data);
        assertThat(forged).hasSize(BYTES).isNotEqualTo(before);
        assertThat(Files.readAllBytes(ChunkRot.checksums(data))).isEqualTo(checksums(forged));
    }

    @Test
    void filesAreCutDeletedAndSwapped() throws IOException {
        Path other = directory.resolve("2.0.0.data");
        Files.write(other, new byte[77]);
        Files.write(ChunkRot.checksums(other), new byte[HEADER + 4]);
        ChunkRot.swap(data, other);
        assertThat(Files.readAllBytes(other)).isEqualTo(before);
        assertThat(Files.readAllBytes(ChunkRot.checksums(other))).isEqualTo(sumsBefore);
        assertThat(data).hasSize(77);
        ChunkRot.cut(other);
        assertThat(other).hasSize(BYTES / 2);
        ChunkRot.delete(other);
        assertThat(other).doesNotExist();
    }
}
