package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.ecfs.console.web.WebConsole;
import io.ecfs.layout.Ring;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Dimension;

/** Modules of the console's pages, one at a time in a real browser, without a cluster and without the API. */
class ConsoleModulesTest {
    private static final String PAGES = "/io/ecfs/console/web/pages";
    private static final String BLANK = "<!doctype html><html lang='en'><head><title>modules</title>"
            + "<link rel='stylesheet' href='/style.css'></head>"
            + "<body><header id='top'></header><main id='main'></main><div id='toasts'></div></body></html>";

    private static final String CAUSES = "{\"groups\": [{\"group\": \"g12345678\", \"file\": \"/a/b\", \"share\": 0.62,"
            + " \"readers\": [{\"user\": \"spark-etl-nightly\", \"share\": 1}]}]}";

    /** Six colours, three of which write; the second volume is a spare, the first has a status. */
    private static final String RING =
            "{\"ring\": 1, \"name\": \"flash\", \"epoch\": 4, \"colours\": 6, \"writers\": 3,"
                    + " \"adaptive\": false, \"periodMillis\": 10000, \"position\": 5, \"millisToMove\": 9000, \"paused\": false,"
                    + " \"dropping\": false, \"directories\": 1, \"groupsByMostWriters\": [0, 0, 2, 7, 0, 0], \"volumes\": ["
                    + "{\"volume\": 1, \"datanode\": \"dn1\", \"directory\": \"/ssd0\", \"colour\": 0, \"duty\": \"ACTIVE\","
                    + " \"state\": \"HEALTHY\", \"status\": {\"role\": \"SETTLING\", \"stagedBytes\": 1048576,"
                    + " \"journalBytes\": 2097152, \"journalBound\": 4194304, \"drainedBytes\": 5, \"lateSwitches\": 2,"
                    + " \"spills\": {\"journal_full\": 3, \"volatile_sync\": 1},"
                    + " \"reading\": {\"p50Micros\": 420, \"p99Micros\": 1900},"
                    + " \"writing\": {\"p50Micros\": 0, \"p99Micros\": 0}}},"
                    + "{\"volume\": 2, \"datanode\": \"dn2\", \"directory\": null, \"colour\": null, \"duty\": \"SPARE\","
                    + " \"state\": null, \"status\": null, \"journal\": null}]}";

    @TempDir
    static Path directory;

    private static HttpServer server;
    private static ConsoleBrowser browser;

