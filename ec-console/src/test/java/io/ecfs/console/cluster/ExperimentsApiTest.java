package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ecfs.console.cluster.WatchedCluster.Browser;
import io.ecfs.console.web.WebConsole;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the console has of fault experiments and of the advisor; no cluster is needed for either. */
class ExperimentsApiTest {
    private static final String EXPERIMENTS = "/api/v1/experiments";
    private static final String QUESTION = "files=10000x64m&datanodes=30&tolerate=3&recoverIn=15m&overhead=1.5";

    @TempDir
    private static Path directory;

    private static Path results;
    private static WebConsole console;
    private static Browser viewer;

    @BeforeAll
    static void start() throws Exception {
        results = Files.createDirectories(directory.resolve("results"));
        SampleReports.run(results.resolve("kill"));
        SampleReports.sweep(results.resolve("slices"));
        SampleReports.run(results);
        Files.createDirectories(results.resolve("nothing in it"));
        report("broken", "[{\"policy\": \"rs-3-2-64k\", ");
        report("other", "{\"name\": \"write_seq\"}");
        report("half", "[{\"policy\": \"rs-3-2-64k\"}]");
        report("paper", "[]");
        Files.writeString(directory.resolve("report.json"), "[]");
        try (ServerSocket nobody = new ServerSocket(0)) {
            console = WatchedCluster.start(WatchedCluster.config(
                    "ecfs://127.0.0.1:" + nobody.getLocalPort(), directory, Optional.of(results.toString())));
        }
        viewer = new Browser(console.url()).logIn("vera");
    }

    @AfterAll
    static void stop() {
        console.close();
    }

    private static void report(String name, String text) throws IOException {
        Files.writeString(Files.createDirectories(results.resolve(name)).resolve("report.json"), text);
    }

    private static JsonNode experiment(String name) throws Exception {
        return viewer.json(EXPERIMENTS + "/" + name);
    }

    @Test
    void reportsAreThoseOfTheDirectoryAndOfThoseBelowIt() throws Exception {
        JsonNode list = viewer.json(EXPERIMENTS);
        assertThat(list.get("directory").asText()).isEqualTo(results.toString());
        assertThat(list.get("reports").findValuesAsText("name"))
                .containsExactlyInAnyOrder("kill", "slices", "report.json", "broken", "other", "half", "paper");
        assertThat(experiment("report.json").get("results")).hasSize(4);
        assertThat(experiment("paper").get("results")).isEmpty();
    }

    @Test
    void anExperimentHasItsPhasesVictimsAndProblems() throws Exception {
        JsonNode kill = experiment("kill");
        assertThat(kill.get("sensitivity")).isEmpty();
        assertThat(kill.get("results").findValuesAsText("policy"))
                .containsExactly("rs-3-2-64k", "clay-4-2-5-64k", "rs-3-2-64k", "clay-4-2-5-64k");
        JsonNode first = kill.at("/results/0");
        assertThat(first.get("phases").findValuesAsText("phase"))
                .containsExactly("NOTICE", "GRACE", "CHECKING", "RECOVERY", "SETTLING");
        assertThat(first.get("phases").findValuesAsText("seconds"))
                .containsExactly("1.0", "2.0", "0.15", "4.0", "0.35");
        assertThat(first.get("totalSeconds").asDouble()).isEqualTo(7.5);
        assertThat(first.get("readPerByte").asDouble()).isEqualTo(3);
        assertThat(first.get("problems")).isEmpty();
        assertThat(kill.at("/results/3/problems/0").asText()).isEqualTo("/load/7 differs from byte 4096 on");
        List<String> map = new ArrayList<>();
        first.get("racks")
                .forEach(rack -> rack.get("datanodes")
                        .forEach(datanode -> map.add(rack.get("rack").asText() + " "
                                + datanode.get("name").asText() + " " + datanode.get("faults"))));
        assertThat(map)
                .containsExactly(
                        "/rack0 dn0 []",
                        "/rack0 dn1 [\"kill\"]",
                        "/rack1 dn2 []",
                        "/rack1 dn3 [\"cut of dn3/0\"]",
                        "/rack2 dn4 []");
        assertThat(first.get("otherVictims").toString()).isEqualTo("[\"nn0\"]");
        assertThat(first.at("/faults/0/groupsByLosses/1").asInt()).isEqualTo(12);
        assertThat(first.at("/faults/0/lastedSeconds").asDouble()).isEqualTo(3);
    }

