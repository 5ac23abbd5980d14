package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.base.Await;
import io.ecfs.client.read.FileReader;
import io.ecfs.message.FilePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads of chunks on the client's machine, from their files. */
class LocalReadTest {
    private static final int STRIPE = 128 << 10;

    @TempDir
    private static Path directory;

    private static TestCluster cluster;

    @BeforeAll
    static void start() throws IOException {
        cluster = TestCluster.start(directory, "rs-2-2-64k", 1, 5, "namenode.settings.recovery.atOnce=0");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void aChunkThatIsReadAgainIsReadFromItsFile() throws IOException {
        byte[] file = Pattern.bytes(1, 9 * STRIPE + 777);
        cluster.write("/again", file);
        try (EcfsClient client = TestCluster.client(cluster.uri())) {
            readUntilLocal(client, "/again", file);
            long before = client.locallyReadBytes();
            assertThat(TestCluster.read(client, "/again")).isEqualTo(file);
            assertThat(client.locallyReadBytes() - before).isEqualTo(file.length);
            assertThat(client.loanedBuffers()).isZero();
        }
    }

    @Test
    void aClientThatIsToldNotToReadsNothingFromFiles() throws IOException {
        byte[] file = Pattern.bytes(2, 5 * STRIPE);
        cluster.write("/remote", file);
        try (EcfsClient client = TestCluster.client(cluster.uri(), "local.on=false")) {
            for (int i = 0; i < 5; i++) {
                assertThat(TestCluster.read(client, "/remote")).isEqualTo(file);
            }
            assertThat(client.locallyReadBytes()).isZero();
        }
    }

    @Test
    void anOpenFileOutlivesItsDeletion() throws IOException {
        byte[] file = Pattern.bytes(3, 5 * STRIPE + 5);
        cluster.write("/deleted", file);
        try (EcfsClient client = TestCluster.client(cluster.uri())) {
            readUntilLocal(client, "/deleted", file);
            Path chunk = chunkFile("/deleted", 0);
            FileReader open = Await.result(client.open(new FilePath("/deleted")));
            Await.result(client.delete(new FilePath("/deleted"), false));
            await("the chunk to go").atMost(TestCluster.PATIENCE).until(() -> !Files.exists(chunk));
            byte[] got = new byte[file.length];
            open.read(0, java.nio.ByteBuffer.wrap(got));
            assertThat(got).isEqualTo(file);
        }
    }

    @Test
    void aBitThatFlipsInAFileIsNoticedAnsweredFromOtherChunksAndReported() throws IOException {
        byte[] file = Pattern.bytes(4, 5 * STRIPE + 99);
        cluster.write("/rotten", file);
        cluster.log.expect("event=chunk_corrupt");
        try (EcfsClient client = TestCluster.client(cluster.uri())) {
            readUntilLocal(client, "/rotten", file);
            DiskTest.flip(chunkFile("/rotten", 1), 70_000);
            assertThat(TestCluster.read(client, "/rotten")).isEqualTo(file);
            cluster.awaitReport(
                    "the rotten chunk to be counted", r -> r.groups().degraded() == 1);
        }
        Await.result(cluster.client().delete(new FilePath("/rotten"), false));
    }

    @Test
    void aFileThatIsCutIsReadOverTheNetwork() throws IOException {
        byte[] file = Pattern.bytes(5, 5 * STRIPE + 99);
        cluster.write("/cut", file);
        cluster.log.expect("event=chunk_corrupt");
        try (EcfsClient client = TestCluster.client(cluster.uri())) {
            readUntilLocal(client, "/cut", file);
            try (var chunk = Files.newByteChannel(chunkFile("/cut", 0), java.nio.file.StandardOpenOption.WRITE)) {
                chunk.truncate(1000);
            }
            assertThat(TestCluster.read(client, "/cut")).isEqualTo(file);
            assertThat(client.loanedBuffers()).isZero();
        }
        Await.result(cluster.client().delete(new FilePath("/cut"), false));
    }

    /** The files are opened beside the reads: some pass over the network before. */
    private static void readUntilLocal(EcfsClient client, String path, byte[] file) {
        await("all of " + path + " to be read from files")
                .atMost(TestCluster.PATIENCE)
                .until(() -> {
                    long before = client.locallyReadBytes();
                    assertThat(TestCluster.read(client, path)).isEqualTo(file);
                    return client.locallyReadBytes() - before == file.length;
                });
    }

    private static Path chunkFile(String path, int index) throws IOException {
        JsonNode chunk = cluster.layout(path).at("/groups/0/chunks/" + index);
        return Path.of(chunk.get("file").asText());
    }
}
