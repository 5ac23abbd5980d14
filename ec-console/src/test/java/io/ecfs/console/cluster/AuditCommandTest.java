package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.message.FilePath;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The audit logs of several namenodes, each of which led for a while. */
class AuditCommandTest {
    private static String leader(TestCluster cluster) throws IOException {
        return Await.result(cluster.client().admin().report()).namenodes().stream()
                .filter(namenode -> namenode.role() == ClusterReport.Role.LEADER)
                .findFirst()
                .orElseThrow()
                .id();
    }

    private static Ecfs audit(TestCluster cluster) {
        return Ecfs.run("admin", "audit", "--find", "cmd=mkdirs", "--json", "--cluster", cluster.uri());
    }

    @Tag("soak")
    @Test
    void linesOfAllNamenodesAreOneLogAndASilentOneIsNamed(@TempDir Path directory) throws IOException {
        try (TestCluster cluster = TestCluster.start(directory, "rs-2-1-4k", 3, 3)) {
            String first = leader(cluster);
            Await.result(cluster.client().mkdirs(new FilePath("/first"), 0755, false));
            cluster.stop(first);
            Await.result(cluster.client().mkdirs(new FilePath("/second"), 0755, false));
            Ecfs without = audit(cluster);
            assertThat(without.code()).isEqualTo(1);
            assertThat(without.err()).contains(first + " was not read");
            assertThat(without.json().get("entries").findValuesAsText("target")).containsExactly("/second");

            cluster.start(first);
            await("the first leader to answer")
                    .atMost(TestCluster.PATIENCE)
                    .until(() -> audit(cluster).code() == 0);
            JsonNode entries = audit(cluster).well().json().get("entries");
            assertThat(entries.findValuesAsText("target")).containsExactly("/second", "/first");
            assertThat(entries.at("/1/namenode").asText()).isEqualTo(first);
            assertThat(entries.at("/0/namenode").asText()).isNotEqualTo(first);
        }
    }
}
