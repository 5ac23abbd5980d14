package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.config.ConfigReader;
import io.ecfs.console.local.DaemonStart;
import io.ecfs.datanode.server.DatanodeDaemon;
import io.ecfs.env.real.FileNumbersFound;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.wire.Await;
import io.ecfs.wire.WireLoops;
import io.ecfs.wire.file.FileReceiver;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads of chunks on the client's machine, from their files. */
class LocalReadTest {
    private static final int STRIPE = 128 << 10;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

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
    void aFlippedBitIsReadFromOtherChunksAndReported() throws IOException {
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

    @Tag("soak")
    @Test
    void whoHasNoWayIntoTheDirectoriesReadsOverTheNetwork() throws Exception {
        assumeTrue(OtherUser.possible(), "needs root and setpriv");
        cluster.write("/shut", Pattern.bytes(6, 5 * STRIPE));
        OtherUser.giveAway(volumes(directory, 5));
        assertThat(OtherUser.read(directory.resolve("shut.out"), cluster.uri(), "/shut", 6, 5 * STRIPE))
                .contains("local=0");
    }

    @Test
    void whoHasNoWayIntoTheDirectoriesGetsOpenFiles(@TempDir Path own) throws Exception {
        assumeTrue(OtherUser.possible(), "needs root and setpriv");
        DaemonStart withSocket = (config, loops, kernel, environment) -> DatanodeDaemon.start(
                ConfigReader.with(config, List.of("store.localSocket=" + own.resolve("run/" + config.id() + ".sock"))),
                loops,
                kernel,
                environment);
        try (TestCluster passing = TestCluster.start(own, "rs-2-1-64k", 1, 3, withSocket)) {
            Path socket = own.resolve("run/dn1.sock");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                    .isEqualTo("rw-rw-rw-");
            int length = 5 * STRIPE + 77;
            passing.write("/passed", Pattern.bytes(7, length));
            OtherUser.giveAway(volumes(own, 3));
            assertThat(OtherUser.read(own.resolve("passed.out"), passing.uri(), "/passed", 7, length))
                    .contains("local=" + length);
            askAsAStranger(passing, socket.getParent());
            passing.stop("dn1");
            assertThat(socket).doesNotExist();
            Files.createFile(socket); // nobody's
            passing.log.expect("is no socket");
            assertThatThrownBy(() -> passing.startUnheard("dn1")).hasMessageContaining("is no socket");
            Files.delete(socket);
            Files.setPosixFilePermissions(socket.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
            assertThatThrownBy(() -> passing.startUnheard("dn1"))
                    .hasMessageContaining("other users could replace the socket")
                    .hasMessageContaining("chmod go-w " + socket.getParent());
            Files.setPosixFilePermissions(socket.getParent(), PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    /** Whoever has the group's own token gets both files, and a token that nobody signed gets none. */
    private static void askAsAStranger(TestCluster passing, Path sockets) throws IOException {
        LocatedGroup group = Await.result(passing.client().locate(new FilePath("/passed"), 0, 1))
                .groups()
                .get(0);
        ChunkLocation place = group.chunks().get(0);
        Path socket = sockets.resolve(place.datanode() + ".sock");
        BlockToken own = group.token();
        BlockToken forged = new BlockToken(
                own.group(),
                own.stamp(),
                own.right(),
                own.expiresAtMillis(),
                own.keyId(),
                new byte[BlockToken.SIGNATURE_BYTES]);
        WireLoops loops = WireLoops.open("stranger", 1);
        try {
            FileReceiver stranger =
                    FileReceiver.over(loops, FileNumbersFound.find()).orElseThrow();
            for (FileChannel file : Await.result(
                    stranger.ask(socket, new ChunkRequest.FindLocally(place.chunk(), place.volume(), own), PATIENCE))) {
                assertThat(file.size()).isPositive();
                file.close();
            }
            assertThatThrownBy(() -> Await.result(stranger.ask(
                            socket, new ChunkRequest.FindLocally(place.chunk(), place.volume(), forged), PATIENCE)))
                    .hasMessageContaining("closed without an answer");
        } finally {
            loops.close();
        }
    }

    private static List<Path> volumes(Path cluster, int datanodes) {
        return IntStream.range(0, datanodes)
                .mapToObj(number -> cluster.resolve("dn" + number + "/volume0"))
                .toList();
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
