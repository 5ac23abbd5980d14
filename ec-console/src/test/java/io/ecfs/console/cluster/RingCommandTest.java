package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ecfs ring} and {@code ecfs ec set --ring}. */
class RingCommandTest {
    @TempDir
    private static Path directory;

    private static TestJournals journals;
    private static TestCluster cluster;

    @BeforeAll
    static void start() throws IOException {
        journals = new TestJournals();
        cluster = TestCluster.start(directory, "rs-2-1-64k", 1, 5, journals.overrides());
    }

    @AfterAll
    static void stop() throws IOException {
        cluster.close();
        journals.close();
    }

    private static Ecfs run(String family, String command, String... words) {
        String[] all = new String[4 + words.length];
        all[0] = family;
        all[1] = command;
        all[2] = "--cluster";
        all[3] = cluster.uri();
        System.arraycopy(words, 0, all, 4, words.length);
        return Ecfs.run(all);
    }

    private static void refused(Ecfs ran, int code, String... why) {
        assertThat(ran.code()).as(ran.err()).isEqualTo(code);
        assertThat(ran.err()).contains(why);
        assertThat(ran.errorLines()).as(ran.err()).isEqualTo(1);
    }

    @Test
    void aRingIsMadeNamedByADirectoryChangedAndDropped() throws IOException {
        String[] names = volumes();
        refused(
                run(
                        "ring",
                        "create",
                        "flash",
                        "--colours",
                        "4",
                        "--writers",
                        "1",
                        "--volumes",
                        names[0] + "," + names[1]),
                2,
                "nearest is --colours 2");
        refused(
                run("ring", "create", "flash", "--colours", "2", "--writers", "1", "--volumes", names[0] + ",dn99"),
                2,
                "there is no volume 'dn99'; nearest is");
        refused(
                run(
                        "ring",
                        "create",
                        "flash",
                        "--colours",
                        "2",
                        "--writers",
                        "1",
                        "--period",
                        "200ms",
                        "--volumes",
                        names[0] + "," + names[1]),
                2,
                "nearest is 1000 ms");
        run(
                        "ring",
                        "create",
                        "flash",
                        "--colours",
                        "3",
                        "--writers",
                        "2",
                        "--period",
                        "5s",
                        "--volumes",
                        names[0] + "," + names[1] + "," + names[2],
                        "--spares",
                        names[3])
                .well();
        Await.result(cluster.client().mkdirs(new FilePath("/hot/below"), 0755, true));
        refused(run("ec", "set", "rs-2-1-64k", "/hot", "--ring", "flash"), 2, "tolerate at most 1 writers");
        refused(run("ring", "set", "flash", "--writers", "3"), 2, "nearest is 2");
        refused(run("ring", "set", "flash", "--writers", "0"), 2, "not '0': nearest is 1");
        refused(run("ring", "set", "flash", "--writers", "many"), 2, "not 'many': nearest is auto");
        refused(run("ring", "pause", "flush"), 1, "there is no ring flush; nearest is flash");
        assertThat(run("ring", "set", "flash", "--writers", "1").well().text()).contains("flash");
        refused(run("ec", "set", "rs-2-1-64k", "/hot", "--ring", "flsh"), 1, "nearest is flash");
        assertThat(run("ec", "set", "rs-2-1-64k", "/hot", "--ring", "flash")
                        .well()
                        .text())
                .isEqualTo("/hot rs-2-1-64k --ring flash\n");
        assertThat(run("ec", "get", "/hot/below").well().text()).isEqualTo("rs-2-1-64k --ring flash\n");
        Ecfs large = run("ec", "set", "replication-3", "/hot/below", "--ring", "flash");
        assertThat(large.code()).isZero();
        TestCluster.write(cluster.client(), "/hot/f", new byte[200_000]);
        JsonNode status = run("ring", "status", "flash", "--json").well().json();
        assertThat(status.get("colours").asInt()).isEqualTo(3);
        assertThat(status.get("volumes")).hasSize(4);
        assertThat(status.get("groupsByMostWriters").get(1).asInt()).isEqualTo(1);
        assertThat(run("ring", "status", "flash").well().text()).contains("position", "spare");
        await().atMost(TestCluster.PATIENCE)
                .untilAsserted(() -> assertThat(
                                run("ring", "status", "flash").well().text().lines())
                        .as("roles are reported")
                        .filteredOn(line -> line.matches("v.* active .* (reading|settling) .*"))
                        .hasSize(3));
        refused(run("ring", "drop", "flash"), 2, "is named by 2 directories");
        run("ec", "set", "inherit", "/hot/below", "--ring", "none").well();
        assertThat(run("ec", "set", "/hot", "--ring", "none").well().text()).isEqualTo("/hot rs-2-1-64k\n");
        refused(run("ring", "drop", "flash"), 2, "has a group", "--drain", "--in-place");
        refused(run("ring", "drop", "flash", "--drain"), 2, "need volumes outside of rings on 3 datanodes");
        refused(run("ring", "drop", "flash", "--drain", "--in-place"), 2, "mutually exclusive");
        assertThat(run("ring", "pause", "flash").well().text()).contains("paused");
        assertThat(run("ring", "resume", "flash").well().text()).doesNotContain("paused");
        assertThat(run("ring", "drop", "flash", "--in-place").well().text()).isEqualTo("ring flash is dropped\n");
        assertThat(TestCluster.read(cluster.client(), "/hot/f")).isEqualTo(new byte[200_000]);
        TestCluster.write(cluster.client(), "/hot/g", new byte[200_000]);
        refused(run("ring", "status", "flush"), 1, "there is no ring flush, and no other one: 'ecfs ring create'");
    }

    /** By the names of their directories. */
    private static String[] volumes() throws IOException {
        return Await.result(cluster.client().admin().report()).datanodes().stream()
                .map(datanode -> datanode.id() + ":"
                        + datanode.volumes().get(0).directory().orElseThrow())
                .toArray(String[]::new);
    }
}
