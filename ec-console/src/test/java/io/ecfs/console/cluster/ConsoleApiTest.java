package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.update.UpdatableFile;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.console.cluster.WatchedCluster.Browser;
import io.ecfs.console.view.FileLayout.PackView;
import io.ecfs.console.web.webhook.Receiver;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/** The console's API on a live cluster: its numbers are the commands', and it refuses what it should. */
class ConsoleApiTest {
    private static final Set<String> OPEN =
            Set.of("/api/v1/session", "/api/v1/openapi.json", "/health", "/metrics", "/error");
    private static final int REQUESTS_EACH = Integer.getInteger("ecfs.fuzz.each", 12);
    private static final List<String> BAD_BODIES = List.of(
            "",
            "{",
            "[]",
            "null",
            "{}",
            "{\"duty\":7,\"wish\":7,\"path\":7,\"policy\":7}",
            "{\"duty\":\"x\",\"wish\":\"x\",\"path\":\"x\",\"policy\":\"x\"}",
            "{\"path\":\"/none\",\"policy\":\"rs-6-3-1024k\",\"duty\":\"maintenance\",\"for\":\"soon\"}",
            "{\"path\":\"/d\",\"path\":\"/d\"}",
            "{\"wish\":\"begin\",\"thresholdPercent\":-1}",
            "{}x",
            "{\"a\":" + "[".repeat(7000));

    @TempDir
    private static Path directory;

    private static WatchedCluster watched;
    private static Browser operator;
    private static JsonNode document;

    @BeforeAll
    static void start() throws Exception {
        watched = WatchedCluster.start(directory);
        operator = watched.browser().logIn("olga");
        document = operator.json("/api/v1/openapi.json");
    }

    @AfterAll
    static void stop() {
        watched.close();
    }

    private static JsonNode command(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--cluster", watched.cluster.uri(), "--json"));
        return Ecfs.run(all.toArray(String[]::new)).json();
    }

