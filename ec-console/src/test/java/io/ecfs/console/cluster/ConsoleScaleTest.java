package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.console.cluster.WatchedCluster.Browser;
import io.ecfs.console.web.settings.PasswordHash;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The console of 200 datanodes and 10,000 groups, most of them in repair: how long its answers take, what a browser is
 * sent in a second, what the process weighs. Takes two minutes, so only by {@code -Decfs.scale=true}; prints its
 * figures.
 */
@EnabledIfSystemProperty(named = "ecfs.scale", matches = "true")
class ConsoleScaleTest {
    private static final int DATANODES = Integer.getInteger("ecfs.scale.datanodes", 200);
    private static final int GROUPS = Integer.getInteger("ecfs.scale.groups", 10_000);
    private static final int DEAD = DATANODES * 15 / 100;
    private static final long LENGTH = 6 * (64L << 10);
    private static final int ROUNDS = 7;
    private static final long SECOND = 1_000_000_000L;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final List<String> CALLS = List.of(
            "report",
            "view",
            "loads",
            "problems?limit=100",
            "incidents",
            "events/latest",
            "history?prefix=groups.&prefix=readBytes&points=240",
            "history?prefix=imbalance&prefix=datanode.&points=60",
            "balance",
            "moves?limit=300",
            "usage",
            "policies",
            "throttles",
            "files?path=/many",
            "layout?path=/many/f7",
            "safe-to-stop?datanode=sim150",
            "explain?path=/many/f7");
    private static final Map<String, String> PAGES = Map.of(
            "overview", "Healthy groups",
            "datanodes", "sim1",
            "recovery", "datanode sim",
            "migrations", "sim1",
            "files?path=/many", "f1",
            "codes", "rs-6-3-64k",
            "events", "sim");

    @TempDir
    private Path directory;

    private final List<String> said = new ArrayList<>();

    private void say(String format, Object... values) {
        said.add(String.format(Locale.ROOT, format, values));
    }

    @Test
    void pagesStayQuickWithTwoHundredDatanodesInRepair() throws Exception {
        try (TestCluster cluster = TestCluster.start(
                        directory.resolve("cluster"), "rs-6-3-64k", 1, 9, "namenode.settings.recovery.grace=0s");
                PretendDatanodes datanodes = new PretendDatanodes(
                        cluster.plan().namenodes().get(0).address(),
                        directory.resolve("cluster/conf/join.token"),
                        DATANODES)) {
            for (int i = 0; i < 9; i++) {
                cluster.stop("dn" + i);
            }
            cluster.awaitReport(
                    "only the pretend ones to be there",
                    r -> r.datanodes().stream()
                                    .filter(d -> d.state().name().equals("HEALTHY"))
                                    .count()
                            == DATANODES);
            datanodes.files(GROUPS, LENGTH);
            long begun = System.nanoTime();
            Process console = console(cluster.uri());
            try {
                Browser browser = new Browser(url(console));
                assertThat(browser.get("/").statusCode()).isEqualTo(200);
                say("start to first page: %.1f s", (System.nanoTime() - begun) / 1e9);
                browser.logIn("olga");
                datanodes.die(DEAD);
                await("the damage").atMost(PATIENCE).until(() -> degraded(browser) > GROUPS / 4);
                measure(browser, console);
                browse(browser);
            } finally {
                said.forEach(System.out::println);
                console.destroy();
                console.waitFor();
            }
        }
    }

    private static long degraded(Browser browser) throws IOException, InterruptedException {
        JsonNode groups = browser.json("/api/v1/report").get("groups");
        return groups.get("degraded").asLong() + groups.get("lost").asLong();
    }

    private void measure(Browser browser, Process console) throws Exception {
        say("damaged groups: %d", degraded(browser));
        long before = browser.streamed(Duration.ofSeconds(10));
        say("stream: %d bytes/s", before / 10);
        for (String call : CALLS) {
            long[] nanos = new long[ROUNDS];
            int bytes = 0;
            for (int i = 0; i < ROUNDS; i++) {
                long begun = System.nanoTime();
                var answer = browser.get("/api/v1/" + call);
                nanos[i] = System.nanoTime() - begun;
                assertThat(answer.statusCode()).as(call + ": " + answer.body()).isEqualTo(200);
                bytes = answer.body().length();
            }
            Arrays.sort(nanos);
            say(
                    "%-55s %8d bytes  median %6.1f ms  worst %6.1f ms",
                    call, bytes, nanos[ROUNDS / 2] / 1e6, nanos[ROUNDS - 1] / 1e6);
            // What looks at every group comes after the page is there.
            assertThat(nanos[ROUNDS / 2]).as(call).isLessThan(call.equals("usage") ? 10 * SECOND : SECOND);
        }
        say("still damaged: %d", degraded(browser));
        List<String> status = Files.readAllLines(Path.of("/proc/" + console.pid() + "/status"));
        status.stream()
                .filter(line -> line.startsWith("VmRSS") || line.startsWith("VmHWM"))
                .forEach(said::add);
        long kib = Long.parseLong(status.stream()
                .filter(line -> line.startsWith("VmHWM"))
                .findFirst()
                .orElseThrow()
                .replaceAll("\\D", ""));
        assertThat(kib).isLessThan(300 << 10);
    }

    private void browse(Browser session) throws IOException {
        if (!ConsoleBrowser.installed()) {
            return;
        }
        try (ConsoleBrowser browser = new ConsoleBrowser(directory)) {
            browser.logIn(session.url() + "/", "olga", "Healthy groups");
            for (Map.Entry<String, String> page : PAGES.entrySet()) {
                browser.open("benchmarks");
                long millis = (Long) browser.chrome.executeAsyncScript(
                        "const [page, text, done] = arguments; const at = performance.now(); location.hash = '#/' + page;"
                                + "const look = () => document.getElementById('main').innerText.includes(text)"
                                + " ? done(Math.round(performance.now() - at)) : setTimeout(look, 5); setTimeout(look, 5);",
                        page.getKey(),
                        page.getValue());
                long heap = (Long) browser.run("return performance.memory.usedJSHeapSize");
                say("page %-20s %5d ms, heap %d MiB", page.getKey(), millis, heap >> 20);
                assertThat(heap).as(page.getKey()).isLessThan(100 << 20);
            }
        }
    }

    /** As {@code ecfs up} starts it. */
    private Process console(String uri) throws IOException {
        Path file = directory.resolve("console.yaml");
        Files.writeString(
                file,
                "cluster: \"" + uri + "\"\nlisten: \"127.0.0.1:0\"\ndirectory: \"" + directory.resolve("console")
                        + "\"\naccounts:\n  olga: {role: operator, password: \""
                        + PasswordHash.of(WatchedCluster.PASSWORD, 1000) + "\"}\n");
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx160m",
                        "-Xss512k",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        String.join(
                                File.pathSeparator,
                                System.getProperty("java.class.path").split(File.pathSeparator, -1)),
                        "io.ecfs.console.Main",
                        "console",
                        "--config",
                        file.toString())
                .redirectError(directory.resolve("console.log").toFile())
                .start();
    }

    private static String url(Process console) throws IOException {
        BufferedReader out = console.inputReader(StandardCharsets.UTF_8);
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith("ready console ")) {
                return line.substring("ready console ".length()).strip();
            }
        }
        throw new IOException("the console ended before it was ready");
    }
}
