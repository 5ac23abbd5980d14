package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator reads of a loss and its repair, from a cluster that had one. */
class TimelineTest {
    private static final String NO_GRACE = "namenode.settings.recovery.grace=0s";

    private static final int CELL = 64 << 10;
    private static final int STRIPES = 40;

    @TempDir
    private Path directory;

    private static List<String> names(JsonNode node) {
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static Instant at(JsonNode node, String key) {
        return Instant.parse(node.get(key).asText());
    }

    private static JsonNode admin(TestCluster cluster, int code, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("admin", arguments[0], "--cluster", cluster.uri(), "--json"));
        all.addAll(List.of(arguments).subList(1, arguments.length));
        Ecfs run = Ecfs.run(all.toArray(String[]::new));
        assertThat(run.code()).as(run.err() + run.text()).isEqualTo(code);
        return run.json();
    }

    @Tag("soak")
    @Test
    void aDeadDatanodeIsAnIncidentThatSurvivesAFailover() throws IOException {
        try (TestCluster cluster = TestCluster.start(directory, "rs-3-2-64k", 3, 6, NO_GRACE)) {
            cluster.write("/d/large", Pattern.bytes(3, STRIPES * 3 * CELL));
            assertThat(admin(cluster, 0, "timeline").get("incidents")).isEmpty();
            assertThat(admin(cluster, 0, "fsck").get("files").asInt()).isOne();
            String lost = cluster.layout("/d/large")
                    .get("groups")
                    .get(0)
                    .get("chunks")
                    .get(1)
                    .get("datanode")
                    .asText();
            cluster.stop(lost);
            org.awaitility.Awaitility.await("the incident to be healed")
                    .atMost(TestCluster.PATIENCE)
                    .until(() -> !admin(cluster, 0, "timeline").get("incidents").isEmpty()
                            && !admin(cluster, 0, "timeline")
                                    .get("incidents")
                                    .get(0)
                                    .get("healedAt")
                                    .isNull());

            JsonNode incident = admin(cluster, 0, "timeline").get("incidents").get(0);
            assertThat(names(incident))
                    .containsExactly(
                            "id",
                            "cause",
                            "detectedAt",
                            "deadAt",
                            "firstRepairAt",
                            "healedAt",
                            "checkingSeconds",
                            "repairSeconds",
                            "bytesRead",
                            "bytesRepaired",
                            "groups");
            assertThat(incident.get("cause").asText()).isEqualTo("datanode " + lost + " is dead");
            assertThat(List.of(
                            at(incident, "detectedAt"),
                            at(incident, "deadAt"),
                            at(incident, "firstRepairAt"),
                            at(incident, "healedAt")))
                    .isSorted();
            assertThat(incident.get("bytesRepaired").asLong()).isEqualTo((long) STRIPES * CELL);
            JsonNode chunk = incident.get("groups").get(0);
            assertThat(chunk.get("index").asInt()).isOne();
            assertThat(List.of(
                            at(chunk, "detectedAt"),
                            at(chunk, "checkedAt"),
                            at(chunk, "plannedAt"),
                            at(chunk, "startedAt"),
                            at(chunk, "readAt"),
                            at(chunk, "decodedAt"),
                            at(chunk, "verifiedAt"),
                            at(chunk, "writtenAt"),
                            at(chunk, "committedAt")))
                    .isSorted();
            Set<String> sources = new TreeSet<>();
            List<Long> read = new ArrayList<>();
            for (JsonNode source : chunk.get("sources")) {
                sources.add(source.get("datanode").asText());
                read.add(source.get("bytes").asLong());
            }
            // Three sources determine the chunk and are read whole. Of its slices of 16, 16 and 8 cells the first and
            // the
            // last are compared with a further one.
            assertThat(sources).hasSize(4).doesNotContain(lost);
            long whole = (long) STRIPES * CELL;
            read.sort(Comparator.reverseOrder());
            assertThat(read.subList(0, 3)).containsOnly(whole);
            assertThat(read.get(3)).isEqualTo((16L + 8) * CELL);
            assertThat(read.stream().mapToLong(Long::longValue).sum())
                    .isEqualTo(incident.get("bytesRead").asLong());

            assertThat(Ecfs.run("admin", "timeline", "--cluster", cluster.uri(), "1")
                            .well()
                            .text())
                    .contains("datanode " + lost + " is dead", "time to first repair", "READ FROM", "committed", "#");
            JsonNode before = admin(cluster, 0, "timeline");
            String leader = leader(cluster);
            cluster.stop(leader);
            cluster.awaitReport("another leader", r -> !r.safeMode());
            assertThat(admin(cluster, 0, "timeline")).isEqualTo(before);
            assertThat(events(cluster))
                    .contains("leaderChanged", "datanodeChanged", "repairPlanned", "repairCommitted", "incidentHealed");
            assertThat(Ecfs.run("admin", "events", "--cluster", cluster.uri(), "--follow", "--for", "0")
                            .well()
                            .text())
                    .contains("healed: datanode " + lost + " is dead");
        }
    }

