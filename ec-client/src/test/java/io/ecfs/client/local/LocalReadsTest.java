package io.ecfs.client.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.buffer.BufferPool;
import io.ecfs.client.base.ChunkSource;
import io.ecfs.client.base.ChunkSource.ChunkRead;
import io.ecfs.client.base.LocalConfig;
import io.ecfs.env.ManualTime;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.transfer.ChunkBytes;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.transfer.ChunkPayload;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Chunk files of 10,000 bytes in a directory, a datanode that says where they are, and a network that only counts. */
class LocalReadsTest {
    private static final int BYTES = 10_000;
    private static final int HEADER = 512;
    private static final BlockToken TOKEN = new BlockToken(
            new GroupId(1), Stamp.NONE, BlockToken.Right.READ, Long.MAX_VALUE, 1, new byte[BlockToken.SIGNATURE_BYTES]);
    private static final LocalConfig CONFIG = new LocalConfig(true, 2, Duration.ofSeconds(60), 2);

    @TempDir
    private Path directory;

    private final ManualTime time = new ManualTime(1);
    private final BufferPool buffers = new BufferPool("test", 1 << 20);
    private final byte[] data = new byte[BYTES];
    private int overTheNetwork;
    private int found;
    private String fileKey = "";
    private Map<ChunkId, ErrorCode> refused = Map.of();
    private LocalReads reads;

    @BeforeEach
    void start() {
        new Random(1).nextBytes(data);
        ChunkSource network = read -> {
            overTheNetwork++;
            return CompletableFuture.completedFuture(bytes(read.location().chunk(), read.offset(), read.bytes()));
        };
        reads = new LocalReads(
                network,
                new ChunkClient(new Shows(), Duration.ofSeconds(1)),
                Optional.empty(),
                CONFIG,
                time,
                time.scheduler("owner"),
                time.workers("files", CONFIG.threads(), 100),
                buffers);
    }

    @AfterEach
    void everythingIsGivenBack() {
        reads.close();
        assertThat(buffers.loans()).isZero();
    }

    @Test
    void theFirstTwoReadsOfAChunkAreTheNetworksAndThoseAfterItsFiles() throws IOException {
        place(0);
        read(0, 0, 100);
        assertThat(found).isZero();
        read(0, 5_000, 100);
        assertThat(overTheNetwork).isEqualTo(2);
        assertThat(found).isEqualTo(1);
        for (int[] range : new int[][] {{0, 1}, {0, BYTES}, {4095, 2}, {8192, 1808}, {9_999, 1}}) {
            read(0, range[0], range[1]);
        }
        assertThat(overTheNetwork).isEqualTo(2);
        assertThat(reads.bytesRead()).isEqualTo(1 + BYTES + 2 + 1808 + 1);
    }

    @Test
    void anotherFileAtTheSamePathIsNotRead() throws IOException {
        place(0);
        fileKey = "(dev=1,ino=1)";
        readOften(0);
        assertThat(reads.bytesRead()).isZero();
        assertThat(overTheNetwork).isEqualTo(5);
    }

    @Test
    void aFifoIsNotOpened() throws Exception {
        Path file = place(0);
        Files.delete(file);
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();
        readOften(0);
        assertThat(reads.bytesRead()).isZero();
        assertThat(overTheNetwork).isEqualTo(5);
    }

    @Test
    void aDatanodeThatShowsNothingIsAskedOnceAndAgainTenMinutesLater() throws IOException {
        readOften(0);
        readOften(1);
        assertThat(found).isEqualTo(1);
        place(2);
        time.advance(Duration.ofMinutes(11));
        readOften(2);
        assertThat(found).isEqualTo(2);
        assertThat(reads.bytesRead()).isEqualTo(3 * BYTES);
    }

    @ParameterizedTest
    @EnumSource(names = {"CHUNK_MISSING", "CHUNK_CORRUPT", "CHUNK_INCOMPLETE", "TOKEN_REFUSED"})
    void aRefusalOfOneChunkIsNoneOfTheOthersOfItsDatanode(ErrorCode code) throws IOException {
        place(0);
        place(1);
        refused = Map.of(new ChunkId(new GroupId(1), 0, 0), code);
        readOften(0);
        assertThat(reads.bytesRead()).isZero();
        readOften(1);
        assertThat(reads.bytesRead()).isEqualTo(3 * BYTES);
        assertThat(found).isEqualTo(2);
    }

    @Test
    void aFileWhoseBytesDoNotMatchIsLeftAlone() throws IOException {
        Path file = place(0);
        readOften(0);
        byte[] rotten = Files.readAllBytes(file);
        rotten[4_500] ^= 4;
        Files.write(file, rotten);
        int before = overTheNetwork;
        read(0, 0, 4_096);
        assertThat(overTheNetwork).isEqualTo(before);
        read(0, 4_096, 1_000);
        read(0, 0, 10);
        assertThat(overTheNetwork).isEqualTo(before + 2);
    }

