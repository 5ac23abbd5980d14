package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.console.local.ClusterPlan;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever comes in wrong gets a clear error, harms nobody else and loses nothing: one file must outlive it all. */
class BadInputTest {
    private static final byte[] FILE = Pattern.bytes(1, 500_000);

    @TempDir
    private static Path directory;

    private static TestCluster cluster;

    @BeforeAll
    static void start() throws IOException {
        cluster = TestCluster.start(directory.resolve("one"), "rs-2-1-64k", 1, 4);
        cluster.write("/file", FILE);
    }

    @AfterAll
    static void theFileIsWhole() throws IOException {
        try (TestCluster closed = cluster) {
            assertThat(closed.read("/file")).isEqualTo(FILE);
        }
    }

    static Stream<List<String>> wrongUsage() {
        return Stream.of(
                List.of("frobnicate"),
                List.of("admin"),
                List.of("admin", "report", "--frobnicate"),
                List.of("admin", "layout", "relative/path"),
                List.of("admin", "layout", "/" + "x".repeat(300)),
                List.of("admin", "layout", "/" + "xxxxxxxxx/".repeat(900) + "x"),
                List.of("admin", "layout", "/a/../b"),
                List.of("ec", "set", "rs-6-3-1024kk", "/"),
                List.of("ec", "set", "rs-1000-3-64k", "/"),
                List.of("ec", "get"),
                List.of("ec", "set", "/", "--ring", "flash", "--pack", "off"),
                List.of("ring"),
                List.of("ring", "set", "flash"),
                List.of("ring", "set", "flash", "--writers", "many"),
                List.of("ring", "create", "none", "--colours", "2", "--writers", "1", "--volumes", "v1,v2"),
                List.of("ring", "create", "flash", "--colours", "2", "--writers", "-1", "--volumes", "v1"),
                List.of("ring", "create", "flash", "--colours", "2", "--writers", "1"),
                List.of("up", "--policy", "rs-0-1-64k"),
                List.of("up", "--dir", "unused", "--datanodes", "2"),
                List.of("up", "--namenodes", "two"));
    }

    @ParameterizedTest
    @MethodSource("wrongUsage")
    void wrongUsageEndsWithTwoAndSaysWhy(List<String> words) {
        List<String> all = new ArrayList<>(words);
        if (List.of("report", "layout", "set", "get").contains(words.size() > 1 ? words.get(1) : "")) {
            all.addAll(2, List.of("--cluster", cluster.uri()));
        }
        Ecfs ran = Ecfs.run(all.toArray(String[]::new));
        assertThat(ran.code()).as(ran.err()).isEqualTo(2);
        assertThat(ran.err()).isNotBlank().doesNotContain("\tat ");
        assertThat(ran.out()).isEmpty();
    }

    @Test
    void optionsThatContradictEachOtherAreRefusedBeforeAnybodyIsAsked() {
        Ecfs ran = Ecfs.run("admin", "moves", "pause", "--dry-run", "--follow", "--cluster", "ecfs://nobody");
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("--follow", "--dry-run", "use one of them");
        assertThat(ran.errorLines()).isEqualTo(1);
    }

    @Test
    void aCommandThatNeedsAnotherNamesThemAll() {
        assertThat(Ecfs.run("admin").err().lines().findFirst().orElseThrow())
                .contains("report", "moves", "quota", "throttle");
    }

    @Test
    void whatDoesNotExistEndsWithOneAndOneLine() {
        Ecfs layout = Ecfs.run("admin", "layout", "--cluster", cluster.uri(), "/nowhere");
        assertThat(layout.code()).isEqualTo(1);
        assertThat(layout.err()).contains("/nowhere");
        assertThat(layout.errorLines()).isEqualTo(1);
        Ecfs cat = cluster.fs("-cat", "/nowhere");
        assertThat(cat.code()).isEqualTo(1);
        assertThat(cat.err()).contains("No such file");
        Ecfs name = cluster.fs("-touchz", "/" + "x".repeat(300));
        assertThat(name.code()).isEqualTo(2); // Hadoop's shell takes a name that cannot be for wrong usage
        assertThat(name.err()).contains("255");
    }