    @Test
    void fsckNamesLostFilesFirstAndSaysWhyAndWhatIsDone() throws IOException {
        try (TestCluster cluster = TestCluster.start(directory, "rs-3-2-64k", 1, 5, TestCluster.GROUP_FOR_EACH_FILE)) {
            cluster.write("/d/coded", Pattern.bytes(1, CELL));
            assertThat(cluster.fs("-mkdir", "/e").code()).isZero();
            Ecfs.run("ec", "set", "--cluster", cluster.uri(), "replication-2-64k", "/e")
                    .well();
            for (int i = 0; i < 12; i++) {
                cluster.write("/e/bare" + i, Pattern.bytes(i, 1000));
            }
            assertThat(admin(cluster, 0, "fsck", "/d").get("healthy").asBoolean())
                    .isTrue();
            List<String> holders = cluster.layout("/e/bare3")
                    .get("groups")
                    .get(0)
                    .get("chunks")
                    .findValuesAsText("datanode");
            cluster.stop(holders.toArray(String[]::new));
            cluster.awaitReport(
                    "groups to be lost",
                    r -> r.groups().lost() > 0 && r.groups().degraded() > 0);
            JsonNode all = admin(cluster, 1, "fsck");
            assertThat(all.get("healthy").asBoolean()).isFalse();
            assertThat(all.get("files").asInt()).isEqualTo(13);
            JsonNode problems = all.get("problems");
            List<Boolean> lost = new ArrayList<>();
            problems.forEach(problem -> lost.add(problem.get("lost").asBoolean()));
            assertThat(lost).isSortedAccordingTo(Comparator.reverseOrder()).contains(true, false);
            JsonNode coded = problems.get(problems.findValuesAsText("path").indexOf("/d/coded"));
            assertThat(coded.get("chunksAlive").asInt()).isEqualTo(3);
            assertThat(coded.get("chunksNeeded").asInt()).isEqualTo(3);
            assertThat(coded.get("doing").asText()).contains("is suspected");
            assertThat(problems.findValuesAsText("path")).contains("/e/bare3");
            assertThat(problems.get(0).get("chunksAlive").asInt()).isZero();
            assertThat(problems.get(0).get("doing").asText()).contains("too few chunks");
            assertThat(admin(cluster, 1, "fsck", "/d").get("problems")).hasSize(1);
            assertThat(Ecfs.run("admin", "fsck", "--cluster", cluster.uri(), "/nothing")
                            .err())
                    .contains("no such file");
        }
    }

    private static String leader(TestCluster cluster) throws IOException {
        for (JsonNode namenode : cluster.report().get("namenodes")) {
            if (namenode.get("role").asText().equals("LEADER")) {
                return namenode.get("id").asText();
            }
        }
        throw new AssertionError("nobody leads");
    }

    private static List<String> events(TestCluster cluster) throws IOException {
        return admin(cluster, 0, "events").get("events").findValuesAsText("event");
    }
}
