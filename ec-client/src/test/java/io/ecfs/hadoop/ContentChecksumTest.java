package io.ecfs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.client.Bytes;
import io.ecfs.client.Clusters;
import io.ecfs.layout.Policy;
import io.ecfs.message.chunk.ChunkRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ContentChecksumTest {
    private static final URI NAME = URI.create("ecfs://nn0:1/");
    private static final Path FILE = new Path("/f");
    private static final int CELL = 8192;
    private static final int STRIPE = 3 * CELL;

    private final AtomicInteger reads = new AtomicInteger();
    private Clusters cluster;
    private FileSystem fs;

    @BeforeEach
    void open() throws IOException {
        cluster = new Clusters(5, Policy.parse("rs-3-2-8k"));
        fs = new EcfsFileSystem(cluster.client());
        fs.initialize(NAME, new Configuration(false));
        failing(request -> false);
    }

    @AfterEach
    void close() throws IOException {
        Awaitility.await().until(() -> cluster.onLoan() == 0);
        fs.close();
        cluster.close();
    }

    /** Counts reads of bytes from here on. */
    private void failing(Predicate<ChunkRequest> refused) {
        reads.set(0);
        cluster.refuse(request -> {
            if (request instanceof ChunkRequest.ReadChunk) {
                reads.incrementAndGet();
            }
            return request instanceof ChunkRequest chunk && refused.test(chunk);
        });
    }

    private void write(int length) throws IOException {
        try (FSDataOutputStream out = fs.create(FILE, true)) {
            out.write(Bytes.range(0, length));
        }
    }

    private static byte[] crc(int length) {
        CRC32C crc = new CRC32C();
        crc.update(Bytes.range(0, length));
        return ByteBuffer.allocate(4).putInt((int) crc.getValue()).array();
    }

    @Test
    void noByteIsReadWhateverTheLength() throws IOException {
        for (int length : new int[] {
            0, 1, 100, 4095, 4096, 4097, CELL, STRIPE - 1, STRIPE, STRIPE + 1, 3 * STRIPE + CELL + 77, 20 * STRIPE
        }) {
            write(length);
            assertThat(fs.getFileChecksum(FILE).getBytes())
                    .as("%d bytes", length)
                    .isEqualTo(crc(length));
        }
        assertThat(reads).hasValue(0);
    }

    @Test
    void aPartOfAFileReadsNoMoreThanItsLastCell() throws IOException {
        write(20 * STRIPE);
        for (int length : new int[] {1, CELL, CELL + 1, STRIPE, 5 * STRIPE + CELL + 4096, 5 * STRIPE - 1}) {
            failing(request -> false);
            assertThat(fs.getFileChecksum(FILE, length).getBytes())
                    .as("%d bytes", length)
                    .isEqualTo(crc(length));
            assertThat(reads.get()).as("%d bytes", length).isLessThanOrEqualTo(length % 4096 == 0 ? 0 : 1);
        }
    }

    @Test
    void groupsOfAppendsAreJoined() throws IOException {
        write(STRIPE + 77);
        try (FSDataOutputStream out = fs.append(FILE)) {
            out.write(Bytes.range(STRIPE + 77, 4 * STRIPE));
        }
        assertThat(fs.getFileChecksum(FILE).getBytes()).isEqualTo(crc(4 * STRIPE));
        assertThat(reads).hasValue(0);
    }

    @Test
    void cellsOfAChunkWithoutChecksumsAreRead() throws IOException {
        write(7 * STRIPE + 100);
        failing(request ->
                request instanceof ChunkRequest.ReadChecksums && request.chunk().index() == 1);
        assertThat(fs.getFileChecksum(FILE).getBytes()).isEqualTo(crc(7 * STRIPE + 100));
        assertThat(reads.get()).isPositive();
    }

    @Test
    void aLostChunkIsDecoded() throws IOException {
        write(7 * STRIPE + 100);
        failing(request -> request.chunk().index() == 1);
        assertThat(fs.getFileChecksum(FILE).getBytes()).isEqualTo(crc(7 * STRIPE + 100));
    }

    @Test
    void whatAnOpenFileHasBehindItsSealedGroupsIsRead() throws IOException {
        write(2 * STRIPE);
        try (FSDataOutputStream out = fs.append(FILE)) {
            out.write(Bytes.range(2 * STRIPE, 3 * STRIPE + 50));
            out.hflush();
            assertThat(fs.getFileChecksum(FILE).getBytes()).isEqualTo(crc(3 * STRIPE + 50));
        }
    }
}
