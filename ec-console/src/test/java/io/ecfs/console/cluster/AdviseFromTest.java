package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Advice for the files of a running cluster. */
class AdviseFromTest {
    private static final String POLICIES = "rs-2-1-64k,replication-2";

    @Test
    void theFilesOfAClusterAreThoseThatWereWritten(@TempDir Path directory) throws IOException {
        try (TestCluster cluster = TestCluster.start(directory, "rs-2-1-4k", 1, 4)) {
            String uri = cluster.uri();
            assertThat(Ecfs.run("advise", "--from", uri).err())
                    .isEqualTo("ecfs: no file below / that you may list has a byte: give --files 10000x64m instead\n");
            Await.result(cluster.client().mkdirs(new FilePath("/a/b"), 0755, true));
            cluster.write("/a/empty", new byte[0]);
            cluster.write("/a/one", Pattern.bytes(1, 9_000));
            cluster.write("/a/b/two", Pattern.bytes(2, 11_000));
            cluster.write("/other", Pattern.bytes(3, 70_000));

            assertThat(Ecfs.run("advise", "--from", uri + "/a/", "--policies", POLICIES, "--tolerate", "1")
                            .well()
                            .text())
                    .startsWith("2 files of 9.8 KiB on 4 datanodes, ");
            assertThat(Ecfs.run("advise", "--from", uri, "--policies", POLICIES, "--tolerate", "1", "--datanodes", "9")
                            .well()
                            .text())
                    .startsWith("2 files of 9.8 KiB, 1 files of 68.4 KiB on 9 datanodes, ");
            assertThat(Ecfs.run("advise", "--from", uri + "/other").err())
                    .isEqualTo("ecfs: /other is a file: --from takes a cluster or a directory of it, such as"
                            + " ecfs://prod/data\n");
            assertThat(Ecfs.run("advise", "--from", uri + "/no").err().lines())
                    .singleElement()
                    .asString()
                    .contains("/no");
        }
    }

    @Test
    void aClusterThatIsNotThereIsOneLine() {
        Ecfs gone = Ecfs.run("advise", "--from", "127.0.0.1:1", "-D", "client.namenodeDeadline=300ms");
        assertThat(gone.code()).isEqualTo(1);
        assertThat(gone.err().lines()).singleElement().asString().contains("127.0.0.1:1");
    }

    @Test
    void settingsWithoutAClientAreRefused() {
        Ecfs alone = Ecfs.run("advise", "--files", "10x1m", "--datanodes", "9", "-D", "client.namenodeDeadline=300ms");
        assertThat(alone.code()).isEqualTo(2);
        assertThat(alone.err())
                .contains("-D is a setting of the client that reads --from: give --from, or leave it out.");
    }
}
