package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read while datanodes are away. */
@Tag("soak")
class DeadDatanodesTest {
    private static final int DATANODES = 5;
    private static final int SURVIVED = 2;
    private static final byte[] FILE = Pattern.bytes(7, 3 * 3 * (64 << 10) + 100_001);

    @TempDir
    private Path directory;

    @Test
    void everyByteIsReadWithAnyTwoOfFiveDatanodesAway() throws IOException {
        try (TestCluster cluster = TestCluster.start(directory, "rs-3-2-64k", 1, DATANODES)) {
            cluster.write("/file", FILE);
            for (List<String> away : patterns()) {
                cluster.stop(away.toArray(String[]::new));
                try (EcfsClient client = TestCluster.client(cluster.uri())) {
                    assertThat(TestCluster.read(client, "/file"))
                            .as("with %s away", away)
                            .isEqualTo(FILE);
                }
                cluster.start(away.toArray(String[]::new));
            }
            tooManyAway(cluster);
        }
    }

    private static void tooManyAway(TestCluster cluster) throws IOException {
        JsonNode group = cluster.layout("/file").get("groups").get(0);
        TreeMap<Integer, String> holders = new TreeMap<>();
        group.get("chunks")
                .forEach(c ->
                        holders.put(c.get("index").asInt(), c.get("datanode").asText()));
        String[] away = {holders.get(0), holders.get(2), holders.get(4)};
        cluster.stop(away);
        try (EcfsClient client = TestCluster.client(cluster.uri())) {
            assertThatThrownBy(() -> TestCluster.read(client, "/file"))
                    .isInstanceOfSatisfying(
                            EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.GROUP_UNREADABLE))
                    .hasMessageContaining("group g" + group.get("id").asLong() + " ")
                    .hasMessageContaining("2 of 5 chunks live, 3 needed");
        }
        Ecfs cat = cluster.fs("-cat", "/file");
        assertThat(cat.code()).isEqualTo(1);
        assertThat(cat.out()).isEmpty();
        assertThat(cat.err()).contains("2 of 5 chunks live, 3 needed");
        cluster.awaitReport("the group to be reported as lost", r -> r.groups().lost() == 1);

        cluster.start(away);
        cluster.awaitAllGroupsHealthy();
        assertThat(cluster.read("/file")).isEqualTo(FILE);
    }

    /** Every choice of one or two datanodes. */
    private static List<List<String>> patterns() {
        List<List<String>> patterns = new ArrayList<>();
        for (int bits = 1; bits < 1 << DATANODES; bits++) {
            if (Integer.bitCount(bits) <= SURVIVED) {
                List<String> away = new ArrayList<>();
                for (int i = 0; i < DATANODES; i++) {
                    if ((bits >> i & 1) == 1) {
                        away.add("dn" + i);
                    }
                }
                patterns.add(away);
            }
        }
        return patterns;
    }
}
