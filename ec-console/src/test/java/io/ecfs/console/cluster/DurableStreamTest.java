package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Streams that acknowledge before they are closed, and files that are changed after it, on a real cluster in one
 * process.
 */
class DurableStreamTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-64k");

    @TempDir
    private static Path directory;

    private static TestCluster cluster;

    @BeforeAll
    static void up() throws IOException {
        cluster = TestCluster.start(directory, POLICY.name(), 1, 6, "namenode.settings.leaseCloseWait=1m");
    }

    @AfterAll
    static void down() {
        cluster.close();
    }

    private static EcfsOutputStream create(EcfsClient client, String path) throws IOException {
        return Await.result(client.create(new FilePath(path), CreateOptions.defaults()));
    }

    private static EcfsOutputStream append(String path) throws IOException {
        return Await.result(cluster.client().append(new FilePath(path), false));
    }

    private static List<Path> tailLogs() throws IOException {
        return TestCluster.filesBelow(directory).stream()
                .filter(file -> file.toString().endsWith(".tail"))
                .toList();
    }

    @Test
    void aLostWritersFileEndsWithEverythingThatItWasToldIsSafe() throws IOException {
        byte[] bytes = Pattern.bytes(3, 5 * (int) POLICY.stripeBytes());
        Random random = new Random(3);
        for (int round = 0; round < 4; round++) {
            String path = "/lost" + round;
            int acknowledged = 0;
            EcfsOutputStream out;
            try (EcfsClient gone = TestCluster.client(cluster.uri())) {
                out = create(gone, path);
                for (int record = 0; record < 12; record++) {
                    int length = 1 + random.nextInt(record % 3 == 0 ? 60_000 : 700);
                    out.write(bytes, acknowledged, length);
                    out.hsync();
                    acknowledged += length;
                    assertThat(cluster.read(path)).isEqualTo(Arrays.copyOf(bytes, acknowledged));
                }
                out.write(bytes, acknowledged, 100);
            }
            assertThatThrownBy(out::close).isInstanceOf(IOException.class);
            FilePath file = new FilePath(path);
            assertThat(Await.result(cluster.client().recoverLease(file)))
                    .as("closed by the first call")
                    .isTrue();
            assertThat(cluster.read(path)).as("round %d", round).isEqualTo(Arrays.copyOf(bytes, acknowledged));
            assertThat(Await.result(cluster.client().status(file)).length()).isEqualTo(acknowledged);
        }
        cluster.awaitAllGroupsHealthy();
        await("no record is left of files that are closed")
                .atMost(TestCluster.PATIENCE)
                .untilAsserted(() -> assertThat(tailLogs()).isEmpty());
    }

    /** Its chunks were not begun when the file was taken, so no fence keeps the writer out of them. */
    @Test
    void aWriterFromWhichTheFileWasTakenBeforeItsFirstByteIsToldSo() throws IOException {
        FilePath file = new FilePath("/taken");
        EcfsOutputStream out = create(cluster.client(), "/taken");
        try (EcfsClient another = TestCluster.client(cluster.uri())) {
            assertThat(Await.result(another.recoverLease(file)))
                    .as("closed by the first call")
                    .isTrue();
        }
        out.write(Pattern.bytes(5, 1000));
        assertThatThrownBy(out::hsync).isInstanceOf(IOException.class).hasMessageContaining("file");
        assertThatThrownBy(out::close).isInstanceOf(IOException.class);
        assertThat(Await.result(cluster.client().status(file)).length()).isZero();
    }

    @Test
    void tenThousandSmallRecordsTakeNoMoreRoomThanOneWrite() throws IOException {
        int records = 1500;
        byte[] bytes = Pattern.bytes(5, records * 512);
        try (EcfsOutputStream out = create(cluster.client(), "/small")) {
            for (int record = 0; record < records; record++) {
                out.write(bytes, record * 512, 512);
                out.hflush();
            }
        }
        assertThat(cluster.read("/small")).isEqualTo(bytes);
        assertThat(cluster.layout("/small").get("groups")).hasSize(1);
        long stored = 0;
        for (var chunk : cluster.layout("/small").at("/groups/0/chunks")) {
            stored += Files.size(Path.of(chunk.get("file").asText()));
        }
        assertThat((double) stored).isLessThan(bytes.length * (5 / 3.0) * 1.02);
    }

    @Test
    void anAppendGoesOnBehindWhatIsThere() throws IOException {
        byte[] bytes = Pattern.bytes(7, 700_000);
        try (EcfsOutputStream out = create(cluster.client(), "/log")) {
            out.write(bytes, 0, 100_000);
        }
        int length = 100_000;
        for (int more : new int[] {1, 200_000, 0, 300_000}) {
            try (EcfsOutputStream out = append("/log")) {
                assertThat(out.position()).isEqualTo(length);
                out.write(bytes, length, more);
                out.hsync();
                length += more;
                assertThat(cluster.read("/log")).isEqualTo(Arrays.copyOf(bytes, length));
                assertThatThrownBy(() -> append("/log"))
                        .isInstanceOfSatisfying(
                                EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LEASE_CONFLICT));
            }
            assertThat(cluster.read("/log")).isEqualTo(Arrays.copyOf(bytes, length));
        }
    }

    @Test
    void anAppendThatIsGivenUpLeavesWhatWasThere() throws IOException {
        byte[] bytes = Pattern.bytes(8, 50_000);
        cluster.write("/kept", Arrays.copyOf(bytes, 20_000));
        EcfsOutputStream out = append("/kept");
        out.write(bytes, 20_000, 10_000);
        out.hflush();
        out.write(bytes, 30_000, 20_000);
        out.abort();
        assertThat(Await.result(cluster.client().recoverLease(new FilePath("/kept"))))
                .as("closed by the first call")
                .isTrue();
        assertThat(cluster.read("/kept")).isEqualTo(Arrays.copyOf(bytes, 30_000));
    }

    @Test
    void aTruncatedFileEndsWhereItWasCutAndGoesOnThere() throws IOException {
        int stripe = (int) POLICY.stripeBytes();
        byte[] bytes = Pattern.bytes(9, 4 * stripe);
        for (int length : new int[] {0, 1, stripe - 1, stripe, stripe + 1, 3 * stripe + 77}) {
            String path = "/cut" + length;
            cluster.write(path, Arrays.copyOf(bytes, 3 * stripe + 77));
            FilePath file = new FilePath(path);
            assertThat(Await.result(cluster.client().truncate(file, length)).length())
                    .isEqualTo(length);
            assertThat(cluster.read(path)).isEqualTo(Arrays.copyOf(bytes, length));
            try (EcfsOutputStream out = append(path)) {
                out.write(bytes, length, 5000);
            }
            assertThat(cluster.read(path)).isEqualTo(Arrays.copyOf(bytes, length + 5000));
            assertThatThrownBy(() -> Await.result(cluster.client().truncate(file, length + 5001)))
                    .hasMessageContaining("cannot be truncated");
            Await.result(cluster.client().delete(file, false));
        }
    }

    @Test
    void aConcatMovesFilesOfAnyPolicyBehindTheTarget() throws IOException {
        byte[] bytes = Pattern.bytes(11, 900_000);
        cluster.write("/target", Arrays.copyOf(bytes, 250_001));
        int at = 250_001;
        String[] policies = {"rs-3-2-64k", "replication-3-64k", "xor-2-1-64k"};
        FilePath[] sources = new FilePath[policies.length];
        for (int i = 0; i < policies.length; i++) {
            sources[i] = new FilePath("/source" + i);
            try (EcfsOutputStream out = Await.result(cluster.client()
                    .create(sources[i], CreateOptions.defaults().withPolicy(Policy.parse(policies[i]))))) {
                out.write(bytes, at, 200_003);
            }
            at += 200_003;
        }
        FilePath target = new FilePath("/target");
        assertThatThrownBy(() -> Await.result(cluster.client().concat(target, List.of(sources[0], sources[0]))))
                .hasMessageContaining("named twice");
        assertThatThrownBy(() -> Await.result(cluster.client().concat(target, List.of(target))))
                .hasMessageContaining("named twice");
        Await.result(cluster.client().concat(target, List.of(sources)));
        assertThat(cluster.read("/target")).isEqualTo(Arrays.copyOf(bytes, at));
        for (FilePath source : sources) {
            assertThatThrownBy(() -> Await.result(cluster.client().status(source)))
                    .isInstanceOfSatisfying(
                            EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
        }
        Await.result(cluster.client().truncate(target, 251_000));
        assertThat(cluster.read("/target")).isEqualTo(Arrays.copyOf(bytes, 251_000));
    }
}
