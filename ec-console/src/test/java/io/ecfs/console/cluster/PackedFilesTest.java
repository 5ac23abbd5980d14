package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.ecfs.client.ClusterUri;
import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.Identity;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small files that share groups, on a real cluster in one process. */
class PackedFilesTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-64k");

    @TempDir
    private static Path directory;

    private static TestCluster cluster;

    @BeforeAll
    static void up() throws IOException {
        cluster = TestCluster.start(directory, POLICY.name(), 1, 6);
    }

    @AfterAll
    static void down() {
        cluster.close();
    }

    private static EcfsClient packing(String... more) throws IOException {
        List<String> settings = new ArrayList<>(List.of(more));
        settings.add("pack.on=true");
        return TestCluster.client(cluster.uri(), settings.toArray(String[]::new));
    }

    private static Map<String, byte[]> files(String directory, int count, long seed) {
        Random random = new Random(seed);
        Map<String, byte[]> files = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            int length = random.nextInt(10) == 0 ? 1 + random.nextInt(190_000) : 1 + random.nextInt(30_000);
            files.put(directory + "/f" + i, Pattern.bytes((int) seed + i, length));
        }
        return files;
    }

    private static void writeTogether(EcfsClient client, Map<String, byte[]> files) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<?>> written = new ArrayList<>();
            files.forEach((path, bytes) -> written.add(threads.submit(() -> {
                TestCluster.write(client, path, bytes);
                // Another client finds what a close returned for.
                assertThat(cluster.read(path)).isEqualTo(bytes);
                return null;
            })));
            for (Future<?> one : written) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void assertRead(Map<String, byte[]> files) throws IOException {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            assertThat(cluster.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
        }
    }

    @Test
    void filesThatAreWrittenTogetherShareAGroupAndAreReadWhileItIsOpenAndAfter() throws Exception {
        Map<String, byte[]> files = files("/together", 60, 1);
        try (EcfsClient client = packing()) {
            writeTogether(client, files);
            assertRead(files);
            assertThat(cluster.groups(files.keySet())).hasSize(1);
        }
        assertRead(files);
        cluster.awaitAllGroupsHealthy();
        assertThat(cluster.groups(files.keySet())).hasSize(1);
    }

    @Test
    void bytesOfALostClientAreReadWhenItsPackWasRecovered() throws Exception {
        Map<String, byte[]> files = files("/lost", 30, 2);
        EcfsClient gone = packing("leaseRenewal=1h");
        writeTogether(gone, files);
        assertRead(files);
        GroupId group = cluster.groups(files.keySet()).iterator().next();
        await("the pack is recovered")
                .atMost(TestCluster.PATIENCE)
                .until(() -> cluster.report().at("/groups/open").asLong() == 0);
        assertRead(files);
        assertThat(cluster.groups(files.keySet())).containsExactly(group);
        // Its pack was taken from it: later files are written by themselves.
        TestCluster.write(gone, "/lost/late", new byte[] {7});
        assertThat(cluster.read("/lost/late")).isEqualTo(new byte[] {7});
        gone.close();
    }

    @Test
    void aFileThatGrowsOrIsFlushedHasAGroupOfItsOwn() throws Exception {
        try (EcfsClient client = packing("pack.most=1000")) {
            byte[] big = Pattern.bytes(3, 5 * (int) POLICY.stripeBytes() + 17);
            TestCluster.write(client, "/own/big", big);
            TestCluster.write(client, "/own/small", Pattern.bytes(4, 1000));
            try (EcfsOutputStream out =
                    Await.result(client.create(new FilePath("/own/flushed"), CreateOptions.defaults()))) {
                out.write(1);
                out.hflush();
                out.write(2);
            }
            try (EcfsOutputStream empty =
                    Await.result(client.create(new FilePath("/own/empty"), CreateOptions.defaults()))) {
                assertThat(empty.position()).isZero();
            }
            assertThat(cluster.read("/own/big")).isEqualTo(big);
            assertThat(cluster.read("/own/flushed")).isEqualTo(new byte[] {1, 2});
            assertThat(cluster.read("/own/empty")).isEmpty();
            assertThat(cluster.groups(Set.of("/own/big", "/own/small", "/own/flushed")))
                    .hasSize(3);
        }
    }

    private static boolean packed(EcfsClient client, String path, int length, CreateOptions options) throws Exception {
        try (EcfsOutputStream out = Await.result(client.create(new FilePath(path), options))) {
            out.write(Pattern.bytes(9, length));
        }
        assertThat(cluster.read(path)).isEqualTo(Pattern.bytes(9, length));
        return !cluster.layout(path).at("/groups/0/pack").isNull();
    }

    @Test
    void filesArePackedUnlessClientDirectoryOrOptionsSayOtherwise() throws Exception {
        CreateOptions plain = CreateOptions.defaults();
        Await.result(cluster.client().mkdirs(new FilePath("/limit/off"), 0755, true));
        Await.result(cluster.client().setPacking(new FilePath("/limit"), Optional.of(100L)));
        Await.result(cluster.client().setPacking(new FilePath("/limit/off"), Optional.of(0L)));
        try (EcfsClient client = TestCluster.client(cluster.uri())) {
            assertThat(packed(client, "/free/a", 1000, plain)).isTrue();
            assertThat(packed(client, "/free/b", 1000, plain.packed(false))).isFalse();
            assertThat(packed(client, "/limit/a", 100, plain)).isTrue();
            assertThat(packed(client, "/limit/b", 101, plain)).isFalse();
            assertThat(packed(client, "/limit/off/a", 1, plain)).isFalse();
            assertThat(packed(client, "/limit/off/b", 1, plain.packed(true))).isFalse();
            Await.result(client.setPacking(new FilePath("/limit/off"), Optional.empty()));
            assertThat(packed(client, "/limit/off/c", 100, plain)).isTrue();
        }
        try (EcfsClient client = TestCluster.client(cluster.uri(), "pack.on=false")) {
            assertThat(packed(client, "/free/c", 1000, plain)).isFalse();
            assertThat(packed(client, "/limit/c", 100, plain)).isFalse();
            assertThat(packed(client, "/free/d", 1000, plain.packed(true))).isTrue();
        }
    }

    @Test
    void aFileIsSeenFromItsCreateOnAndRefusedToOthers() throws Exception {
        try (EcfsClient client = packing()) {
            FilePath path = new FilePath("/seen");
            EcfsOutputStream out = Await.result(client.create(path, CreateOptions.defaults()));
            assertThat(Await.result(cluster.client().status(path)).open()).isTrue();
            assertThatThrownBy(() -> Await.result(cluster.client().create(path, CreateOptions.defaults())))
                    .isInstanceOfSatisfying(
                            EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LEASE_CONFLICT));
            out.write(Pattern.bytes(5, 100));
            Await.result(client.setMode(path, 0600));
            out.close();
            assertThat(cluster.read("/seen")).isEqualTo(Pattern.bytes(5, 100));
            EcfsOutputStream given = Await.result(client.create(new FilePath("/gone"), CreateOptions.defaults()));
            given.write(1);
            given.abort();
            assertThatThrownBy(() -> Await.result(cluster.client().status(new FilePath("/gone"))))
                    .isInstanceOf(EcfsException.class);
        }
    }

    @Test
    void aTokenForOneFileOpensItsStripesAlone() throws Exception {
        Map<String, byte[]> files = files("/shared", 40, 8);
        try (EcfsClient client = packing()) {
            writeTogether(client, files);
        }
        try (EcfsClient other = EcfsClient.connect(
                ClusterUri.resolve(cluster.uri()), ClientConfig.defaults(), new Identity("other", List.of()))) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                assertThat(TestCluster.read(other, file.getKey())).isEqualTo(file.getValue());
            }
            NamespaceReply.Located located = Await.result(other.locate(new FilePath("/shared/f0"), 0, Long.MAX_VALUE));
            LocatedGroup group = located.groups().get(0);
            BlockToken.Scope scope = group.token().scope().orElseThrow();
            assertThat(scope.toByte()).isLessThanOrEqualTo(group.length());
            assertThat(scope.toByte() - scope.fromByte()).isLessThan(group.length() / POLICY.dataChunks());
        }
    }

    @Test
    void packedFilesAreAppendedTruncatedConcatenatedAndDeleted() throws Exception {
        Map<String, byte[]> files = files("/changed", 4, 6);
        try (EcfsClient client = packing()) {
            writeTogether(client, files);
            FilePath first = new FilePath("/changed/f0");
            FilePath second = new FilePath("/changed/f1");
            try (EcfsOutputStream out = Await.result(client.append(first, false))) {
                out.write(new byte[] {1, 2, 3});
            }
            Await.result(client.truncate(second, 1));
            Await.result(client.concat(first, List.of(second)));
            byte[] before = files.get("/changed/f0");
            byte[] wanted = java.util.Arrays.copyOf(before, before.length + 4);
            wanted[before.length] = 1;
            wanted[before.length + 1] = 2;
            wanted[before.length + 2] = 3;
            wanted[before.length + 3] = files.get("/changed/f1")[0];
            assertThat(cluster.read("/changed/f0")).isEqualTo(wanted);
            Await.result(client.delete(new FilePath("/changed/f2"), false));
            assertThat(cluster.read("/changed/f3")).isEqualTo(files.get("/changed/f3"));
        }
        assertThat(cluster.read("/changed/f3")).isEqualTo(files.get("/changed/f3"));
    }
}
