package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.console.cluster.WatchedCluster.Browser;
import io.ecfs.console.web.WebConsole;
import io.ecfs.message.FilePath;
import io.ecfs.message.VolumeId;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the console has of rings, beside the commands, and who may change them. */
class RingsApiTest {
    private static final String RINGS = "/api/v1/rings";

    @TempDir
    private static Path directory;

    private static TestJournals journals;
    private static TestCluster cluster;
    private static WebConsole console;
    private static Browser operator;
    private static Browser viewer;

    /** A ring with one group, which tolerates one writer. */
    @BeforeAll
    static void start() throws Exception {
        journals = new TestJournals();
        cluster = TestCluster.start(directory.resolve("cluster"), "rs-2-1-64k", 1, 3, journals.overrides());
        List<VolumeId> volumes = Await.result(cluster.client().admin().report()).datanodes().stream()
                .flatMap(datanode -> datanode.volumes().stream())
                .map(ClusterReport.Volume::id)
                .toList();
        Await.result(cluster.client()
                .admin()
                .createRing("flash", 3, Optional.of(1), Duration.ofSeconds(5), volumes, List.of()));
        Await.result(cluster.client().mkdirs(new FilePath("/hot"), 0755, true));
        Await.result(cluster.client().admin().setRing(new FilePath("/hot"), Optional.of("flash")));
        cluster.write("/hot/f", Pattern.bytes(1, 1000));
        console = WatchedCluster.start(WatchedCluster.config(cluster.uri(), directory, Optional.empty()));
        operator = new Browser(console.url()).logIn("olga");
        viewer = new Browser(console.url()).logIn("vera");
    }

    @AfterAll
    static void stop() throws IOException {
        console.close();
        cluster.close();
        journals.close();
    }

    private static Ecfs command(String... words) {
        String[] all = new String[words.length + 3];
        all[0] = "ring";
        System.arraycopy(words, 0, all, 1, words.length);
        all[words.length + 1] = "--cluster";
        all[words.length + 2] = cluster.uri();
        return Ecfs.run(all);
    }

    private static JsonNode flash(Browser browser) throws Exception {
        JsonNode rings = browser.json(RINGS).get("rings");
        assertThat(rings).hasSize(1);
        return still(rings.get(0));
    }

    /** Without what its clock and reports of datanodes change. */
    private static JsonNode still(JsonNode ring) {
        ((ObjectNode) ring).remove(List.of("position", "millisToMove"));
        ring.get("volumes").forEach(volume -> ((ObjectNode) volume).remove("status"));
        return ring;
    }

    private static JsonNode body(HttpResponse<String> answer, int status) throws IOException {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return new ObjectMapper().readTree(answer.body());
    }

    @Test
    void aRingIsAsTheCommandHasItAndForViewersWithoutPathsOfMachines() throws Exception {
        JsonNode ring = flash(operator);
        assertThat(ring)
                .isEqualTo(still(command("status", "flash", "--json").well().json()));
        assertThat(ring.get("groupsByMostWriters").toString()).isEqualTo("[0,1,0]");
        assertThat(ring.findValuesAsText("directory")).hasSize(3).allMatch(path -> path.startsWith("/"));
        JsonNode seen = flash(viewer);
        assertThat(seen.findValues("directory")).hasSize(3).allMatch(JsonNode::isNull);
        ring.get("volumes").forEach(volume -> ((ObjectNode) volume).putNull("directory"));
        assertThat(seen).isEqualTo(ring);
    }

    @Test
    void anOperatorChangesARingAndItIsOnRecord() throws Exception {
        JsonNode before = flash(operator);
        JsonNode paused = body(operator.post(RINGS + "/flash", "{\"period\":\"20s\",\"paused\":true}"), 200);
        assertThat(paused.get("paused").asBoolean()).isTrue();
        assertThat(paused.get("periodMillis").asLong()).isEqualTo(20_000);
        assertThat(paused.get("epoch").asLong()).isEqualTo(before.get("epoch").asLong() + 1);
        JsonNode entry = operator.json("/api/v1/audit").at("/entries/0");
        assertThat(entry.get("user").asText()).isEqualTo("olga");
        assertThat(entry.get("action").asText()).isEqualTo("change ring");
        assertThat(entry.get("target").asText()).startsWith("flash {").contains("\"paused\":true");
        assertThat(entry.get("outcome").asText()).isEqualTo("done");
        assertThat(operator.json("/api/v1/audit/changes?find=console:olga&limit=1")
                        .at("/entries/0/person")
                        .asText())
                .isEqualTo("olga");
        JsonNode adaptive = body(operator.post(RINGS + "/flash", "{\"writers\":\"auto\",\"paused\":false}"), 200);
        assertThat(adaptive.get("adaptive").asBoolean()).isTrue();
        JsonNode back = body(operator.post(RINGS + "/flash", "{\"writers\":1,\"period\":\"5s\"}"), 200);
        ((ObjectNode) before).put("epoch", back.get("epoch").asInt());
        assertThat(still(back)).isEqualTo(before);
    }

    @Test
    void aViewerChangesNoRing() throws Exception {
        JsonNode before = flash(operator);
        body(viewer.post(RINGS + "/flash", "{\"paused\":true}"), 403);
        body(operator.post(RINGS + "/flash", "{\"paused\":true}", "forged"), 403);
        assertThat(flash(operator)).isEqualTo(before);
    }

    @Test
    void aViewerSeesNoPathOfADirectoryInEventsAndNoneOfAMachineInTheReport() throws Exception {
        assertThat(operator.get("/api/v1/events").body()).contains("ring of /hot: inherited -> flash");
        assertThat(viewer.get("/api/v1/events").body())
                .contains("ring of (hidden): inherited -> flash")
                .doesNotContain("/hot");
        String machine = directory.toString();
        assertThat(operator.get("/api/v1/report").body()).contains(machine);
        for (String call : List.of("/api/v1/report", "/api/v1/view", RINGS)) {
            assertThat(viewer.get(call).body()).as(call).doesNotContain(machine);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        flash | {"writers": 2}        | 400 | --writers 2
        flash | {"writers": 3}        | 400 | --writers 3
        flash | {"period": "200ms"}   | 400 | --period 200ms
        flash | {"period": "soon"}    | 400 | --period soon
        flush | {"writers": 1}        | 404 | --writers 1
        """)
    void badInputIsRefusedAsByTheCommand(String ring, String body, int status, String options) throws Exception {
        JsonNode before = flash(operator);
        String refusal = body(operator.post(RINGS + "/" + ring, body), status)
                .get("detail")
                .asText();
        assertThat(refusal.lines()).hasSize(1);
        assertThat(command(("set " + ring + " " + options).split(" ", -1)).err())
                .contains(refusal);
        assertThat(operator.json("/api/v1/audit").at("/entries/0/outcome").asText())
                .isEqualTo("failed: " + refusal);
        assertThat(flash(operator)).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"writers": 0}          | 'writers' must be
        {"writers": -1}         | 'writers' must be
        {"writers": 4294967297} | 'writers' must be
        {"writers": 1.5}        | 'writers' must be
        {"writers": "many"}     | 'writers' must be
        {"writers": null}       | 'writers' must be
        {"period": 20}          | 'period' must be
        {"paused": "yes"}       | 'paused' must be
        {}                      | name at least one of
        """)
    void whatIsNoChangeIsRefused(String body, String refusal) throws Exception {
        assertThat(body(operator.post(RINGS + "/flash", body), 400)
                        .get("detail")
                        .asText())
                .startsWith(refusal);
    }
}