    private static void assertProblem(HttpResponse<String> answer, int status) {
        assertThat(answer.statusCode()).as(answer.uri() + " " + answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
    }

    @Test
    void aNameIsFoundPageByPageAsByTheCommand() throws Exception {
        List<String> found = new ArrayList<>();
        String after = "";
        do {
            JsonNode page = operator.json("/api/v1/find?pattern=LARG*&anyCase=true&examine=1&after="
                    + URLEncoder.encode(after, StandardCharsets.UTF_8));
            assertThat(page.get("examined").asInt()).isLessThanOrEqualTo(1);
            page.get("entries").forEach(entry -> found.add(entry.get("path").asText()));
            after = page.get("next").asText("");
        } while (!after.isEmpty());
        assertThat(found).containsExactly("/d/large");
        assertThat(Ecfs.run("find", "/d", "-name", "larg*", "--cluster", watched.cluster.uri())
                        .text())
                .isEqualTo("/d/large\n");
    }

    @Test
    void aGroupLeadsToItsFile() throws Exception {
        long group = command("admin", "layout", "/d/large").at("/groups/0/id").asLong();
        assertThat(operator.json("/api/v1/groups/g" + group).get("path").asText())
                .isEqualTo("/d/large");
        assertThat(operator.json("/api/v1/groups/99999").get("state").asText()).isEqualTo("GONE");
        assertThat(command("admin", "group", "" + group).at("/groups/0"))
                .isEqualTo(operator.json("/api/v1/groups/" + group));
    }

    @Test
    void aHealedIncidentHasItsFiles() throws Exception {
        JsonNode files = operator.json("/api/v1/incidents/" + watched.loss() + "/files");
        assertThat(files.get("files").findValuesAsText("path")).contains("/d/large");
        assertThat(files).isEqualTo(command("admin", "timeline", "" + watched.loss(), "--files"));
    }

    @Test
    void aHealedIncidentHasItsPhasesFromTheLastHeartbeat() throws Exception {
        String loss = "/api/v1/incidents/" + watched.loss();
        JsonNode phases = operator.json(loss + "/phases").get("phases");
        assertThat(phases.findValuesAsText("phase"))
                .containsExactly("NOTICE", "GRACE", "CHECKING", "RECOVERY", "SETTLING");
        JsonNode incident = operator.json(loss);
        assertThat(phases.at("/1/beganAt")).isEqualTo(incident.get("detectedAt"));
        assertThat(phases.at("/3/beganAt")).isEqualTo(incident.get("firstRepairAt"));
        assertThat(phases.at("/4/endedAt")).isEqualTo(incident.get("healedAt"));
        assertProblem(operator.get("/api/v1/incidents/99999/phases"), 404);
    }

    @Test
    void aChangeOfTheConsoleAndOneOfACommandAreInTheAudit() throws Exception {
        operator.post("/api/v1/throttles", "{\"repairsAtOnce\": 77}");
        assertThat(command("admin", "throttle", "--repairs", "default").isObject())
                .isTrue();
        JsonNode found =
                operator.json("/api/v1/audit/changes?find=setThrottles&limit=2").get("entries");
        assertThat(found.findValuesAsText("via")).containsExactly("cli", "console");
        assertThat(found.at("/1/person").asText()).isEqualTo("olga");
        assertThat(found.at("/1/detail").asText()).contains("77");
        assertThat(operator.get("/api/v1/audit/changes.csv?find=setThrottles").body())
                .contains(",olga,", "setThrottles");
        assertThat(command("admin", "audit", "--find", "setThrottles", "--limit", "2")
                        .get("entries"))
                .isEqualTo(found);
        assertThat(watched.browser().logIn("vera").get("/api/v1/audit/changes").statusCode())
                .isEqualTo(403);
    }

    @Test
    void itsNumbersAreThoseOfTheCommands() throws Exception {
        assertThat(still(operator.json("/api/v1/report"))).isEqualTo(still(command("admin", "report")));
        assertThat(operator.json("/api/v1/layout?path=/d/large")).isEqualTo(command("admin", "layout", "/d/large"));
        assertThat(used(operator.json("/api/v1/balance"))).isEqualTo(used(command("admin", "balance", "--dry-run")));
        assertThat(operator.json("/api/v1/policies").get("policies")).isEqualTo(command("ec", "list"));
        assertThat(operator.json("/api/v1/problems").get("problems"))
                .isEqualTo(command("admin", "fsck").get("problems"));
        String other = watched.dead.equals("dn0") ? "dn1" : "dn0";
        assertThat(operator.json("/api/v1/safe-to-stop?datanode=" + other))
                .isEqualTo(command("admin", "safe-to-stop", other));
        assertThat(operator.json("/api/v1/moves")).isEqualTo(command("admin", "moves"));
        assertThat(operator.json("/api/v1/throttles")).isEqualTo(command("admin", "throttle"));
        JsonNode use = command("ec", "usage");
        assertThat(operator.json("/api/v1/usage").get("policies")).isEqualTo(use.get("policies"));
        JsonNode coded = StreamSupport.stream(use.get("policies").spliterator(), false)
                .filter(policy -> policy.get("policy").asText().equals("rs-3-2-64k"))
                .findFirst()
                .orElseThrow();
        assertThat(coded.get("userBytes").asLong()).isPositive();
        assertThat(coded.get("measured").asDouble()).isBetween(5 / 3.0, 2.0);
        assertThat(operator.json("/api/v1/codec").get("inUse").asText())
                .isEqualTo(Kernels.best().name());
        assertThat(operator.json("/api/v1/writes").findValuesAsText("sinceMillis"))
                .isEqualTo(command("admin", "writes").findValuesAsText("sinceMillis"));
        assertThat(operator.json("/api/v1/writes").get("masters")).isNotEmpty();
        assertThat(operator.json("/api/v1/writes/forecast?policy=rs-4-2-64k").findValuesAsText("network"))
                .containsExactly("1.0E9", "2.5E9", "1.0E10", "2.5E10", "4.0E10", "1.0E11", "4.0E11");
        assertThat(operator.json("/api/v1/loads").findValuesAsText("id"))
                .isEqualTo(command("admin", "loads").findValuesAsText("id"));
        String loss = "/api/v1/incidents/" + watched.loss();
        JsonNode incident = command("admin", "timeline", "" + watched.loss()).at("/incidents/0");
        JsonNode shown = operator.json(loss);
        incident.fieldNames().forEachRemaining(name -> {
            if (!name.equals("groups")) {
                assertThat(shown.get(name)).as(name).isEqualTo(incident.get(name));
            }
        });
        assertThat(operator.json(loss + "/chunks").get("groups")).isNotEmpty().isEqualTo(incident.get("groups"));
        JsonNode events = operator.json("/api/v1/events").get("events");
        events.forEach(event -> ((ObjectNode) event).remove("text"));
        assertThat(events.get(0)).isEqualTo(command("admin", "events").at("/events/0"));
    }

    /** Of all that can be asked without a parameter. */
    @Test
    void answersHaveTheFieldsThatTheDocumentNames() throws Exception {
        for (var path : document.get("paths").properties()) {
            JsonNode operation = path.getValue().path("get");
            JsonNode schema = operation.at("/responses/200/content/application~1json/schema");
            boolean needy = path.getKey().contains("{")
                    || operation.path("parameters").findValuesAsText("required").contains("true")
                    || path.getKey().endsWith("/explain");
            if (schema.isMissingNode() || needy) {
                continue;
            }
            JsonNode named =
                    schema.has("$ref") ? document.at(schema.get("$ref").asText().substring(1)) : schema;
            List<String> come = new ArrayList<>();
            operator.json(path.getKey()).fieldNames().forEachRemaining(come::add);
            List<String> documented = new ArrayList<>();
            named.get("properties").fieldNames().forEachRemaining(documented::add);
            assertThat(come).as(path.getKey()).containsExactlyInAnyOrderElementsOf(documented);
        }
    }

    @Test
    void theVerdictNamesTheDeadDatanode() throws Exception {
        JsonNode health = operator.json("/api/v1/health");
        assertThat(health.get("level").asText()).isEqualTo("WARNING");
        assertThat(health.findValuesAsText("text")).contains("datanode " + watched.dead + " is dead");
    }

    @Test
    void aWebhookGetsTheVerdictAndNoOldIncident() throws Exception {
        Receiver.Request request = Awaitility.await()
                .atMost(TestCluster.PATIENCE)
                .until(
                        () -> watched.receiver.requests().stream()
                                .filter(sent ->
                                        !sent.headers().get("x-ecfs-event").equals("test"))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
        JsonNode first = new ObjectMapper().readTree(request.body());
        assertThat(first.get("event").asText()).isEqualTo("healthChanged");
        assertThat(first.get("severity").asText()).isEqualTo("warning");
        assertThat(first.get("health")).isEqualTo(operator.json("/api/v1/health"));
    }

    @Test
    void aViewerGetsTheEventOfAPolicyWithoutItsPath() throws Exception {
        Await.result(watched.cluster.client().mkdirs(new FilePath("/closed/plan"), 0700, true));
        operator.post("/api/v1/policy", "{\"path\":\"/closed/plan\",\"policy\":\"replication-3\"}");
        Awaitility.await()
                .atMost(TestCluster.PATIENCE)
                .until(() ->
                        operator.get("/api/v1/events/latest").body().contains("policy of /closed/plan: inherited"));
        for (String call : List.of("/api/v1/events/latest", "/api/v1/events")) {
            assertThat(operator.get(call).body()).contains("/closed/plan", "by olga as ");
            assertThat(watched.browser().logIn("vera").get(call).body())
                    .contains("policy of (hidden): inherited -> replication-3", "by olga as ")
                    .doesNotContain("/closed/plan");
        }
    }

    /** Files of one owner and mode in two directories, one of which others may not enter. */
    @Test
    void packsAreSummedAndAPackedFileNamesOthersThatTheUserMayList() throws Exception {
        int packed = PackView.MOST_OTHERS + 5;
        Await.result(watched.cluster.client().mkdirs(new FilePath("/packed"), 0755, true));
        Await.result(watched.cluster.client().mkdirs(new FilePath("/locked"), 0700, true));
        try (EcfsClient packing = TestCluster.client(watched.cluster.uri(), "pack.on=true")) {
            TestCluster.write(packing, "/locked/secret", Pattern.bytes(1, 3000));
            for (int i = 0; i < packed; i++) {
                TestCluster.write(packing, "/packed/f" + i, Pattern.bytes(i, 3000));
            }
        }
        Awaitility.await()
                .atMost(TestCluster.PATIENCE)
                .until(() -> command("admin", "report").at("/groups/open").asLong() == 0);
        WatchedCluster.awaitAllReported(watched.cluster);

        JsonNode pack = operator.json("/api/v1/layout?path=/packed/f3").at("/groups/0/pack");
        assertThat(pack.get("files").asInt()).isEqualTo(packed + 1);
        assertThat(texts(pack.get("others")))
                .hasSize(PackView.MOST_OTHERS)
                .contains("/locked/secret")
                .doesNotContain("/packed/f3");
        JsonNode seen = watched.browser()
                .logIn("vera")
                .json("/api/v1/layout?path=/packed/f3")
                .at("/groups/0/pack");
        assertThat(seen.get("files").asInt()).isEqualTo(packed + 1);
        assertThat(texts(seen.get("others")))
                .hasSize(PackView.MOST_OTHERS)
                .allMatch(path -> path.startsWith("/packed/f"));

        JsonNode fsck = command("admin", "fsck");
        Awaitility.await("sums that have the pack")
                .atMost(TestCluster.PATIENCE)
                .until(() -> operator.json("/api/v1/packs").get("groups").asLong()
                        == fsck.get("packedGroups").asLong());
        JsonNode sums = operator.json("/api/v1/packs");
        assertThat(sums.get("files").asLong()).isEqualTo(packed + 1);
        assertThat(sums.get("bytes")).isEqualTo(fsck.get("packedBytes"));
        assertThat(sums.get("liveBytes").asLong())
                .isEqualTo(fsck.get("packedLiveBytes").asLong())
                .isEqualTo(3000L * (packed + 1));
        assertThat(sums.get("cleanBelow").asDouble()).isEqualTo(0.6);
        assertThat(operator.json("/api/v1/packs").get("at"))
                .as("another request has nothing summed")
                .isEqualTo(sums.get("at"));
        assertProblem(watched.browser().logIn("vera").get("/api/v1/packs"), 403);
    }

    /** Half of what is in a patch group is live when each byte was written twice; a pack it is not. */
    @Test
    void patchesOfAFileAreThoseOfTheCommandAndNoPack() throws Exception {
        int bytes = 200_000;
        JsonNode packs = command("admin", "fsck").get("packedGroups");
        UpdatableFile file = watched.updated("/d/image", bytes);
        JsonNode open = operator.json("/api/v1/patches?path=/d/image");
        assertThat(open.get("open").asBoolean()).isTrue();
        assertThat(open.get("patches")).isEmpty();
        long group = open.get("openGroup").asLong();
        file.close();
        JsonNode closed = operator.json("/api/v1/patches?path=/d/image");
        assertThat(closed).isEqualTo(command("admin", "patches", "/d/image"));
        assertThat(closed.get("openGroup").isNull()).isTrue();
        assertThat(closed.get("open").asBoolean()).isFalse();
        assertThat(closed.get("version").asLong())
                .isGreaterThan(open.get("version").asLong());
        assertThat(closed.at("/patches/0/groupId").asLong()).isEqualTo(group);
        assertThat(closed.get("liveBytes").asLong())
                .isEqualTo(closed.at("/patches/0/liveBytes").asLong())
                .isEqualTo(bytes);
        assertThat(closed.get("storedBytes").asLong())
                .isEqualTo(closed.at("/patches/0/length").asLong())
                .isBetween(2L * bytes, 2L * bytes + 10_000);
        assertThat(names(closed)).containsExactlyElementsOf(documented("/api/v1/patches"));

        JsonNode layout = operator.json("/api/v1/layout?path=/d/image");
        assertThat(layout.at("/patches/0/groupId").asLong()).isEqualTo(group);
        assertThat(layout.at("/groups/0/pack").isNull()).isTrue();
        assertThat(names(layout)).containsExactlyElementsOf(documented("/api/v1/layout"));
        assertThat(command("admin", "fsck").get("packedGroups"))
                .as("a patch group counts as no pack")
                .isEqualTo(packs);

        JsonNode ordinary = operator.json("/api/v1/patches?path=/d/large");
        assertThat(ordinary.get("version").asLong()).isZero();
        assertThat(ordinary.get("patches")).isEmpty();
        assertProblem(operator.get("/api/v1/patches?path=/d"), 400);
        assertProblem(operator.get("/api/v1/patches?path=/none"), 404);
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static List<String> documented(String path) {
        return names(
                document.get("paths").get(path).at("/get/responses/200/content/application~1json/schema/properties"));
    }

    @Test
    void resultsBesideAPaperAreDrawn() throws Exception {
        JsonNode drawn = operator.json("/api/v1/benchmarks/koh.jsonl/plots");
        assertThat(drawn.get("plots").findValuesAsText("title"))
                .as("the rate of figure 7 is not over time in the paper")
                .containsExactly("fig7: sequential writes", "Rate over time");
        assertThat(drawn.at("/plots/0/svg").asText())
                .startsWith("<svg ")
                .contains("<title>paper 0.670</title>", "<title>rules 0.500</title>", "<title>limit 2.00</title>")
                .contains("<title>ours 1.25</title>", "1.25, target &gt;= 1.50: short")
                .doesNotContain("style", "script");
        assertThat(drawn.at("/plots/1/svg").asText()).contains(">rs-6-3-64k</text>", ">replication-3-64k</text>");
        assertThat(drawn.get("leftOut").asInt()).isZero();
        assertThat(operator.json("/api/v1/benchmarks/monday.jsonl/plots").get("plots"))
                .isEmpty();
        assertProblem(operator.get("/api/v1/benchmarks/none/plots"), 404);
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(text -> texts.add(text.asText()));
        return texts;
    }

    @Test
    void aConversionIsPlannedPausedAndResumedAndItsIncidentIsPlanned() throws Exception {
        Await.result(watched.cluster.client().mkdirs(new FilePath("/cold/own"), 0700, true));
        watched.cluster.write("/cold/own/file", Pattern.bytes(5, 1 << 20));
        String body = "{\"path\":\"/cold\",\"policy\":\"rs-2-1-64k\",\"dryRun\":true}";
        Browser viewer = watched.browser().logIn("vera");
        assertProblem(viewer.post("/api/v1/conversions", body), 403);
        JsonNode plan = counted(posted("/api/v1/conversions", body).get("job").asLong());
        assertThat(plan.get("files").asLong()).isEqualTo(1);
        assertThat(plan.get("bytesToRead").asLong()).isEqualTo(1 << 20);
        assertThat(plan.get("bytesToWrite").asLong()).isEqualTo(3L << 19);
        assertProblem(operator.post("/api/v1/conversions", body.replace("rs-2-1", "rs-12-4")), 400);

        operator.post("/api/v1/throttles", "{\"repairBytesPerSecond\":65536}");
        long job = posted("/api/v1/conversions", body.replace("true", "false"))
                .get("job")
                .asLong();
        String one = "/api/v1/conversions/" + job;
        assertProblem(viewer.post(one, "{\"wish\":\"pause\"}"), 403);
        assertThat(posted(one, "{\"wish\":\"pause\"}").get("state").asText()).isEqualTo("PAUSED");
        assertThat(command("ec", "conversions").findValuesAsText("state")).contains("PAUSED");
        assertThat(texts(viewer.json("/api/v1/conversions").get("conversions"))).isEmpty();
        assertProblem(operator.post(one, "{\"wish\":\"stop\"}"), 400);
        assertProblem(operator.post("/api/v1/conversions/999999", "{\"wish\":\"pause\"}"), 404);
        operator.post("/api/v1/throttles", "{\"repairBytesPerSecond\":null}");
        posted(one, "{\"wish\":\"resume\"}");
        Awaitility.await()
                .atMost(TestCluster.PATIENCE)
                .until(() -> conversion(job).get("state").asText().equals("DONE"));
        assertThat(conversion(job).get("endedAt").isNull()).isFalse();

        Awaitility.await("the end of the incident")
                .atMost(TestCluster.PATIENCE)
                .until(() -> StreamSupport.stream(
                                operator.json("/api/v1/incidents")
                                        .get("incidents")
                                        .spliterator(),
                                false)
                        .anyMatch(incident -> incident.get("kind").asText().equals("FILES_REWRITTEN")
                                && incident.get("planned").asBoolean()
                                && incident.get("chunksRepaired").asLong() > 0
                                && !incident.get("healedAt").isNull()));
        assertThat(operator.get("/api/v1/events").body())
                .contains("conversion " + job + " of /cold to", "rewritten: converted");
        assertThat(viewer.get("/api/v1/events").body())
                .contains("conversion " + job + " of (hidden) to")
                .doesNotContain("/cold");
        assertThat(operator.json("/api/v1/audit").findValuesAsText("action"))
                .contains("plan to convert to rs-2-1-64k", "convert to rs-2-1-64k", "pause conversion");
        WatchedCluster.awaitAllReported(watched.cluster);
    }

    private static JsonNode posted(String path, String body) throws Exception {
        HttpResponse<String> done = operator.post(path, body);
        assertThat(done.statusCode()).as(done.body()).isEqualTo(200);
        return new ObjectMapper().readTree(done.body());
    }

    private static JsonNode conversion(long job) throws Exception {
        return StreamSupport.stream(
                        operator.json("/api/v1/conversions").get("conversions").spliterator(), false)
                .filter(conversion -> conversion.get("job").asLong() == job)
                .findFirst()
                .orElseThrow();
    }

    private static JsonNode counted(long job) {
        return Awaitility.await()
                .atMost(TestCluster.PATIENCE)
                .until(() -> conversion(job), now -> now.get("state").asText().equals("DONE"));
    }

    @Test
    void rulesOfADirectoryAreSetAndShownBelowIt() throws Exception {
        Await.result(watched.cluster.client().mkdirs(new FilePath("/logs/old"), 0755, true));
        String body = "{\"path\":\"/logs\",\"rules\":[\"30d=rs-4-2-64k\"]}";
        assertProblem(watched.browser().logIn("vera").post("/api/v1/rules", body), 403);
        assertThat(posted("/api/v1/rules", body)).isEqualTo(command("ec", "rule", "/logs"));
        JsonNode below = operator.json("/api/v1/files?path=/logs/old").get("rules");
        assertThat(below.get("from").asText()).isEqualTo("/logs");
        assertThat(below.at("/rules/0/policy").asText()).isEqualTo("rs-4-2-64k");
        assertProblem(operator.post("/api/v1/rules", body.replace("30d=", "")), 400);
        assertThat(posted("/api/v1/rules", "{\"path\":\"/logs\",\"rules\":[]}")
                        .get("from")
                        .isNull())
                .isTrue();
    }

    @Test
    void aTestMessageIsAnOperatorsAndIsOnRecord() throws Exception {
        Browser viewer = watched.browser().logIn("vera");
        assertProblem(viewer.get("/api/v1/webhooks"), 403);
        assertProblem(viewer.post("/api/v1/webhooks/pager/test", "{}"), 403);
        HttpResponse<String> done = operator.post("/api/v1/webhooks/pager/test", "{}");
        assertThat(done.statusCode()).as(done.body()).isEqualTo(200);
        assertThat(watched.receiver.requests())
                .anyMatch(request -> request.headers().get("x-ecfs-event").equals("test"));
        JsonNode latest = operator.json("/api/v1/audit").at("/entries/0");
        assertThat(latest.get("action").asText()).isEqualTo("test webhook");
        assertThat(latest.get("target").asText()).isEqualTo("pager");
        assertThat(latest.get("outcome").asText()).isEqualTo("done");
        assertThat(operator.get("/api/v1/webhooks").body())
                .contains("\"name\":\"pager\"")
                .doesNotContain("s3cret");
    }

    @Test
    void whatADeadDatanodeHeldIsNotCountedAsHeld() throws Exception {
        long held = 0;
        long gone = 0;
        for (JsonNode datanode : command("admin", "report").get("datanodes")) {
            boolean dead = datanode.get("id").asText().equals(watched.dead);
            for (JsonNode volume : datanode.get("volumes")) {
                held += dead ? 0 : volume.get("usedBytes").asLong();
                gone += dead ? volume.get("usedBytes").asLong() : 0;
            }
        }
        assertThat(gone).isPositive();
        assertThat(operator.json("/api/v1/usage").get("heldBytes").asLong()).isEqualTo(held);
        assertThat(operator.json("/api/v1/view").at("/numbers/usedBytes").asLong())
                .isEqualTo(held);
    }

    @Test
    void theNamenodesAuditLogHasTheOperatorBehindTheSuperuser() throws Exception {
        operator.post("/api/v1/policy", "{\"path\":\"/none\",\"policy\":\"inherit\"}");
        Awaitility.await()
                .atMost(TestCluster.PATIENCE)
                .untilAsserted(
                        () -> assertThat(watched.cluster.directoryOf("nn0").resolve("audit.log"))
                                .content()
                                .containsPattern("ugi=" + System.getProperty("user.name")
                                        + " [^\n]*\tcmd=unsetErasureCodingPolicy"
                                        + "\tsrc=/none\t[^\n]*\tcallerContext=client console:olga\tresult=NOT_FOUND"));
    }

    /** Bytes by volume; room differs from moment to moment on a disk that others use too. */
    private static Map<Integer, Long> used(JsonNode balance) {
        Map<Integer, Long> used = new TreeMap<>();
        balance.get("volumes")
                .forEach(v -> used.put(v.get("id").asInt(), v.get("usedBytes").asLong()));
        assertThat(used).isNotEmpty();
        return used;
    }

    /** Without what changes from one moment to the next. */
    private static JsonNode still(JsonNode report) {
        report.get("datanodes").forEach(d -> ((ObjectNode) d).remove("lastHeartbeatMillis"));
        report.get("datanodes").forEach(d -> d.get("volumes").forEach(v -> ((ObjectNode) v).remove("freeBytes")));
        report.get("namenodes").forEach(n -> ((ObjectNode) n).remove("appliedIndex"));
        return report;
    }

    @Test
    void whoHasNoSessionGetsNothing() throws Exception {
        Browser nobody = watched.browser();
        for (String path : calls()) {
            if (!OPEN.contains(path) && !path.endsWith("/end")) {
                assertProblem(nobody.get(path.replaceAll("\\{.*?}", "1")), 401);
            }
        }
        assertThat(nobody.get("/health").statusCode()).isEqualTo(200);
        assertThat(nobody.get("/metrics").body()).contains("ecfs_console_connected 1", "ecfs_cluster_groups{");
        assertProblem(nobody.post("/api/v1/balance", "{\"wish\":\"end\"}"), 403);
        assertThat(operator.json("/api/v1/audit").findValuesAsText("user"))
                .as("what anybody may send does not fill the record")
                .isNotEmpty()
                .doesNotContain("-");
        assertProblem(nobody.get("/api/v1/nothing"), 401);
        assertProblem(operator.get("/api/v1/nothing"), 404);
    }

    @Test
    void aViewerLooksAndDoesNotActAndTheAttemptIsOnRecord() throws Exception {
        Browser viewer = watched.browser().logIn("vera");
        assertThat(viewer.json("/api/v1/session").get("role").asText()).isEqualTo("viewer");
        assertThat(viewer.get("/api/v1/report").statusCode()).isEqualTo(200);
        assertProblem(viewer.post("/api/v1/policy", "{\"path\":\"/d\",\"policy\":\"inherit\"}"), 403);
        assertProblem(viewer.get("/api/v1/audit"), 403);
        assertThat(operator.json("/api/v1/audit").get("refused").toString()).contains("vera", "/api/v1/policy");
        assertThat(operator.json("/api/v1/audit").get("entries").toString())
                .as("what was done is not pushed out by what was refused")
                .doesNotContain("/api/v1/policy");
    }

    @Test
    void aViewerSeesOfTheNamespaceWhatTheViewersOwnNameMay() throws Exception {
        Await.result(watched.cluster.client().mkdirs(new FilePath("/closed"), 0700, true));
        watched.cluster.write("/closed/secret", new byte[0]);
        Browser viewer = watched.browser().logIn("vera");
        for (String call : List.of(
                "/api/v1/files?path=/closed",
                "/api/v1/files?path=/closed/secret",
                "/api/v1/layout?path=/closed/secret",
                "/api/v1/patches?path=/closed/secret",
                "/api/v1/explain?path=/closed/secret&length=10")) {
            assertProblem(viewer.get(call), 403);
            assertThat(operator.get(call).statusCode()).as(call).isNotEqualTo(403);
        }
        assertThat(viewer.json("/api/v1/files?path=/d").findValuesAsText("name"))
                .contains("large");
        assertThat(viewer.json("/api/v1/layout?path=/d/large").findValuesAsText("file"))
                .as("paths of the datanodes' machines")
                .containsOnly("");
        assertThat(operator.json("/api/v1/layout?path=/d/large").findValuesAsText("file"))
                .anyMatch(file -> file.startsWith("/"));
        assertThat(viewer.json("/api/v1/problems").get("problems"))
                .isEqualTo(operator.json("/api/v1/problems").get("problems"));
    }

    @Test
    void aViewerHasTheNamenodeComputeNothing() throws Exception {
        Browser viewer = watched.browser().logIn("vera");
        for (String call : List.of("/api/v1/usage", "/api/v1/safe-to-stop?datanode=dn0", "/api/v1/moves?plan=true")) {
            assertProblem(viewer.get(call), 403);
            assertThat(operator.get(call).statusCode()).as(call).isEqualTo(200);
        }
        for (String call : List.of(
                "/api/v1/view",
                "/api/v1/report",
                "/api/v1/moves",
                "/api/v1/incidents",
                "/api/v1/events",
                "/api/v1/balance",
                "/api/v1/loads",
                "/api/v1/writes",
                "/api/v1/writes/forecast?policy=rs-4-2-64k",
                "/api/v1/throttles",
                "/api/v1/policies")) {
            assertThat(viewer.get(call).statusCode()).as(call).isEqualTo(200);
        }
    }

    @Test
    void anActionNeedsItsTokenAndIsOnRecord() throws Exception {
        String body = "{\"path\":\"/d/empty\",\"policy\":\"replication-3\"}";
        assertProblem(operator.post("/api/v1/policy", body, "forged"), 403);
        HttpResponse<String> done = operator.post("/api/v1/policy", body);
        assertThat(done.statusCode()).as(done.body()).isEqualTo(200);
        assertThat(operator.json("/api/v1/files?path=/d/empty").get("policy").asText())
                .startsWith("replication-3");
        JsonNode latest = operator.json("/api/v1/audit").at("/entries/0");
        assertThat(latest.get("user").asText()).isEqualTo("olga");
        assertThat(latest.get("action").asText()).isEqualTo("set policy replication-3");
        ObjectMapper json = new ObjectMapper();
        assertThat(json.readTree(done.body()).get("encode").isNull()).isTrue();
        String sided = "{\"path\":\"/d/empty\",\"policy\":\"replication-3\",\"encode\":\"auto\"}";
        assertThat(json.readTree(operator.post("/api/v1/policy", sided).body())
                        .get("encode")
                        .asText())
                .isEqualTo("auto");
        assertThat(operator.json("/api/v1/files?path=/d/empty").get("encode").asText())
                .isEqualTo("auto");
        assertProblem(operator.post("/api/v1/policy", sided.replace("auto", "mastr")), 400);
        assertThat(latest.get("outcome").asText()).isEqualTo("done");
        assertThat(watched.browser().logIn("vera").logIn("olga", "wrong").statusCode())
                .isIn(401, 403);
    }

    @Test
    void bodiesThatAreNotWhatIsWantedAreRefused() throws Exception {
        for (String path : calls()) {
            if (document.at("/paths").get(path).has("post") && !path.contains("session")) {
                for (String body : BAD_BODIES) {
                    HttpResponse<String> answer = operator.post(path.replace("{id}", "dn99"), body);
                    assertThat(answer.statusCode())
                            .as(path + " " + body + ": " + answer.body())
                            .isBetween(400, 499);
                }
            }
        }
    }

    /** More of it, or the same again: {@code -Decfs.fuzz.each=200 -Decfs.fuzz.seed=7}. */
    @Test
    void everyAnswerToAnyRequestIsInTheApiDocument() throws Exception {
        long seed = Long.getLong("ecfs.fuzz.seed", 8);
        ApiFuzzer fuzzer =
                new ApiFuzzer(watched.console.address().port(), operator.cookies(), operator.csrfToken(), seed);
        assertThat(fuzzer.run(document, REQUESTS_EACH)).isGreaterThan(30 * REQUESTS_EACH);
        HttpResponse<String> back = operator.post(
                "/api/v1/throttles",
                "{\"repairsAtOnce\":null,\"repairsPerDatanode\":null,\"repairBytesPerSecond\":null}");
        assertThat(back.statusCode()).isEqualTo(200);
    }

    @Test
    void throttlesApplyToTheClusterAndAreRecorded() throws Exception {
        assertProblem(watched.browser().logIn("vera").post("/api/v1/throttles", "{\"repairsAtOnce\":1}"), 403);
        assertProblem(operator.post("/api/v1/throttles", "{\"repairsPerDatanode\":0}"), 400);
        HttpResponse<String> done =
                operator.post("/api/v1/throttles", "{\"repairsAtOnce\":17,\"repairBytesPerSecond\":1048576}");
        assertThat(done.statusCode()).as(done.body()).isEqualTo(200);
        JsonNode now = command("admin", "throttle");
        assertThat(now.at("/repairsAtOnce/value").asInt()).isEqualTo(17);
        assertThat(now.at("/repairBytesPerSecond/value").asLong()).isEqualTo(1 << 20);
        assertThat(now.at("/repairsPerDatanode/set").asBoolean()).isFalse();
        assertThat(operator.json("/api/v1/throttles")).isEqualTo(now);
        assertThat(operator.json("/api/v1/audit").findValuesAsText("outcome")).startsWith("done", "asked");
        JsonNode before = command("admin", "throttle", "--repairs", "default", "--bytes-per-second", "default");
        assertThat(before.findValuesAsText("set")).containsOnly("false");
    }

    @Test
    void aReadIsExplainedAndOnlyAnOperatorHasItRead() throws Exception {
        JsonNode plan = operator.json("/api/v1/explain?path=/d/large&length=4096");
        JsonNode told = command("admin", "explain", "/d/large", "--plan");
        assertThat(plan.at("/parts/0").findValuesAsText("datanode"))
                .isEqualTo(told.at("/parts/0").findValuesAsText("datanode"));
        assertThat(plan.has("actualMillis")).isFalse();
        String body = "{\"paths\":[\"/d/large\"],\"length\":4096}";
        assertProblem(watched.browser().logIn("vera").post("/api/v1/explain", body), 403);
        HttpResponse<String> read = operator.post("/api/v1/explain", body);
        assertThat(read.statusCode()).as(read.body()).isEqualTo(200);
        assertThat(read.body()).contains("actualMillis", "\"fate\":\"answered");
        assertProblem(operator.get("/api/v1/explain?path=/d/large&length=99999999"), 400);
        assertProblem(operator.get("/api/v1/explain?path=/none"), 404);
    }

    @Test
    void aStreamContinuesAfterTheLastEventOfTheBrowser() throws Exception {
        assertThat(operator.events(2, 3)).containsExactly(3L, 4L, 5L);
        for (int i = 0; i < 30; i++) {
            assertThat(operator.head("/api/v1/live")).isEqualTo(200);
        }
    }

    @Test
    void nothingOutsideItsPagesIsServed() throws Exception {
        for (String path : List.of(
                "/..%2f..%2fetc%2fpasswd",
                "/%2e%2e/%2e%2e/etc/passwd",
                "/lib/%2e%2e/%2e%2e/%2e%2e/io/ecfs/console/web/openapi.json",
                "/views/..%5c..%5copenapi.json",
                "/api/v1/benchmarks/..%2F..%2Fplan.json",
                "/openapi.json",
                "/WebConsole.class")) {
            assertThat(operator.get(path).statusCode()).as(path).isIn(400, 404);
        }
        HttpResponse<String> page = operator.get("/");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                .contains("default-src 'none'", "script-src 'self'")
                .doesNotContain("unsafe");
        assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    }

    @Test
    void itsDocumentNamesEveryCallAndNoOther() {
        assertThat(calls()).isEqualTo(mapped());
    }

    private static Set<String> calls() {
        Set<String> paths = new TreeSet<>();
        document.get("paths").fieldNames().forEachRemaining(paths::add);
        return paths;
    }

    /** What the controllers answer, and the two addresses that are Spring Security's. */
    private static Set<String> mapped() {
        Set<String> paths = new TreeSet<>(Set.of("/api/v1/session/end"));
        for (JavaClass one : new ClassFileImporter().importPackages("io.ecfs.console.web.api")) {
            Class<?> type = one.reflect();
            RequestMapping at = type.getAnnotation(RequestMapping.class);
            String prefix = at == null ? "" : first(at.value().length > 0 ? at.value() : at.path());
            for (Method method : type.getDeclaredMethods()) {
                GetMapping get = method.getAnnotation(GetMapping.class);
                PostMapping post = method.getAnnotation(PostMapping.class);
                if (get != null || post != null) {
                    paths.add(prefix + first(get != null ? get.value() : post.value()));
                }
            }
        }
        return paths;
    }

    private static String first(String[] values) {
        return values.length == 0 ? "" : values[0];
    }

    @Test
    void theStreamTellsOfTheClusterAtOnce() throws Exception {
        JsonNode view = new ObjectMapper().readTree(operator.get("/api/v1/view").body());
        assertThat(view.get("connected").asBoolean()).isTrue();
        assertThat(view.at("/report/datanodes")).hasSize(7);
        assertThat(view.at("/numbers/repairedBytes").asLong()).isPositive();
        assertThat(operator.json("/api/v1/history").at("/series/groups.healthy"))
                .isNotEmpty();
    }
}