    @BeforeAll
    static void start() throws IOException {
        assumeTrue(ConsoleBrowser.installed(), ConsoleBrowser.MISSING);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", ConsoleModulesTest::serve);
        server.start();
        browser = new ConsoleBrowser(directory);
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            server.stop(0);
        }
    }

    @BeforeEach
    void blank() {
        browser.resize(new Dimension(1440, 900));
        browser.chrome.get("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    private static void serve(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String type = path.endsWith(".js") ? "text/javascript" : path.endsWith(".css") ? "text/css" : "text/html";
        byte[] body;
        if (path.endsWith("/reads")) {
            body = CAUSES.getBytes(StandardCharsets.UTF_8);
        } else if (path.equals("/api/v1/rings")) {
            body = ("{\"rings\": [" + RING + "]}").getBytes(StandardCharsets.UTF_8);
        } else if (path.equals("/api/v1/events/latest")) {
            body = "{\"events\": []}".getBytes(StandardCharsets.UTF_8);
        } else if (path.equals("/")) {
            body = BLANK.getBytes(StandardCharsets.UTF_8);
        } else if (path.startsWith("/lib/")) {
            body = "export const init = () => ({setOption() {}, resize() {}, dispose() {}});"
                    .getBytes(StandardCharsets.UTF_8);
        } else {
            try (InputStream file = WebConsole.class.getResourceAsStream(PAGES + path)) {
                body = file == null ? null : file.readAllBytes();
            }
        }
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", type + ";charset=utf-8");
            exchange.sendResponseHeaders(body == null ? 404 : 200, body == null ? -1 : body.length);
            if (body != null) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    /** Evaluates the body of a function of module {@code m}. */
    private static Object with(String module, String script) {
        return browser.chrome.executeAsyncScript("const done = arguments[arguments.length - 1];" + "import('" + module
                + "').then((m) => done((() => {" + script + "})())).catch((e) => done('' + e))");
    }

    @Test
    void theDialogOffersThePresentPolicyThatIsNotStandard() {
        assertThat(with("/views/files.js", "return m.policyChoices(['rs-6-3-1024k'], 'rs-3-2-64k')"))
                .isEqualTo(List.of("inherit", "rs-6-3-1024k", "rs-3-2-64k"));
    }

    @Test
    void repetitionsOfABenchmarkHaveAMedianASpreadAndCosts() {
        assertThat(with("/views/benchmarks.js", """
                const figure = (value, p99) => ({value, params: {p99_us: p99, cpu_s_per_GB: 1.5}});
                const some = m.summary([figure(90, 3), figure(100, 2), figure(120, 4)]);
                return [some.median, some.spread, some.p99, some.cpu, m.change(some, m.summary([figure(80, 1)]))];
                """)).isEqualTo(List.of(100L, 30L, 3L, 1.5, 25L));
    }

    @Test
    void whatAFileIsPackedWithIsCountedAndWhatIsNotListedIsExplained() {
        assertThat(with("/views/files.js", """
                const pack = (files, listed) => ({files, liveBytes: 2048, others: Array(listed).fill('/a')});
                return [pack(1, 0), pack(3, 2), pack(300, 20), pack(3, 1), pack(10000, 20)].map(m.packedWith);
                """))
                .isEqualTo(
                        List.of(
                                "Packed with no other file, 2.00 KiB live.",
                                "Packed with 2 other files, 2.00 KiB live.",
                                "Packed with 299 other files, 2.00 KiB live; 20 are listed, the others are left out.",
                                "Packed with 2 other files, 2.00 KiB live; 1 are listed, you may not list the others.",
                                "Packed with 9,999 or more other files, 2.00 KiB live; 20 are listed, the others are left out."));
    }

    @Test
    void aPatchGroupHasItsShareAndOneThatIsBeingWrittenHasNone() {
        assertThat(with("/patches.js", """
                const patch = {groupId: 7, length: 4000, liveBytes: 1000, indexed: true};
                const file = (open, patches, openGroup) => ({open, patches, openGroup});
                const shown = m.rows(file(true, [patch], 9)).map((p) => [p.group, p.open, m.share(p.live, p.bytes)].join(' '));
                return [...shown, m.updated(file(true, [], null)), m.updated(file(false, [patch], null)), m.updated(file(false, [], null))];
                """)).isEqualTo(List.of("7 false 25.0 %", "9 true –", true, true, false));
    }

    @Test
    void aGroupWithoutExtentsHasPatchesOfTheFile() {
        assertThat(with("/views/files.js", "return [m.whereOf([{fileOffset: 10, length: 1000}]), m.whereOf([])]"))
                .isEqualTo(List.of("file bytes 10 to 1,010", "patches of this file"));
    }

    @Test
    void ofAPictureOfTheServerOnlyShapesAndTextGetIntoThePage() {
        assertThat(with("/charts.js", """
                const svg = '<svg role="img" aria-label="a" onload="x()" style="color:red">'
                    + '<script>x()</script><image href="/x"/><circle cx="3" fill="#123456" onclick="x()"><title>ours</title></circle>'
                    + '<text x="1">4 &lt; 5</text><foreignObject><b>b</b></foreignObject></svg>';
                return m.picture(svg).innerHTML;
                """))
                .isEqualTo(
                        "<svg role=\"img\" aria-label=\"a\">"
                                + "<circle cx=\"3\" fill=\"#123456\"><title>ours</title></circle><text x=\"1\">4 &lt; 5</text></svg>");
    }

    @Test
    void theConversionsOfAnIncidentAreThoseUnderWayMeanwhile() {
        assertThat(with("/conversions.js", """
                const at = (s) => (s === null ? null : new Date(s * 1000).toISOString());
                const one = (job, begun, ended, dryRun = false) => ({job, dryRun, begunAt: at(begun), endedAt: at(ended)});
                const all = [one(1, 0, 5), one(2, 5, 15), one(3, 12, null), one(4, 25, null), one(5, 12, 13, true)];
                return [m.during(all, at(10), at(20)), m.during(all, at(10), null)]
                    .map((found) => found.map((c) => c.job).join(' '));
                """)).isEqualTo(List.of("2 3", "2 3 4"));
    }

    @Test
    void theProgressOfAConversionIsThatOfItsBytes() {
        assertThat(with("/conversions.js", """
                const one = (state, files, converted, bytesToRead, bytesDone) =>
                    ({state, files, converted, bytesToRead, bytesDone});
                return [one('RUNNING', 9, 1, 200, 100), one('RUNNING', 4, 1, 0, 0), one('COUNTING', 0, 0, 0, 0),
                    one('DONE', 0, 0, 0, 0)].map(m.share);
                """)).isEqualTo(List.of(0.5, 0.25, 0L, 1L));
    }

    @Test
    void aPlannedIncidentIsDoneAndNotHealed() {
        assertThat(with("/views/recovery.js", """
                const incident = (planned, healedAt, firstRepairAt) => ({planned, healedAt, firstRepairAt});
                return [incident(true, null, 'x'), incident(true, 'x', 'x'), incident(false, null, null),
                    incident(false, 'x', 'x')].map(m.stateOf);
                """)).isEqualTo(List.of("in progress", "done", "not started", "healed"));
    }

    @Test
    void aWordIsSearchedAsAPartOfTheName() {
        assertThat(with("/views/files.js", "return ['report', '*.csv', 'a\\\\b'].map(m.patternOf)"))
                .isEqualTo(List.of("*report*", "*.csv", "*a\\\\b*"));
    }

    @Test
    void groupsInATextAreLinksToTheirFiles() {
        assertThat(with("/ui.js", """
                return m.el('p', {}, m.linked('chunk g17.3 of g2:9, not log17 or dn-g5')).innerHTML;
                """))
                .isEqualTo("chunk <a href=\"#/files?group=g17\">g17</a>.3 of <a href=\"#/files?group=g2%3A9\">g2:9</a>,"
                        + " not log17 or dn-g5");
    }

    @Test
    void theTimeBeforeATargetIsFoundIsDrawnAsWaiting() {
        assertThat(with("/views/recovery.js", """
                const at = (s) => new Date(s * 1000).toISOString();
                const chunk = {groupId: 7, index: 1, detectedAt: at(0), checkedAt: at(1), plannedAt: at(301)};
                const incident = {planned: true, detectedAt: at(0), deadAt: at(0), firstRepairAt: null};
                const bars = m.timeline(incident, [chunk]).series.at(-1).data;
                return bars.filter((b) => b.value[0] === 1 && b.value[2] - b.value[1] === 300000).map((b) => b.name);
                """)).isEqualTo(List.of("wait for a target"));
    }

    @Test
    void aTimelineHasThePhasesThatTheHistoryKnows() {
        assertThat(with("/views/recovery.js", """
                const at = (s) => new Date(s * 1000).toISOString();
                const phases = ['NOTICE', 'GRACE', 'CHECKING', 'RECOVERY', 'SETTLING'].map((phase, i) => ({phase, beganAt: at(i), endedAt: at(i + 1)}));
                const incident = {planned: false, detectedAt: at(1), deadAt: at(2), firstRepairAt: at(3), healedAt: at(5)};
                const bars = m.timeline(incident, [], phases).series.at(-1).data;
                return [...bars.map((b) => `${b.name} ${b.value[1] / 1000} ${b.value[2] / 1000}`), m.unknownOf(phases.slice(1, 4)), m.unknownOf(phases)];
                """))
                .isEqualTo(List.of(
                        "NOTICE 0 1",
                        "GRACE 1 2",
                        "CHECKING 2 3",
                        "RECOVERY 3 4",
                        "SETTLING 4 5",
                        "NOTICE is not known: the history has no last heartbeat before this incident. SETTLING is not known:"
                                + " the history no longer has the repairs of all chunks.",
                        "NOTICE begins with the last heartbeat: when the fault happened is not known."));
    }

    @Test
    void theRackMapMarksWhatWasHurtAndNamesWhatIsInNoRack() {
        assertThat(with("/views/experiments.js", """
                const datanode = (name, ...faults) => ({name, faults});
                const fault = {fault: 'kill', victims: ['dn1', 'nn0'], lastedSeconds: 3, groupsByLosses: {0: 5, 1: 12}, leastSpare: -1};
                const main = document.getElementById('main');
                main.replaceChildren(...m.rackMap({racks: [{rack: '/rack0', datanodes: [datanode('dn0'), datanode('dn1', 'kill')]}], faults: [fault], otherVictims: ['nn0']}));
                return [[...main.querySelectorAll('.hurt')].map((n) => n.textContent).join(), main.querySelectorAll('.rack li').length, main.textContent.includes('In no rack: nn0'), m.losses(fault), m.losses({groupsByLosses: {}, leastSpare: 1})];
                """))
                .isEqualTo(List.of(
                        "dn1kill", 2L, true, "12 groups lost 1; a group was lost", "every group survived 1 more"));
    }

    @Test
    void theSettingThatMattersMostIsTheWidestAndOneThatDoesNotHasNoWidth() {
        assertThat(with("/views/experiments.js", """
                const one = (spread) => ({setting: 's', best: 'a', bestSeconds: 1, worst: 'b', worstSeconds: spread, spread});
                const node = m.tornado([one(4), one(2), one(1)]);
                return [...node.querySelectorAll('.wing > .bad')].map((bar) => bar.style.width);
                """)).isEqualTo(List.of("100%", "50%", "0%"));
    }

    @Test
    void withoutAReportTheCommandIsNamed() {
        assertThat((List<?>) with("/views/experiments.js", "return [m.nothing('/var/bench'), m.nothing(null)]"))
                .allMatch(text -> text.toString().contains("ecfs fault run profile.yaml --out "));
    }

    @Test
    void fieldsOfTheAdvisorThatAreBlankAreLeftToTheDefaultsOfTheCommand() {
        assertThat(with("/advisor.js", "return m.question({files: ' 10x1m ', grace: '', net: ' '})"))
                .isEqualTo(Map.of("files", "10x1m"));
    }

    @Test
    void aMoveHasAMomentOfRequestAndNoTimeToDeath() {
        assertThat(with(
                        "/views/recovery.js",
                        "return m.beginning({planned: true, detectedAt: '2026-01-01T00:00:00Z',"
                                + "deadAt: '2026-01-01T00:00:00Z'})[0][0]"))
                .isEqualTo("Requested");
    }

    @Test
    void aSeriesThatMeansBadIsDrawnInTheColourOfBad() {
        assertThat(with(
                        "/charts.js",
                        "const [s] = m.lines([{name: 'unavailable', tone: 'bad', data: []}], String).series;"
                                + "return s.color === m.color('bad')"))
                .isEqualTo(true);
    }

    @Test
    void noColourOfAnUnjudgedSeriesIsThatOfGoodOrBad() {
        assertThat(with(
                        "/charts.js",
                        "return m.palette().filter((c) => ['good', 'warn', 'bad'].map(m.color).includes(c)).length"))
                .isEqualTo(0L);
    }

    @Test
    void aDatanodeIsHotFromAQuarterAboveTheMeanOn() {
        assertThat(with("/views/datanodes.js", """
                const reads = (id, bytes) => ({id, load: bytes === null ? null : {readBytesPerSecond: bytes}});
                return [m.hottest([reads('a', 100), reads('b', 300), reads('c', 30), reads('d', null), reads('e', 70)]),
                    m.hottest([reads('a', 5), reads('b', 5)]), m.hottest([reads('a', 0)]), m.hottest([])];
                """)).isEqualTo(List.of(List.of("b"), List.of(), List.of(), List.of()));
    }

    @Test
    void alertsAreOrderedBySeverity() {
        assertThat(with("/views/overview.js", """
                const incident = (id, severity, planned) => ({id, severity, planned, cause: 'c'});
                const health = {reasons: [{level: 'WARNING', text: 'w', page: 'p'}]};
                return m.findings(health, [incident(1, 'info', true), incident(2, 'warning', false),
                    incident(3, 'critical', false)]).map(([tone, text]) => `${tone} ${text}`);
                """))
                .isEqualTo(List.of("bad incident 3: c", "warn w", "warn incident 2: c", " in progress: c"));
    }

    /** The page of datanodes with two of long names, one of them draining. */
    private static void datanodes() {
        Object failure = with("/views/datanodes.js", """
                const volume = {id: 12, state: 'HEALTHY', capacityBytes: 2e12, usedBytes: 1023.4e9, freeBytes: 1e12,
                    chunks: 123456};
                const datanode = (id, state) => ({id, rack: '/dc1/rack-17', state: 'HEALTHY', duty: {state},
                    drain: null, lastHeartbeatMillis: Date.now() - 86400000 * 2, volumes: [volume]});
                const loads = {datanodes: ['datanode-101', 'datanode-102'].map((id) => ({id, queued: 128,
                    load: {readBytesPerSecond: 1.2e9, writtenBytesPerSecond: 2e8, cpuPermille: 990, waitMicros: 123456}}))};
                const page = m.mount(document.getElementById('main'), {operator: true});
                page.update({numbers: {imbalancePercent: 1, heldImbalancePercent: 1, loads},
                    report: {datanodes: [datanode('datanode-101', 'IN_SERVICE'),
                        datanode('datanode-102', 'DECOMMISSIONING')]}});
                """);
        assertThat(failure).isNull();
    }

    private static long clipped(int width, int height) {
        browser.resize(new Dimension(width, height));
        datanodes();
        return (Long) browser.run("const frame = document.querySelector('.scroll').getBoundingClientRect();"
                + "return [...document.querySelectorAll('.scroll button.b')]"
                + ".filter((b) => b.getBoundingClientRect().right > frame.right"
                + "|| b.getBoundingClientRect().left < frame.left).length");
    }

    @Test
    void theTableOfDatanodesFitsADesktop() {
        datanodes();
        assertThat(browser.run("const frame = document.querySelector('.scroll');"
                        + "return Math.max(0, frame.scrollWidth - frame.clientWidth)"))
                .isEqualTo(0L);
    }

    @Test
    void theTableFitsWithTheCausesOfAHotDatanode() {
        Object failure = with("/views/datanodes.js", """
                const volume = {id: 12, state: 'HEALTHY', capacityBytes: 2e12, usedBytes: 1023.4e9, freeBytes: 1e12,
                    chunks: 123456};
                const datanode = (id) => ({id, rack: '/dc1/rack-17', state: 'HEALTHY', duty: {state: 'IN_SERVICE'},
                    drain: null, lastHeartbeatMillis: Date.now() - 86400000 * 2, volumes: [volume]});
                const load = (id, read) => ({id, queued: 128, load: {readBytesPerSecond: read,
                    writtenBytesPerSecond: 2e8, cpuPermille: 990, waitMicros: 123456}});
                const page = m.mount(document.getElementById('main'), {operator: true});
                page.update({numbers: {imbalancePercent: 1, heldImbalancePercent: 1,
                    loads: {datanodes: [load('datanode-101', 1.2e9), load('datanode-102', 1e8)]}},
                    report: {datanodes: [datanode('datanode-101'), datanode('datanode-102')]}});
                """);
        assertThat(failure).isNull();
        browser.awaitText("62 % by spark-etl-nightly");
        assertThat(browser.run("const frame = document.querySelector('.scroll');"
                        + "return Math.max(0, frame.scrollWidth - frame.clientWidth)"))
                .isEqualTo(0L);
    }

    @Test
    void theActionsOnDatanodesAreInSightOnAPhone() {
        assertThat(clipped(500, 844)).isZero();
    }

    @Test
    void aToastLiesOverNoButtonOfARow() {
        datanodes();
        with("/ui.js", "for (let i = 0; i < 4; i++) m.toast('Decommission datanode-101: done, with a long text');");
        assertThat(browser.run("scrollTo(0, document.body.scrollHeight);"
                        + "const toasts = document.getElementById('toasts').getBoundingClientRect();"
                        + "return [...document.querySelectorAll('.scroll button.b')].map((b) => b.getBoundingClientRect())"
                        + ".filter((b) => b.left < toasts.right && b.right > toasts.left"
                        + "&& b.top < toasts.bottom && b.bottom > toasts.top).length"))
                .isEqualTo(0L);
    }

    /** Against the rule of {@link Ring} at all positions. */
    @Test
    void theWheelOfARingHasTheColoursThatWrite() {
        List<Long> expected = new ArrayList<>();
        for (int position = 0; position < 6; position++) {
            for (int colour = 0; colour < 6; colour++) {
                expected.add(new Ring(6, 2).writes(colour, position) ? 1L : 0L);
            }
        }
        assertThat(with("/wheel.js", """
                const all = [0, 1, 2, 3, 4, 5];
                return all.flatMap((position) => all.map((colour) => (m.writes({colours: 6, writers: 2}, colour, position) ? 1 : 0)));
                """)).isEqualTo(expected);
    }

    @Test
    void aRingTurnsOnBetweenTwoAnswersUnlessItIsPaused() {
        assertThat(with("/wheel.js", """
                const ring = (paused) => ({colours: 6, position: 5, periodMillis: 1000, millisToMove: 300, paused});
                return [[false, 0], [false, 299], [false, 300], [false, 2500], [true, 2500]].map(([paused, after]) => {
                    const now = m.turned(ring(paused), after);
                    return `${now.position} ${now.millisToMove}`;
                });
                """)).isEqualTo(List.of("5 300", "5 1", "0 1000", "2 800", "5 300"));
    }

    @Test
    void moreWritersAreRefusedWhereGroupsTolerateFewer() {
        assertThat(with("/views/rings.js", """
                const ring = (counts) => ({colours: 6, writers: 2, groupsByMostWriters: counts});
                return [...[1, 2, 3, 4, 5].map((w) => m.tolerateFewer(ring([0, 0, 2, 7, 0, 1]), w)),
                    m.preview(ring([0, 0, 2, 7, 0, 0]), 3), m.preview(ring([0, 0, 0, 1, 0, 0]), 3), m.preview(ring([0, 0]), 1),
                    m.slack(ring([0, 1, 2, 7, 0, 0])).map((s) => `${s.slack}: ${s.groups}`).join(' ')];
                """))
                .isEqualTo(List.of(
                        0L,
                        0L,
                        2L,
                        9L,
                        9L,
                        "Would be refused: 2 of 9 groups could not be read without a volume that writes.",
                        "The group tolerates it; the policies of its directories are checked, too.",
                        "There is no group yet; the policies of its directories are checked, too.",
                        "-1: 1 0: 2 1: 7"));
    }

    @Test
    void theWritersOfARingOverTimeAreThoseOfItsEventsSinceItWasMade() {
        assertThat(with("/views/rings.js", """
                const settings = (writers) => (writers ? {colours: 6, writers, paused: false} : null);
                const event = (at, from, to, ring = 'flash') =>
                    ({event: 'ringChanged', ring, from: settings(from), to: settings(to), at: new Date(at).toISOString()});
                const over = (...events) => JSON.stringify(m.writersOverTime({name: 'flash', writers: 1}, events, 9));
                return [over(event(1, 0, 5), event(2, 5, 0), event(3, 0, 3),
                        {event: 'directoryRingChanged', path: '(hidden)', from: null, to: 'flash', at: new Date(4).toISOString()},
                        event(5, 3, 2), event(6, 3, 4, 'other')),
                    over(event(5, 3, 1)), over(event(5, 1, 1)), over()];
                """))
                .isEqualTo(List.of("[[3,3],[5,2],[9,1]]", "[[5,3],[5,1],[9,1]]", "[]", "[]"));
    }

    @Test
    void aVolumeHasTheRoleThatIsReportedOrTheOneByTheClock() {
        assertThat(with("/views/rings.js", """
                const ring = {colours: 6, writers: 3, position: 0, paused: false};
                return [[4, {role: 'SETTLING'}, true], [4, null, null], [0, null, true], [0, null, false]]
                    .map(([colour, status, journal]) => m.role(ring, {colour, status, journal}));
                """)).isEqualTo(List.of("SETTLING", "WRITING", "READING", "NO_JOURNAL"));
    }

    @Test
    void theDrainRateOfAVolumeIsThatBetweenTwoReports() {
        assertThat(with("/views/rings.js", """
                const sample = (at, drained) => ({at, drained});
                return [m.drainRate([sample(0, 5)]) === null, m.drainRate([sample(1000, 5), sample(2000, 7), sample(3000, 2005)])];
                """)).isEqualTo(List.of(true, 1000L));
    }

    @Test
    void thePageOfRingsHasTheWheelTheVolumesAndHowManyWritersGroupsTolerate() throws Exception {
        for (boolean operator : List.of(true, false)) {
            blank();
            assertThat(with(
                            "/views/rings.js",
                            "m.mount(document.getElementById('main'), {operator: " + operator + "});"))
                    .isNull();
            browser.awaitText("3 of 6 colours write at a time, a turn every 10 s; 9 groups, 1 directory names it");
            assertThat(browser.text())
                    .contains(
                            "1.00 MiB, journal 2.00 MiB of 4.00 MiB",
                            "settling",
                            "journal full 3, volatile sync 1",
                            "spare",
                            "slack -1 (tolerates 2)");
            assertThat(browser.text().contains("/ssd0")).isEqualTo(operator);
            assertThat(browser.run("return document.querySelectorAll('.wheel path.writes').length"))
                    .isEqualTo(3L);
            assertThat(browser.run("const one = document.querySelector('select');"
                            + "one.value = '4'; one.dispatchEvent(new Event('change'));"
                            + "return document.querySelector('[role=status].soft').textContent"))
                    .isEqualTo("Would be refused: 9 of 9 groups could not be read without a volume that writes.");
            assertThat(browser.run("return [...document.querySelectorAll('.row button')].map((b) => b.textContent)"))
                    .isEqualTo(operator ? List.of("Set", "Pause") : List.of());
            assertThat(browser.hurdles()).isEmpty();
            browser.shoot(operator ? "rings-operator" : "rings-viewer");
        }
        browser.resize(new Dimension(500, 844));
        assertThat(browser.run("const root = document.documentElement; return root.scrollWidth - root.clientWidth"))
                .as("it is as wide as a phone")
                .isEqualTo(0L);
    }

    @Test
    void anOperatorPausesARingAndSetsWhatDiffersAfterAQuestion() {
        with("/api.js", """
                Object.assign(m.session, {user: 'olga', role: 'operator', csrf: {header: 'X-Token', token: 't'}});
                const real = window.fetch;
                window.sent = [];
                window.fetch = (url, options) => {
                    if (options.method !== 'POST') return real(url, options);
                    window.sent.push(`${url} ${options.body}`);
                    return Promise.resolve(new Response('{}'));
                };
                """);
        assertThat(with("/views/rings.js", "m.mount(document.getElementById('main'), {operator: true});"))
                .isNull();
        browser.noteToasts();
        browser.click("Pause ring flash");
        browser.awaitText("All of its volumes write at once");
        browser.click("Pause");
        browser.awaitToast("Pause ring flash: done");
        browser.click("Set ring flash");
        browser.awaitText("Nothing was changed");
        browser.run("const [one] = document.querySelectorAll('select'); one.value = '2';"
                + "document.querySelector('input').value = ' 20s '");
        browser.click("Set ring flash");
        browser.awaitText("Writers 3 to 2.");
        browser.click("Set");
        browser.awaitToast("Set ring flash: done");
        assertThat(browser.run("return window.sent"))
                .isEqualTo(List.of(
                        "/api/v1/rings/flash {\"paused\":true}",
                        "/api/v1/rings/flash {\"writers\":2,\"period\":\"20s\"}"));
    }

    @Test
    void panelsOfAFileHaveAGapBetweenThem() {
        assertThat(browser.run("document.getElementById('main').innerHTML ="
                        + "'<div class=panels><section class=panel>a</section><section class=panel>b</section></div>';"
                        + "const [a, b] = document.querySelectorAll('.panel');"
                        + "return Math.round(b.getBoundingClientRect().top - a.getBoundingClientRect().bottom)"))
                .isEqualTo(16L);
    }
}
