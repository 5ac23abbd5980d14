package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tree of files through Hadoop's shell and our connector, there and back. */
class FileTreeTest {
    private static final int CELL = 64 << 10;
    private static final int STRIPE = 3 * CELL;
    private static final List<Integer> SIZES = List.of(
            0,
            1,
            4095,
            4096,
            4097,
            CELL - 1,
            CELL,
            CELL + 1,
            2 * CELL + 1,
            STRIPE - 1,
            STRIPE,
            STRIPE + 1,
            STRIPE + CELL,
            4 * STRIPE - 1,
            4 * STRIPE + 1,
            50 * STRIPE + 12_345);

    @TempDir
    private Path directory;

    @Test
    void aTreeComesBackEqualAlsoAfterTheClusterWasRestarted() throws IOException {
        Path tree = tree(directory.resolve("tree"));
        try (TestCluster cluster =
                TestCluster.start(directory.resolve("cluster"), "rs-3-2-64k", 3, 5, TestCluster.usualLeases())) {
            cluster.fs("-put", tree.toString(), "/").well();
            assertSame(tree, get(cluster, "first"));
            assertThat(cluster.fs("-cat", "/tree/deep/er/" + (STRIPE + 1))
                            .well()
                            .out())
                    .isEqualTo(Files.readAllBytes(tree.resolve("deep/er/" + (STRIPE + 1))));
            assertThat(Ecfs.run("fs", "-fs", cluster.uri(), "-ls", "/").well().text())
                    .as("Hadoop's own option names the cluster, too")
                    .contains("/tree");

            cluster.restart();
            assertSame(tree, get(cluster, "second"));

            cluster.fs("-mv", "/tree", "/moved").well();
            cluster.fs("-rm", "-r", "-skipTrash", "/moved").well();
            assertThat(cluster.fs("-ls", "/moved").code()).isEqualTo(1);
            org.awaitility.Awaitility.await("the datanodes' space is given back")
                    .atMost(TestCluster.PATIENCE)
                    .until(() -> cluster.chunkFiles().isEmpty());
        }
    }

    private Path get(TestCluster cluster, String name) {
        Path to = directory.resolve(name);
        cluster.fs("-get", "/tree", to.toString()).well();
        return to;
    }

    static Path tree(Path at) throws IOException {
        Files.createDirectories(at.resolve("deep/er"));
        Files.createDirectories(at.resolve("empty"));
        for (int size : SIZES) {
            Files.write(at.resolve("deep/er/" + size), Pattern.bytes(size, size));
        }
        Files.write(at.resolve("name with blank, ünïcode #&%+"), Pattern.bytes(1, 1000));
        return at;
    }

    static void assertSame(Path expected, Path got) throws IOException {
        assertThat(files(got).keySet()).isEqualTo(files(expected).keySet());
        for (var file : files(expected).entrySet()) {
            assertThat(Files.mismatch(file.getValue(), got.resolve(file.getKey())))
                    .as(file.getKey())
                    .isEqualTo(-1);
        }
    }

    private static Map<String, Path> files(Path root) throws IOException {
        Map<String, Path> files = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(root)) {
            walk.filter(Files::isRegularFile)
                    .forEach(f -> files.put(root.relativize(f).toString(), f));
        }
        return files;
    }
}
