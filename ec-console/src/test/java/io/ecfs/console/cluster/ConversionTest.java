package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.GroupFile;
import io.ecfs.message.report.HistoryEvent;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ecfs ec convert} on a real cluster in one process. */
class ConversionTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-64k");
    private static final int STRIPE = (int) POLICY.stripeBytes();

    @TempDir
    private Path directory;

    private TestCluster cluster;
    private final Map<String, byte[]> files = new TreeMap<>();

    @BeforeEach
    void up() throws IOException {
        cluster = TestCluster.start(directory, POLICY.name(), 1, 6, "namenode.settings.recovery.grace=0s");
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

    private void append(String path, int length) throws IOException {
        byte[] before = files.get(path);
        byte[] all = Pattern.bytes(files.size() + before.length, before.length + length);
        System.arraycopy(before, 0, all, 0, before.length);
        try (EcfsOutputStream out = Await.result(cluster.client().append(new FilePath(path), false))) {
            out.write(all, before.length, length);
        }
        files.put(path, all);
    }

    /** Small packed files, files with several extents, a larger and an empty one. */
    private void writeTree() throws IOException {
        try (EcfsClient packing = TestCluster.client(cluster.uri(), "pack.on=true")) {
            for (int i = 0; i < 20; i++) {
                write(packing, "/tree/small/f" + i, 1 + i * 1777);
            }
        }
        write(cluster.client(), "/tree/big", 9 * STRIPE + 12_345);
        write(cluster.client(), "/tree/deep/er/grown", STRIPE);
        append("/tree/deep/er/grown", 100);
        append("/tree/deep/er/grown", 3 * STRIPE + 1);
        write(cluster.client(), "/tree/empty", 0);
        write(cluster.client(), "/other", 1000);
        awaitSealed();
    }

    private void awaitSealed() {
        await("all groups are sealed")
                .atMost(TestCluster.PATIENCE)
                .until(() -> cluster.report().at("/groups/open").asLong() == 0);
    }

    private Ecfs convert(String path, Policy policy, String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("ec", "convert", "--cluster", cluster.uri(), path, "--to", policy.name()));
        arguments.addAll(List.of(more));
        return Ecfs.run(arguments.toArray(String[]::new));
    }

    private Set<GroupId> groups(String below) throws IOException {
        return cluster.groups(
                files.keySet().stream().filter(path -> path.startsWith(below)).toList());
    }

    private void assertBytes() throws IOException {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            assertThat(cluster.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
        }
    }

    private void assertPolicy(Policy policy, String below) throws IOException {
        for (String path : files.keySet()) {
            if (path.startsWith(below)) {
                assertThat(Await.result(cluster.client().status(new FilePath(path)))
                                .policy())
                        .as(path)
                        .isEqualTo(policy);
                assertThat(Await.result(cluster.client().locate(new FilePath(path), 0, Long.MAX_VALUE))
                                .groups())
                        .as(path)
                        .allMatch(group -> group.policy().equals(policy));
            }
        }
    }

    private void assertGone(Set<GroupId> groups) throws IOException {
        assertThat(Await.result(cluster.client().admin().groupFiles(List.copyOf(groups))))
                .extracting(GroupFile::state)
                .containsOnly(GroupFile.State.GONE);
    }

    private long bytesWritten() throws IOException {
        return Await.result(cluster.client().admin().events(0, 1000)).events().stream()
                .map(HistoryEvent::event)
                .filter(ClusterEvent.GroupRewritten.class::isInstance)
                .mapToLong(event -> ((ClusterEvent.GroupRewritten) event).bytesWritten())
                .sum();
    }

    @Test
    void aTreeIsConvertedTwiceAndItsOldGroupsGo() throws IOException {
        writeTree();
        Set<GroupId> before = groups("/tree");
        Ecfs plan = convert("/tree", Policy.parse("rs-2-1-64k"), "--dry-run").well();
        assertThat(plan.text()).contains(": 23 files to rs-2-1-64k: reads ");
        assertThat(groups("/tree")).isEqualTo(before);
        JsonNode forecast = conversions().get(0);

        Policy first = Policy.parse("rs-2-1-64k");
        Ecfs done = convert("/tree", first, "--wait").well();
        assertThat(done.text()).contains("23 of 23 files");
        assertThat(bytesWritten()).isEqualTo(forecast.get("bytesToWrite").asLong());
        assertPolicy(first, "/tree");
        assertPolicy(POLICY, "/other");
        assertBytes();
        assertGone(before);
        assertThat(groups("/tree/small")).as("small files share a group again").hasSize(1);

        Set<GroupId> between = groups("/tree");
        Policy second = Policy.parse("replication-2-64k");
        convert("/tree", second, "--wait").well();
        assertPolicy(second, "/tree");
        assertBytes();
        assertGone(between);
        append("/tree/deep/er/grown", 5000);
        assertBytes();
        assertThat(convert("/tree/big", second, "--wait").well().text()).contains("0 of 0 files");
    }

    @Test
    void aReaderThatHasAFileOpenReadsOnInTheNewGroup() throws IOException {
        write(cluster.client(), "/a", 20 * STRIPE + 77);
        append("/a", 2 * STRIPE);
        byte[] bytes = files.get("/a");
        Set<GroupId> before = groups("/a");
        FileReader open = Await.result(cluster.client().open(new FilePath("/a")));
        ByteBuffer some = ByteBuffer.allocate(1000);
        open.read(0, some);
        convert("/a", Policy.parse("rs-2-1-64k"), "--wait").well();
        await("the old chunks are deleted")
                .atMost(TestCluster.PATIENCE)
                .until(() -> cluster.chunkFiles().stream().noneMatch(file -> before.contains(groupOf(file))));
        ByteBuffer all = ByteBuffer.allocate(bytes.length);
        while (all.hasRemaining()) {
            open.read(all.position(), all);
        }
        assertThat(all.array()).isEqualTo(bytes);
    }

    @Test
    void wrongBytesOfASourceAreNotCopied() throws IOException {
        cluster.log.expect("event=chunk_corrupt");
        write(cluster.client(), "/rotten", 5 * STRIPE);
        Path data =
                Path.of(cluster.layout("/rotten").at("/groups/0/chunks/1/file").asText());
        byte[] stored = Files.readAllBytes(data);
        stored[stored.length / 2] ^= 1;
        Files.write(data, stored);
        convert("/rotten", Policy.parse("rs-2-1-64k"), "--wait").well();
        assertBytes();
        assertPolicy(Policy.parse("rs-2-1-64k"), "/rotten");
    }

    private static GroupId groupOf(Path chunkFile) {
        String name = chunkFile.getFileName().toString();
        return new GroupId(Long.parseLong(name.substring(0, name.indexOf('.'))));
    }

    private Set<GroupId> groupsOnDisk() throws IOException {
        return cluster.chunkFiles().stream().map(ConversionTest::groupOf).collect(Collectors.toSet());
    }

    private void throttle(String bytesPerSecond) {
        Ecfs.run("admin", "throttle", "--cluster", cluster.uri(), "--bytes-per-second", bytesPerSecond)
                .well();
    }

    private JsonNode conversions() throws IOException {
        return Ecfs.run("ec", "conversions", "--cluster", cluster.uri(), "--json")
                .well()
                .json();
    }

    private void awaitState(int conversion, String state) {
        await("conversion " + conversion + " to be " + state)
                .atMost(TestCluster.PATIENCE)
                .untilAsserted(() -> {
                    JsonNode now = conversions().get(conversion);
                    assertThat(now.get("state").asText()).as(now.toString()).isEqualTo(state);
                });
    }

    @Test
    void whatCannotBeConvertedIsRefusedInOneLine() throws IOException {
        write(cluster.client(), "/tree/big", 20 * STRIPE);
        assertThat(convert("/nowhere", POLICY)).satisfies(refused("/nowhere"));
        assertThat(convert("/tree", Policy.parse("rs-6-3-64k"))).satisfies(refused("rs-6-3-64k needs 9 datanodes"));
        throttle("64KiB");
        convert("/tree", Policy.parse("rs-2-1-64k")).well();
        assertThat(convert("/tree/big", Policy.parse("rs-4-2-64k")))
                .satisfies(refused("/tree is being converted to rs-2-1-64k already"));
        throttle("default");
        awaitState(0, "DONE");
        assertBytes();
        try (EcfsOutputStream out = Await.result(cluster.client().append(new FilePath("/tree/big"), false))) {
            assertThat(out.position()).isEqualTo(20L * STRIPE);
            Ecfs open = convert("/tree", POLICY, "--wait");
            assertThat(open.code()).isEqualTo(1);
            assertThat(open.text()).contains("not converted: /tree/big: it is open for writing");
        }
        convert("/tree", POLICY, "--wait").well();
        assertBytes();
    }

    private static Consumer<Ecfs> refused(String why) {
        return command -> {
            assertThat(command.code()).isNotZero();
            assertThat(command.err()).contains(why).hasLineCount(1);
        };
    }

    @Test
    void aTargetThatDiesInTheMiddleCostsNothingButTime() throws IOException {
        write(cluster.client(), "/big", 20 * STRIPE);
        Set<GroupId> before = groupsOnDisk();
        throttle("64KiB");
        convert("/big", Policy.parse("rs-2-1-64k")).well();
        Path[] begun = new Path[1];
        await("a new chunk is begun").atMost(TestCluster.PATIENCE).until(() -> {
            Optional<Path> first = cluster.chunkFiles().stream()
                    .filter(file -> !before.contains(groupOf(file))
                            && file.getFileName().toString().endsWith(".0.0.data"))
                    .findFirst();
            first.ifPresent(path -> begun[0] = path);
            return first.isPresent();
        });
        String target = directory.relativize(begun[0]).getName(0).toString();
        cluster.stop(target);
        throttle("default");
        awaitState(0, "DONE");
        assertPolicy(Policy.parse("rs-2-1-64k"), "/big");
        assertBytes();
        cluster.awaitAllGroupsHealthy();
        cluster.start(target);
        await("what was begun is deleted")
                .atMost(TestCluster.PATIENCE)
                .until(() -> groupsOnDisk().equals(groups("/big")));
    }
}