    @Test
    void aSweepHasTheSettingThatMattersFirst() throws Exception {
        JsonNode slices = experiment("slices");
        assertThat(slices.at("/results/0/settings/datanode.repair.slicesAtOnce").asText())
                .isEqualTo("1");
        JsonNode sensitivity = slices.get("sensitivity");
        assertThat(sensitivity.findValuesAsText("setting"))
                .containsExactly("datanode.repair.slicesAtOnce", "namenode.settings.recovery.grace");
        assertThat(sensitivity.at("/0/best").asText()).isEqualTo("4");
        assertThat(sensitivity.at("/0/worst").asText()).isEqualTo("1");
        assertThat(sensitivity.at("/0/spread").asDouble()).isCloseTo(12.5 / 6.5, within(1e-9));
        assertThat(sensitivity.at("/1/spread").asDouble()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "broken, 400, no report of experiments",
        "other, 400, a list of results is expected",
        "half, 400, no report of experiments",
        "none, 404, no report of that name",
        "nothing%20in%20it, 404, no report of that name",
        "..%2f.., 400, Bad Request",
        "%2e%2e, 400, not allowed"
    })
    void whatIsNoReportIsRefusedInOneLine(String name, int status, String reason) throws Exception {
        HttpResponse<String> answer = viewer.get(EXPERIMENTS + "/" + name);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).contains(reason);
    }

    /** Experiments hurt a cluster: the console only shows them; {@code ArchitectureTest} has the same of its code. */
    @Test
    void noCallRunsAFault() throws Exception {
        Browser operator = new Browser(console.url()).logIn("olga");
        JsonNode document = operator.json("/api/v1/openapi.json");
        document.get("paths").properties().forEach(path -> {
            if (path.getKey().matches(".*(experiment|fault|advice|benchmark).*")) {
                assertThat(path.getValue().fieldNames()).toIterable().containsExactly("get");
            }
        });
        String profile = "{\"faults\": [{\"fault\": \"kill\"}]}";
        for (String path : List.of(EXPERIMENTS, EXPERIMENTS + "/kill", "/api/v1/advice", "/api/v1/faults")) {
            assertThat(viewer.post(path, profile).statusCode()).as(path).isEqualTo(403);
            assertThat(operator.post(path, profile).statusCode()).as(path).isIn(404, 405);
        }
    }

    @Test
    void theAdviceIsTheCommandsForViewersToo() throws Exception {
        JsonNode answer = viewer.json("/api/v1/advice?all=true&" + QUESTION);
        JsonNode command = Ecfs.run(("advise --json --files 10000x64m --datanodes 30 --tolerate 3 --recover-in 15m"
                                + " --overhead 1.5")
                        .split(" ", -1))
                .json();
        assertThat(answer.get("advice")).isEqualTo(command);
        assertThat(answer.get("ranked").asInt()).isEqualTo(command.size());
        assertThat(answer.get("waitSeconds").asDouble()).isCloseTo(610.2, within(1e-9));
        assertThat(viewer.json("/api/v1/advice?" + QUESTION).get("advice")).hasSize(12);
        assertThat(viewer.json("/api/v1/advice?grace=0s&" + QUESTION)
                        .get("waitSeconds")
                        .asDouble())
                .isCloseTo(10.2, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --files 64m --datanodes 30                       | files=64m&datanodes=30
        --files 0x64m --datanodes 30                     | files=0x64m&datanodes=30
        --files 10x1m --datanodes 0                      | files=10x1m&datanodes=0
        --files 10x1m --datanodes 9 --tolerate 0         | files=10x1m&datanodes=9&tolerate=0
        --files 10x1m --datanodes 9 --overhead 0.5       | files=10x1m&datanodes=9&overhead=0.5
        --files 10x1m --datanodes 9 --recover-in 5x      | files=10x1m&datanodes=9&recoverIn=5x
        --files 10x1m --datanodes 9 --recover-in 500us   | files=10x1m&datanodes=9&recoverIn=500us
        --files 10x1m --datanodes 9 --disk 250           | files=10x1m&datanodes=9&disk=250
        --files 10x1m --datanodes 9 --net 10             | files=10x1m&datanodes=9&net=10
        --files 10x1m --datanodes 9 --cores 0            | files=10x1m&datanodes=9&cores=0
        --files 10x1m --datanodes 9 --pack some          | files=10x1m&datanodes=9&pack=some
        """)
    void badInputIsRefusedAsByTheCommand(String options, String query) throws Exception {
        HttpResponse<String> answer = viewer.get("/api/v1/advice?" + query);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        String refusal =
                new ObjectMapper().readTree(answer.body()).get("detail").asText();
        assertThat(refusal.lines()).hasSize(1);
        assertThat(Ecfs.run(("advise " + options).split(" ", -1)).err()).contains(refusal);
    }

    @ParameterizedTest
    @CsvSource({
        "datanodes, few, 'few' is not an int for datanodes",
        "overhead, x, 'x' is not a number for overhead",
        "overhead, NaN, use --overhead 1.5",
        "cores, 99999999999, is not an int for cores"
    })
    void whatIsNoNumberIsRefused(String name, String value, String refusal) throws Exception {
        String question = "/api/v1/advice?files=10x1m&" + (name.equals("datanodes") ? "" : "datanodes=9&") + name + "="
                + URLEncoder.encode(value, StandardCharsets.UTF_8);
        HttpResponse<String> answer = viewer.get(question);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains(refusal);
    }
}