    @Test
    void aChunkWhoseHeaderChangesIsNotReadFromItsFilesAnyMore() throws IOException {
        Path file = place(0);
        readOften(0);
        int before = overTheNetwork;
        read(0, 4_096, 1_000);
        assertThat(overTheNetwork).isEqualTo(before);
        byte[] sums = Files.readAllBytes(Path.of(file + ".sum"));
        sums[256 + 6] = 3; // as the datanode marks a chunk that it has condemned
        Files.write(Path.of(file + ".sum"), sums);
        read(0, 4_096, 1_000);
        read(0, 0, 1);
        assertThat(overTheNetwork).isEqualTo(before + 2);
    }

    @Test
    void aFileThatEndsTooSoonIsLeftAlone() throws IOException {
        Path file = place(0);
        readOften(0);
        Files.write(file, Arrays.copyOf(data, 5_000));
        int before = overTheNetwork;
        read(0, 0, BYTES);
        assertThat(overTheNetwork).isEqualTo(before + 1);
    }

    @Test
    void noMoreChunksAreKeptThanAllowedAndNoneThatNobodyReads() throws IOException {
        for (int i = 0; i < 3; i++) {
            place(i);
            readOften(i);
        }
        assertThat(found).isEqualTo(3);
        readOften(0); // was crowded out by the third
        assertThat(found).isEqualTo(4);
        time.advance(Duration.ofMinutes(3));
        readOften(0);
        assertThat(found).isEqualTo(5);
    }

    private void readOften(int index) {
        for (int i = 0; i < 5; i++) {
            read(index, 0, BYTES);
        }
    }

    private void read(int index, int offset, int bytes) {
        CompletableFuture<ChunkBytes> reading = reads.read(new ChunkRead(location(index), offset, bytes, TOKEN, false));
        time.until(reading::isDone, Duration.ofSeconds(1));
        try (ChunkBytes read = reading.join()) {
            assertThat(ByteBufUtil.getBytes(read.slice(offset, offset + bytes)))
                    .isEqualTo(Arrays.copyOfRange(data, offset, offset + bytes));
        }
        time.advance(Duration.ofMillis(1)); // what goes on beside the read
    }

    private Path place(int index) throws IOException {
        Path file = file(index);
        Files.write(file, data);
        try (ChunkBytes whole = bytes(chunk(index), 0, BYTES)) {
            byte[] checksums = new byte[HEADER + ChunkPayload.checksumBytes(BYTES)];
            whole.payload().getBytes(0, checksums, HEADER, checksums.length - HEADER);
            Files.write(Path.of(file + ".sum"), checksums);
        }
        return file;
    }

    /** The windows that cover a range, sealed, as a datanode would send them. */
    private ChunkBytes bytes(ChunkId chunk, long offset, int bytes) {
        int from = (int) offset / ChunkPayload.WINDOW_BYTES * ChunkPayload.WINDOW_BYTES;
        int length = (int) offset + bytes - from;
        ByteBuf payload = Unpooled.buffer(ChunkPayload.payloadBytes(length));
        payload.writerIndex(ChunkPayload.checksumBytes(length)).writeBytes(data, from, length);
        ChunkPayload.seal(payload, length);
        return new ChunkBytes(chunk, from, length, payload);
    }

    private Path file(int index) {
        return directory.resolve(index + ".data");
    }

    private static ChunkId chunk(int index) {
        return new ChunkId(new GroupId(1), index, 0);
    }

    private static ChunkLocation location(int index) {
        return new ChunkLocation(
                chunk(index),
                new VolumeId(1),
                new DatanodeId("dn"),
                new Address("127.0.0.1", 1),
                "/rack",
                ChunkLocation.State.LIVE);
    }

    /** A datanode that shows the files that are there. */
    private final class Shows implements Caller {
        @Override
        public CompletableFuture<Envelope> call(Address to, Message request, ByteBuf payload, Duration timeout) {
            found++;
            ChunkId chunk = ((ChunkRequest.FindLocally) request).chunk();
            if (refused.containsKey(chunk)) {
                return CompletableFuture.failedFuture(new EcfsException(refused.get(chunk), "not this one"));
            }
            Path file = file(chunk.index());
            try {
                Object key =
                        Files.readAttributes(file, BasicFileAttributes.class).fileKey();
                return CompletableFuture.completedFuture(Envelope.of(new ChunkReply.LocalFiles(
                        chunk,
                        BYTES,
                        file.toString(),
                        fileKey.isEmpty() ? key.toString() : fileKey,
                        file + ".sum",
                        HEADER,
                        headerCrc(file),
                        Optional.empty())));
            } catch (IOException e) {
                return CompletableFuture.failedFuture(new EcfsException(ErrorCode.UNSUPPORTED, "no files here"));
            }
        }

        private int headerCrc(Path file) throws IOException {
            CRC32C crc = new CRC32C();
            crc.update(Files.readAllBytes(Path.of(file + ".sum")), 0, HEADER);
            return (int) crc.getValue();
        }

        @Override
        public void close() {}
    }
}
