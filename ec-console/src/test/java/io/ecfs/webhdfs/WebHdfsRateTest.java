package io.ecfs.webhdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.config.ConfigReader;
import io.ecfs.console.cluster.TestCluster;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rates of Hadoop's WebHDFS client beside those of ours, in turn, on a cluster in this JVM: the best of each, which
 * what else the machine does disturbs least. The rates are logged, not judged (docs/benchmarks.md); the bytes are compared.
 * {@code -Decfs.webhdfs.rate.mib} is the size of a file.
 */
@Tag("soak")
class WebHdfsRateTest {
    private static final Logger LOG = LoggerFactory.getLogger(WebHdfsRateTest.class);
    private static final int MIB = Integer.getInteger("ecfs.webhdfs.rate.mib", 1024);
    private static final int ROUNDS = 3;

    /** More than of writes: they are short, and the compilers' work on the first ones would be most of them. */
    private static final int READ_ROUNDS = 12;

    private interface Transfer {
        void run() throws IOException;
    }

    private final byte[] piece = new byte[1 << 20];

    @Test
    void everyTransferredByteIsRight(@TempDir Path directory) throws Exception {
        new Random(5).nextBytes(piece);
        try (TestCluster cluster = TestCluster.start(directory, "rs-3-2-1024k", 1, 5, TestCluster.usualLeases());
                WebHdfsServer server = WebHdfsServer.start(ConfigReader.read(
                        WebHdfsConfig.class,
                        "the test's settings",
                        "cluster: \"" + cluster.uri() + "\"",
                        List.of("listen=127.0.0.1:0")));
                FileSystem web =
                        FileSystem.newInstance(URI.create("webhdfs://" + server.address()), new Configuration())) {
            EcfsClient own = cluster.client();
            FilePath file = new FilePath("/own");
            org.apache.hadoop.fs.Path webFile = new org.apache.hadoop.fs.Path("/web");
            long[] best = {Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE};
            for (int round = 0; round < ROUNDS; round++) {
                time(
                        best,
                        0,
                        () -> write(Await.result(
                                own.create(file, CreateOptions.defaults().withOverwrite(true)))));
                time(best, 1, () -> write(web.create(webFile, true)));
            }
            for (int round = 0; round < READ_ROUNDS; round++) {
                time(best, 2, () -> read(Await.result(own.open(file)).stream()));
                time(best, 3, () -> read(web.open(webFile)));
            }
            check(web.open(webFile));
            check(Await.result(own.open(file)).stream());
            double up = (double) best[0] / best[1];
            double down = (double) best[2] / best[3];
            LOG.info(
                    "event=webhdfs_rate mib={} own_up_ms={} web_up_ms={} up_ratio={} own_down_ms={} web_down_ms={}"
                            + " down_ratio={}",
                    MIB,
                    best[0],
                    best[1],
                    up,
                    best[2],
                    best[3],
                    down);
        }
    }

    private static void time(long[] best, int index, Transfer transfer) throws IOException {
        long start = System.nanoTime();
        transfer.run();
        best[index] = Math.min(best[index], (System.nanoTime() - start) / 1_000_000);
    }

    private void write(OutputStream to) throws IOException {
        try (to) {
            for (int i = 0; i < MIB; i++) {
                to.write(numbered(i));
            }
        }
    }

    /** A piece that differs from all others. */
    private byte[] numbered(int number) {
        ByteBuffer.wrap(piece).putInt(0, number);
        return piece;
    }

    /** Reads all once more, not timed, and compares. */
    private void check(InputStream from) throws IOException {
        try (from) {
            for (int i = 0; i < MIB; i++) {
                assertThat(Arrays.equals(from.readNBytes(piece.length), numbered(i)))
                        .as("MiB %d", i)
                        .isTrue();
            }
            assertThat(from.read()).isEqualTo(-1);
        }
    }

    private static void read(InputStream from) throws IOException {
        try (from) {
            byte[] buffer = new byte[256 << 10];
            long bytes = 0;
            for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
                bytes += read;
            }
            assertThat(bytes).isEqualTo((long) MIB << 20);
        }
    }
}
