package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.client.EcfsClient;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.console.cluster.GoldenDirectory.Part;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What earlier releases left on disks is read, recovered and continued by this one. */
class GoldenTest {
    @TempDir
    private Path directory;

    static List<GoldenDirectory> recorded() throws IOException {
        return GoldenDirectory.all();
    }

    @Test
    void everyLevelThatIsOutIsRecordedAndSmall() throws IOException {
        List<GoldenDirectory> all = GoldenDirectory.all();
        assertThat(all)
                .as("all but perhaps the present level, while it is not out")
                .isNotEmpty();
        assertThat(all.size()).isBetween(FeatureLevel.RELEASE - 1, FeatureLevel.RELEASE);
        assertThat(all.stream().map(GoldenDirectory::level).toList())
                .isEqualTo(IntStream.rangeClosed(FeatureLevel.FIRST, all.size())
                        .boxed()
                        .toList());
        for (GoldenDirectory golden : all) {
            assertThat(golden.commit()).matches("[0-9a-f]{40}");
            assertThat(Files.size(golden.zip())).isLessThan(GoldenDirectory.MOST_BYTES);
        }
    }

    /** The log is ahead of the state, chunks have not been closed, and their writers are gone. */
    @ParameterizedTest
    @MethodSource("recorded")
    void killedDaemonsOfAnEarlierReleaseAreRecoveredAndGoOn(GoldenDirectory golden) throws IOException {
        golden.unpack(Part.KILLED, directory);
        try (TestCluster cluster = start();
                EcfsClient client = client(cluster)) {
            assertThat(GoldenFiles.describe(client)).isEqualTo(golden.description());
            assertThat(Await.result(client.admin().events(0, 1000)).events()).hasSizeGreaterThan(10);
            assertThat(Await.result(client.admin().incidents(0, 10)).incidents())
                    .isNotEmpty();

            for (FilePath open : GoldenFiles.OPEN) {
                await(open + " of a lost writer is closed")
                        .atMost(TestCluster.PATIENCE)
                        .until(() -> Await.result(client.recoverLease(open)));
            }
            FilePath grown = GoldenFiles.grown(GoldenFiles.SECOND);
            try (EcfsOutputStream out = Await.result(client.append(grown, false))) {
                out.write(Pattern.bytes(99, 100));
            }
            TestCluster.write(client, "/new", Pattern.bytes(100, 100_000));
            cluster.awaitAllGroupsHealthy();

            // Parity is read, too.
            cluster.stop("dn0");
            List<String> now = GoldenFiles.describe(client);
            assertThat(now).filteredOn(line -> line.startsWith("file /new ")).hasSize(1);
            assertThat(now)
                    .filteredOn(line -> !line.startsWith("file /new ") && !line.contains(grown.text()))
                    .isEqualTo(golden.description().stream()
                            .filter(line -> !line.contains(grown.text()))
                            .toList());
        }
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void filesAndBackupOfAStoppedEarlierReleaseAreRead(GoldenDirectory golden) throws IOException {
        Path backup = Files.createDirectory(directory.resolve("backup"));
        golden.unpack(Part.STOPPED, directory);
        golden.unpack(Part.BACKUP, backup);
        try (TestCluster cluster = start();
                EcfsClient client = client(cluster)) {
            assertThat(GoldenFiles.describe(client)).isEqualTo(golden.description());

            cluster.log.expect("event=foreign_chunk"); // of the groups after the backup
            cluster.stop("nn0");
            Files.move(directory.resolve("nn0"), directory.resolve("before"));
            String config = directory.resolve("conf/nn0.yaml").toString();
            Ecfs.run("namenode", "restore", "--config", config, backup.toString())
                    .well();
            cluster.start("nn0");
            cluster.awaitReady();
            assertThat(GoldenFiles.describe(client, GoldenFiles.FIRST))
                    .isEqualTo(golden.description().stream()
                            .filter(line -> line.contains(" " + GoldenFiles.FIRST))
                            .toList());
        }
    }

    private TestCluster start() throws IOException {
        return TestCluster.start(directory, GoldenFiles.POLICY, 1, GoldenFiles.DATANODES);
    }

    private static EcfsClient client(TestCluster cluster) throws IOException {
        return TestCluster.client(cluster.uri(), "local.on=false");
    }
}
