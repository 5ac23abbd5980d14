package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.layout.Policy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every family of codes on a cluster: files are stored, and read with as many datanodes away as the code promises to
 * survive.
 */
class EveryFamilyTest {
    private static final int DATANODES = 8;

    /** Of each family a policy, with cells of a few sub-chunks and checksum windows. */
    private static final List<String> POLICIES = List.of(
            "rs-3-2-64k",
            "rs-van-3-2-64k",
            "xor-2-1-64k",
            "replication-3-64k",
            "lrc-4-2-2-64k",
            "clay-4-2-5-64k",
            "clay-3-3-4-64k",
            "crs-4-2-64k",
            "liberation-4-2-84k",
            "shec-4-3-2-64k");

    @TempDir
    private Path directory;

    @Test
    void filesOfEveryFamilySurviveTheirNumberOfLosses() throws IOException {
        // Datanodes restart faster than packs are sealed: more than the number of losses of a group that is open.
        try (TestCluster cluster =
                TestCluster.start(directory, "rs-3-2-64k", 1, DATANODES, TestCluster.GROUP_FOR_EACH_FILE)) {
            for (String name : POLICIES) {
                Policy policy = Policy.parse(name);
                Ecfs.run("fs", "--cluster", cluster.uri(), "-mkdir", "/" + name).well();
                Ecfs.run("ec", "set", "--cluster", cluster.uri(), name, "/" + name)
                        .well();
                // Two full stripes and a tail, and a file that is nothing but a short tail.
                byte[] large = Pattern.bytes(7, (int) (2 * policy.stripeBytes() + policy.cellBytes() + 12_345));
                byte[] small = Pattern.bytes(8, 1_000);
                cluster.write("/" + name + "/large", large);
                cluster.write("/" + name + "/small", small);
                int losses = policy.code().survivedLosses();
                for (int first : new int[] {0, policy.chunks() - losses}) {
                    String[] away = holders(cluster, "/" + name + "/large", first, losses);
                    cluster.stop(away);
                    try (EcfsClient client = TestCluster.client(cluster.uri())) {
                        String what = name + " with " + List.of(away) + " away";
                        assertThat(TestCluster.read(client, "/" + name + "/large"))
                                .as(what)
                                .isEqualTo(large);
                        assertThat(TestCluster.read(client, "/" + name + "/small"))
                                .as(what)
                                .isEqualTo(small);
                    }
                    cluster.start(away);
                }
                cluster.awaitAllGroupsHealthy();
            }
            listsEveryFamily(cluster);
        }
    }

    private static String[] holders(TestCluster cluster, String path, int first, int count) throws IOException {
        JsonNode chunks = cluster.layout(path).get("groups").get(0).get("chunks");
        TreeMap<Integer, String> holders = new TreeMap<>();
        chunks.forEach(
                c -> holders.put(c.get("index").asInt(), c.get("datanode").asText()));
        return IntStream.range(first, first + count).mapToObj(holders::get).toArray(String[]::new);
    }

    private static void listsEveryFamily(TestCluster cluster) throws IOException {
        Ecfs list = Ecfs.run("ec", "list", "--cluster", cluster.uri()).well();
        assertThat(list.text().lines().map(line -> line.trim().replaceAll(" {2,}", " | ")))
                .contains(
                        "rs-6-3-1024k | 6 | 3 | 1.0 MiB | 1.50 | 3 losses | 6.00 chunks",
                        "replication-3 | 1 | 2 | 1.0 MiB | 3.00 | 2 losses | 1.00 chunks",
                        "lrc-12-2-2-1024k | 12 | 4 | 1.0 MiB | 1.33 | 3 losses | 6.00 chunks",
                        "clay-6-3-8-1024k | 6 | 3 | 972.0 KiB | 1.50 | 3 losses | 2.67 chunks",
                        "shec-6-3-2-1024k | 6 | 3 | 1.0 MiB | 1.50 | 2 losses | 4.00 chunks");
        JsonNode json = Ecfs.run("ec", "list", "--cluster", cluster.uri(), "--json")
                .well()
                .json();
        Stream<String> families = IntStream.range(0, json.size())
                .mapToObj(i -> Policy.parse(json.get(i).get("name").asText()))
                .map(policy -> policy.code().family().label());
        assertThat(families).contains("rs", "rs-van", "xor", "replication", "lrc", "clay", "crs", "liberation", "shec");
    }
}