    @Test
    void aRingOfVolumesWithoutJournalsIsRefused() {
        Ecfs ran = Ecfs.run(
                "ring",
                "create",
                "flash",
                "--colours",
                "2",
                "--writers",
                "1",
                "--volumes",
                "v1,v2",
                "--cluster",
                cluster.uri());
        assertThat(ran.code()).as(ran.err()).isEqualTo(2);
        assertThat(ran.err()).contains("volume v1,", "has no journal", "store.journal.directory");
        assertThat(ran.errorLines()).isEqualTo(1);
    }

    @Test
    void anAddressWithoutAClusterFailsAtTheDeadline() throws IOException {
        int nobody;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = socket.getLocalPort();
        }
        Ecfs ran = Ecfs.run(
                "fs",
                "--cluster",
                "ecfs://127.0.0.1:" + nobody,
                "-D",
                "fs.ecfs.client.namenodeDeadline=2s",
                "-ls",
                "/");
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains("no leading namenode answered within 2 s", "127.0.0.1:" + nobody);
        assertThat(ran.errorLines()).isEqualTo(1);
    }

    @Test
    void aPortThatSpeaksSomethingElseIsNamed() throws IOException {
        try (ServerSocket web = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> talkNonsense(web), "nonsense");
            server.start();
            String address = "127.0.0.1:" + web.getLocalPort();
            Ecfs ran = Ecfs.run("admin", "report", "--cluster", "ecfs://" + address);
            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.err()).contains(address);
            assertThat(ran.errorLines()).isEqualTo(1);
        }
    }

    private static void talkNonsense(ServerSocket server) {
        while (!server.isClosed()) {
            try (Socket peer = server.accept()) {
                peer.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                peer.getOutputStream().flush();
                peer.getInputStream().read();
            } catch (IOException closed) {
                // the client hung up, or the test is over
            }
        }
    }

    @Test
    void aForgedTokenReadsNothing() throws IOException {
        LocatedGroup group = Await.result(cluster.client().locate(new FilePath("/file"), 0, FILE.length))
                .groups()
                .get(0);
        ChunkLocation chunk = group.chunks().get(0);
        BlockToken real = group.token();
        byte[] signature = real.signature().clone();
        signature[5] ^= 1;
        BlockToken forged =
                new BlockToken(real.group(), Stamp.NONE, real.right(), real.expiresAtMillis(), real.keyId(), signature);
        assertThatThrownBy(() -> Await.result(cluster.client().probe(chunk, forged)))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOKEN_REFUSED));
        assertThat(Await.result(cluster.client().probe(chunk, real)).record().bytes())
                .isPositive();
    }

    @Test
    void aWriterWithoutMemoryForOneStripeIsRefusedAndLeavesNoFile() throws IOException {
        try (EcfsClient small = TestCluster.client(cluster.uri(), "writeBudgetBytes=100k")) {
            assertThatThrownBy(() -> Await.result(small.create(new FilePath("/unwritten"), CreateOptions.defaults())))
                    .isInstanceOfSatisfying(
                            EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                    .hasMessageContaining("writeBudgetBytes");
            assertThatThrownBy(() -> Await.result(small.create(
                            new FilePath("/unwritten2"),
                            CreateOptions.defaults().withPolicy(Policy.parse("rs-2-1-64k")))))
                    .hasMessageContaining("writeBudgetBytes");
        }
        assertThat(cluster.fs("-ls", "/unwritten2").code()).isEqualTo(1);
    }

    @Test
    void aDatanodeOfAnotherClusterIsRefusedAndItsDataStays() throws IOException {
        cluster.log.expect("event=namenode_refuses");
        Path foreign = directory.resolve("two");
        try (TestCluster other = TestCluster.start(foreign, "rs-2-1-64k", 1, 3)) {
            other.write("/theirs", FILE);
            other.log.expect("event=namenode_refuses");
            other.stop("dn0");
            Map<String, Long> before = sizes(foreign.resolve("dn0"));
            ClusterPlan.NamenodePlan ours = cluster.plan().namenodes().get(0);
            ClusterPlan.NamenodePlan theirs = other.plan().namenodes().get(0);
            pointAt(foreign, theirs.address().toString(), ours.address().toString());
            other.startUnheard("dn0");
            org.awaitility.Awaitility.await("our namenode refuses it")
                    .atMost(TestCluster.PATIENCE)
                    .until(() -> cluster.log.holds("event=namenode_refuses"));
            assertThat(sizes(foreign.resolve("dn0"))).isEqualTo(before);
            assertThat(Await.result(cluster.client().admin().report()).datanodes())
                    .hasSize(4);
            other.stop("dn0");
            pointAt(foreign, ours.address().toString(), theirs.address().toString());
            other.start("dn0");
            other.awaitAllGroupsHealthy();
            assertThat(other.read("/theirs")).isEqualTo(FILE);
        }
    }

    private static void pointAt(Path cluster, String from, String to) throws IOException {
        Path conf = cluster.resolve("conf/dn0.yaml");
        Files.writeString(conf, Files.readString(conf).replace(from, to));
    }

    @Test
    void aVolumeOfAnotherLayoutVersionIsRefusedAndNothingInItChanges() throws IOException {
        cluster.stop("dn1");
        Path volume = cluster.directoryOf("dn1").resolve("volume0");
        Path version = volume.resolve("VERSION");
        byte[] ours = Files.readAllBytes(version);
        Files.writeString(version, withVersion(new String(ours, StandardCharsets.UTF_8), 99));
        Map<String, Long> before = sizes(volume);
        assertThatThrownBy(() -> cluster.start("dn1"))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INCOMPATIBLE_VERSION))
                .hasMessageContaining("99")
                .hasMessageContaining(volume.toString());
        assertThat(sizes(volume)).isEqualTo(before);
        Files.write(version, ours);
        cluster.start("dn1");
        cluster.awaitAllGroupsHealthy();
    }

    private static String withVersion(String text, int version) {
        String body = text.substring(0, text.lastIndexOf("crc32c="))
                .replaceFirst("layoutVersion=\\d+", "layoutVersion=" + version);
        CRC32C crc = new CRC32C();
        crc.update(body.getBytes(StandardCharsets.UTF_8));
        return body + "crc32c=" + Long.toHexString(crc.getValue()) + "\n";
    }

    @Test
    void fullDisksRefuseNewFilesClearlyAndKeepTheOldOnes() throws IOException {
        Path full = directory.resolve("full");
        try (TestCluster small = TestCluster.start(full, "rs-2-1-64k", 1, 3)) {
            small.write("/before", FILE);
            small.stop("dn0", "dn1", "dn2");
            for (int i = 0; i < 3; i++) {
                Path overrides = full.resolve("conf/dn" + i + ".overrides");
                Files.writeString(overrides, Files.readString(overrides) + "store.reserveBytes=900000GiB\n");
            }
            small.start("dn0", "dn1", "dn2");
            small.awaitAllGroupsHealthy();
            Path local = Files.write(directory.resolve("local"), FILE);
            Ecfs put = small.fs("-D", "fs.ecfs.client.namenodeDeadline=3s", "-put", local.toString(), "/after");
            assertThat(put.code()).isEqualTo(1);
            assertThat(put.err()).containsAnyOf("space", "room", "full", "FULL");
            assertThat(small.read("/before")).isEqualTo(FILE);
            JsonNode groups = small.report().get("groups");
            assertThat(groups.get("lost").asInt()).isZero();
        }
    }

    private static Map<String, Long> sizes(Path root) throws IOException {
        Map<String, Long> sizes = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(root)) {
            for (Path file : walk.filter(Files::isRegularFile).toList()) {
                sizes.put(root.relativize(file).toString(), Files.size(file));
            }
        }
        return sizes;
    }
}
