package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.PackPlace;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.HistoryEvent;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is rewritten without being asked for, on a real cluster in one process. */
class UpkeepTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-64k");

    @TempDir
    private Path directory;

    private TestCluster cluster;
    private final Map<String, byte[]> files = new TreeMap<>();

    @BeforeEach
    void up() throws IOException {
        cluster = TestCluster.start(
                directory,
                POLICY.name(),
                1,
                6,
                "namenode.settings.rewrite.period=300ms",
                "namenode.settings.rewrite.joinAfter=0s");
    }

    @AfterEach
    void down() {
        cluster.close();
    }

    private void write(EcfsClient client, String path, int length) throws IOException {
        byte[] bytes = Pattern.bytes(files.size(), length);
        TestCluster.write(client, path, bytes);
        files.put(path, bytes);
    }

    private void assertBytes() throws IOException {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            assertThat(cluster.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
        }
    }

    private Set<GroupId> groups() throws IOException {
        return cluster.groups(files.keySet());
    }

    private Stream<ClusterEvent.GroupRewritten> rewrites() throws IOException {
        return Await.result(cluster.client().admin().events(0, 1000)).events().stream()
                .map(HistoryEvent::event)
                .filter(ClusterEvent.GroupRewritten.class::isInstance)
                .map(ClusterEvent.GroupRewritten.class::cast);
    }

    private long rewrittenBytes() throws IOException {
        return rewrites().mapToLong(ClusterEvent.GroupRewritten::bytesRead).sum();
    }

    private List<String> reasons() throws IOException {
        return rewrites().map(ClusterEvent.GroupRewritten::why).toList();
    }

    /** Deletes what is below {@code /gone}, in one piece: cleaning that begins between two deletions costs more. */
    private void deleteAndAwaitCleaning() throws IOException {
        Set<GroupId> before = groups();
        Await.result(cluster.client().delete(new FilePath("/gone"), true));
        files.keySet().removeIf(path -> path.startsWith("/gone/"));
        await("the packs are cleaned")
                .atMost(TestCluster.PATIENCE)
                .untilAsserted(() -> assertThat(groups()).doesNotContainAnyElementsOf(before));
    }

    @Test
    void aPackOfWhichMostWasDeletedIsCleanedAtTheCostOfWhatIsLeft() throws IOException {
        int length = 60_000;
        try (EcfsClient packing = TestCluster.client(cluster.uri(), "pack.on=true")) {
            for (int i = 0; i < 60; i++) {
                write(packing, (i % 5 == 0 ? "/kept/f" : "/gone/f") + i, length);
            }
        }
        deleteAndAwaitCleaning();
        assertThat((double) rewrittenBytes()).isCloseTo(12.0 * length, within(0.1 * 12 * length));
        assertThat(groups()).hasSize(1);
        assertBytes();
    }

    /** Those in the last stripe apart, whose cells are smaller. */
    @Test
    void eachSmallFileOfACleanedPackLiesInOneCell() throws IOException {
        int[] lengths = {40_000, 30_000, 1, 65_536, 20_000, 50_001, 4096};
        try (EcfsClient packing = TestCluster.client(cluster.uri(), "pack.on=true")) {
            for (int i = 0; i < 120; i++) {
                write(packing, (i % 4 == 0 ? "/kept/f" : "/gone/f") + i, lengths[i % lengths.length]);
            }
        }
        deleteAndAwaitCleaning();
        assertThat(groups()).hasSize(1);
        int inFullStripes = 0;
        for (String path : files.keySet()) {
            JsonNode layout = cluster.layout(path);
            GroupLayout group =
                    new GroupLayout(POLICY, layout.at("/groups/0/length").asLong());
            long from = layout.at("/extents/0/groupOffset").asLong();
            long to = from + files.get(path).length;
            assertThat(layout.get("extents")).hasSize(1);
            assertThat(from % PackPlace.ALIGNMENT).as(path).isZero();
            if (to <= group.fullStripes() * POLICY.stripeBytes()) {
                assertThat(group.cells(from, to)).as(path).hasSize(1);
                inFullStripes++;
            }
        }
        assertThat(inFullStripes).isGreaterThan(files.size() / 2);
        assertBytes();
        assertThat(rewrittenBytes())
                .as("gaps are not read")
                .isEqualTo(
                        files.values().stream().mapToLong(bytes -> bytes.length).sum());
    }

    @Test
    void aFileThatOthersMayNoLongerReadLeavesItsPack() throws IOException {
        try (EcfsClient packing = TestCluster.client(cluster.uri(), "pack.on=true")) {
            for (int i = 0; i < 20; i++) {
                write(packing, "/packed/f" + i, 3000);
            }
        }
        Set<GroupId> before = groups();
        String secret = "/packed/f7";
        Set<String> neighbours = new TreeSet<>(files.keySet());
        neighbours.remove(secret);
        Await.result(cluster.client().setMode(new FilePath(secret), 0600));
        await("the file lies in a group of its own")
                .atMost(TestCluster.PATIENCE)
                .untilAsserted(() -> assertThat(cluster.groups(Set.of(secret))).doesNotContainAnyElementsOf(before));
        assertThat(cluster.groups(neighbours)).isEqualTo(before);
        assertBytes();
        await("the event is recorded")
                .atMost(TestCluster.PATIENCE)
                .untilAsserted(() -> assertThat(reasons()).containsExactly("moved out of a pack"));
    }

    @Test
    void whatManyAppendsLeftIsJoined() throws IOException {
        write(cluster.client(), "/log", 1000);
        byte[] all = Pattern.bytes(9, 101 * 1000);
        System.arraycopy(files.get("/log"), 0, all, 0, 1000);
        for (int i = 1; i <= 100; i++) {
            try (EcfsOutputStream out = Await.result(cluster.client().append(new FilePath("/log"), false))) {
                out.write(all, i * 1000, 1000);
            }
        }
        files.put("/log", all);
        // Bytes stay apart from later ones with less than a quarter of theirs: 1, 5 and 25 of the 101 appends at least.
        await("few groups have it all")
                .atMost(TestCluster.PATIENCE)
                .untilAsserted(() -> assertThat(groups()).hasSizeLessThanOrEqualTo(3));
        assertBytes();
        assertThat(rewrittenBytes()).as("a logarithmic number of times").isLessThan(5L * all.length);
    }

    @Test
    void aRuleConvertsFilesAsTheyAge() throws IOException {
        write(cluster.client(), "/logs/a", 300_000);
        write(cluster.client(), "/logs/kept/b", 300_000);
        write(cluster.client(), "/other", 300_000);
        Ecfs.run("ec", "rule", "--cluster", cluster.uri(), "/logs/kept", "--after", "1d=rs-2-1-64k")
                .well();
        assertThat(Ecfs.run(
                                "ec",
                                "rule",
                                "--cluster",
                                cluster.uri(),
                                "/logs",
                                "--after",
                                "1s=rs-2-1-64k",
                                "--after",
                                "2h=replication-2-64k")
                        .well()
                        .text())
                .contains("after 1s rs-2-1-64k   (/logs)")
                .contains("after 2h replication-2-64k   (/logs)");
        await("the file is converted")
                .atMost(TestCluster.PATIENCE)
                .untilAsserted(() -> assertThat(
                                cluster.layout("/logs/a").at("/groups/0/policy").asText())
                        .isEqualTo("rs-2-1-64k"));
        assertThat(cluster.layout("/logs/kept/b").at("/groups/0/policy").asText())
                .isEqualTo(POLICY.name());
        assertThat(cluster.layout("/other").at("/groups/0/policy").asText()).isEqualTo(POLICY.name());
        assertBytes();
        assertThat(Ecfs.run("ec", "rule", "--cluster", cluster.uri(), "/logs", "--none")
                        .well()
                        .text())
                .contains("no conversion rules");
    }

    private String refusal(String... rules) {
        String[] command = new String[5 + 2 * rules.length];
        System.arraycopy(new String[] {"ec", "rule", "--cluster", cluster.uri(), "/logs"}, 0, command, 0, 5);
        for (int i = 0; i < rules.length; i++) {
            command[5 + 2 * i] = "--after";
            command[6 + 2 * i] = rules[i];
        }
        Ecfs refused = Ecfs.run(command);
        assertThat(refused.code()).isNotZero();
        assertThat(refused.err()).hasLineCount(1);
        return refused.err();
    }

    @Test
    void rulesThatMakeNoSenseAreRefusedInOneLine() throws IOException {
        write(cluster.client(), "/logs/a", 10);
        assertThat(refusal("30d")).contains("AGE=POLICY");
        assertThat(refusal("-1d=rs-2-1-64k")).contains("expected a duration");
        assertThat(refusal("30d=rs-2-1-64k", "7d=rs-3-2-64k")).contains("growing ages");
        assertThat(refusal("7d=rs-2-1-64k", "30d=rs-2-1-64k")).contains("as the one before it does");
        assertThat(refusal("7d=rs-6-3-64k")).contains("needs 9 datanodes");
        assertThat(Ecfs.run("ec", "rule", "--cluster", cluster.uri(), "/logs/a", "--after", "1d=rs-2-1-64k")
                        .err())
                .contains("is a file");
    }
}
