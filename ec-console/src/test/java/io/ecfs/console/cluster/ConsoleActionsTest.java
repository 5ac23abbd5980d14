package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.message.AdminState;
import io.ecfs.message.FilePath;
import io.ecfs.message.Throttles;
import io.ecfs.message.namespace.NamespaceRequest.Balance.Wish;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** Every action of the console in a real browser, and what the cluster then is. */
class ConsoleActionsTest extends BrowsedConsole {
    private static final String AT_ONCE = "Concurrent reconstructions in the cluster";
    private static final String ON_ONE = "Concurrent reconstructions per datanode";
    private static final String RATE = "Repair reads per datanode, MiB/s";
    private static final int NAMES = 210;

    private static void until(String what, Callable<Boolean> is) {
        await(what).atMost(ConsoleBrowser.PATIENCE).until(is);
    }

    private AdminState.State duty(String datanode) throws IOException {
        return Await.result(watched.cluster.client().admin().report()).datanodes().stream()
                .filter(d -> d.id().name().equals(datanode))
                .findFirst()
                .orElseThrow()
                .duty()
                .state();
    }

    private String living(int nth) {
        return watched.dead.equals("dn" + nth) ? "dn" + (nth + 1) : "dn" + nth;
    }

    @Tag("soak")
    @Test
    void aDatanodeIsTakenOutOfServiceAfterAQuestionAndBackAgain() throws Exception {
        String datanode = living(0);
        browser.open("datanodes");
        browser.click("Safe to stop? " + datanode);
        browser.awaitText("may be stopped");
        browser.click("Close");
        browser.click("Maintenance " + datanode);
        browser.awaitText("Start maintenance of " + datanode + "?");
        browser.click("Cancel");
        assertThat(duty(datanode)).isEqualTo(AdminState.State.IN_SERVICE);
        browser.click("Maintenance " + datanode);
        browser.noteToasts();
        browser.click("Start maintenance of");
        browser.awaitToast("Start maintenance of " + datanode + ": done");
        assertThat(duty(datanode)).isEqualTo(AdminState.State.IN_MAINTENANCE);
        browser.click("Recommission " + datanode);
        browser.click("Recommission");
        until("it to be in service", () -> duty(datanode) == AdminState.State.IN_SERVICE);
        browser.open("audit");
        browser.awaitText("maintenance");
        browser.assertClean("maintenance");
    }

    @Test
    void aDatanodeIsDrainedAndItsMovesAreListed() throws Exception {
        String datanode = living(2);
        browser.open("datanodes");
        browser.click("Decommission " + datanode);
        browser.awaitText("Decommission " + datanode + "?");
        browser.noteToasts();
        browser.click("Decommission");
        browser.awaitToast("Decommission " + datanode + ": done");
        until("it to be drained", () -> duty(datanode) == AdminState.State.DECOMMISSIONED);
        browser.open("migrations");
        browser.awaitText("decommissioning of datanode " + datanode);
        browser.open("datanodes");
        browser.click("Recommission " + datanode);
        browser.click("Recommission");
        until("it to be in service", () -> duty(datanode) == AdminState.State.IN_SERVICE);
        browser.assertClean("a drain");
    }

    @Test
    void aWebhookGetsATestMessageAfterAQuestion() {
        browser.open("events");
        browser.awaitText("Webhooks of this console");
        browser.click("Send a test message to pager");
        browser.awaitText("Send a test message to pager?");
        browser.noteToasts();
        browser.click("Send");
        browser.awaitToast("Test message to pager: done");
        assertThat(watched.receiver.requests())
                .anyMatch(request -> request.headers().get("x-ecfs-event").equals("test"));
        browser.assertClean("a test message");
    }

    @Tag("soak")
    @Test
    void balancingBeginsAndEndsAsAsked() throws Exception {
        // While nothing may move, what was asked stays asked.
        browser.open("recovery");
        browser.awaitText("configured");
        browser.labelled("range", AT_ONCE).sendKeys(Keys.HOME);
        browser.click("Apply throttles");
        browser.awaitText(AT_ONCE + ": 0");
        browser.click("Set");
        until("nothing to move", () -> throttles().repairsAtOnce().value() == 0);
        browser.open("migrations");
        browser.click("Balance now");
        browser.click("Balance");
        browser.awaitText("Requested by an operator.");
        browser.click("Stop balancing");
        browser.awaitText("Stop balancing?");
        browser.click("Stop");
        until(
                "balancing to end",
                () -> !Await.result(watched.cluster.client().admin().balance(Wish.LOOK, 0))
                        .asked());
        takeBack(AT_ONCE);
        browser.assertClean("balancing");
    }

    @Tag("soak")
    @Test
    void theMoverIsPausedAndGoesOnAndItsPlanIsShown() throws Exception {
        browser.open("migrations");
        browser.click("Preview the next moves");
        browser.awaitText("Planned moves");
        browser.awaitText("No move would reduce the cost of reads now.");
        browser.click("Pause the optimizer");
        browser.awaitText("Pause the chunk optimizer?");
        browser.click("Pause");
        browser.awaitText("Resume the optimizer");
        assertThat(moverPaused()).isTrue();
        browser.click("Resume the optimizer");
        browser.awaitText("Resume the chunk optimizer?");
        browser.click("Resume");
        browser.awaitText("Pause the optimizer");
        assertThat(moverPaused()).isFalse();
        browser.assertClean("the mover");
    }

    private boolean moverPaused() throws IOException {
        return Await.result(watched.cluster.client().admin().moves(0, 1, false)).paused();
    }

    private Throttles throttles() throws IOException {
        return Await.result(watched.cluster.client().admin().throttles());
    }

    @Tag("soak")
    @Test
    void throttlesFollowTheirSlidersAndWhatIsTyped() throws Exception {
        browser.open("recovery");
        browser.awaitText("configured");
        long before = throttles().repairsPerDatanode().value();
        browser.labelled("range", ON_ONE).sendKeys(Keys.ARROW_RIGHT);
        assertThat(browser.labelled("number", ON_ONE).getAttribute("value")).isEqualTo("" + (before + 1));
        WebElement rate = browser.labelled("number", RATE);
        rate.clear();
        rate.sendKeys("50");
        assertThat(browser.labelled("range", RATE).getAttribute("value")).isEqualTo("50");
        browser.click("Apply throttles");
        browser.awaitText(ON_ONE + ": " + (before + 1));
        browser.awaitText(RATE + ": 50.0 MiB/s");
        browser.click("Set");
        browser.awaitText("set by an operator");
        assertThat(throttles().repairsPerDatanode().value()).isEqualTo(before + 1);
        assertThat(throttles().repairBytesPerSecond().value()).isEqualTo(50L << 20);
        assertThat(throttles().repairsAtOnce().set()).isFalse();
        takeBack(ON_ONE);
        takeBack(RATE);
        browser.click("Apply throttles");
        browser.awaitText("No throttle was changed.");
        browser.assertClean("throttles");
    }

    private void takeBack(String throttle) {
        browser.open("recovery");
        browser.click("As configured: " + throttle);
        browser.awaitText("as configured?");
        browser.click("Set");
        until(
                throttle + " as configured",
                () -> browser.chrome
                        .findElements(
                                By.cssSelector("button[aria-label='As configured: " + throttle + "']:not([hidden])"))
                        .isEmpty());
    }

    @Tag("soak")
    @Test
    void aDirectoryGetsAPolicyAndShowsTheRestOfItsNames() throws Exception {
        for (int i = 0; i < NAMES; i++) {
            Await.result(watched.cluster.client().mkdirs(new FilePath("/names/n" + i), 0755, true));
        }
        browser.open("files?path=/names");
        browser.awaitText("of 200");
        browser.click("Load more entries");
        browser.awaitText("of " + NAMES);
        browser.click("Set policy");
        until(
                "the policies",
                () -> !browser.chrome.findElements(By.name("policy")).isEmpty());
        browser.field("policy").sendKeys("rs-3-2-1024k");
        browser.click("Set");
        browser.awaitText("Policy of new files: rs-3-2-1024k");
        assertThat(Await.result(watched.cluster.client().status(new FilePath("/names")))
                        .policy()
                        .name())
                .isEqualTo("rs-3-2-1024k");
        browser.open("audit");
        browser.awaitText("set policy rs-3-2-1024k");
        browser.assertClean("a directory");
    }

    @Test
    void aDirectoryIsConvertedOnceItsCostIsAcceptedAndItsTimelineHasTheProgress() throws Exception {
        watched.cluster.write("/cold/file", Pattern.bytes(4, 1 << 20));
        browser.open("files?path=/cold");
        browser.click("Convert files");
        until(
                "the policies",
                () -> !browser.chrome.findElements(By.name("policy")).isEmpty());
        browser.field("policy").sendKeys("rs-3-2-1024k");
        browser.click("Count files");
        browser.awaitText("1 file to rs-3-2-1024k: 1.00 MiB to read, 1.67 MiB to write.");
        browser.click("Convert");
        browser.awaitText("1 of 1 files, 1.00 MiB of 1.00 MiB");
        assertThat(Await.result(watched.cluster.client().status(new FilePath("/cold/file")))
                        .policy()
                        .name())
                .isEqualTo("rs-3-2-1024k");
        long incident = Await.result(watched.cluster.client().admin().incidents(0, 100)).incidents().stream()
                .filter(one -> one.cause().kind() == IncidentCause.Kind.FILES_REWRITTEN)
                .mapToLong(Incident::id)
                .max()
                .orElseThrow();
        browser.open("recovery/" + incident);
        browser.awaitText("files are converted, cleaned or joined");
        browser.awaitText("1 of 1 files");
        assertThat(browser.text()).doesNotContain("Chunks reconstructed", "Waiting chunks");
        browser.open("events");
        browser.awaitText("rewritten: converted");
        browser.open("files?path=/cold");
        browser.click("Set rules");
        browser.field("rules").sendKeys("30d=rs-4-2-64k, 90d=rs-3-2-64k");
        browser.click("Set");
        browser.awaitText("Conversion rules of /cold: after 30d rs-4-2-64k, after 90d rs-3-2-64k");
        browser.assertClean("a conversion");
    }

    @Tag("soak")
    @Test
    void aReadIsPlannedFromItsFileAndReadWhenThatIsConfirmed() {
        browser.open("files?path=/d/large");
        browser.awaitText("parity 4");
        browser.follow("Explain a read");
        browser.awaitText("chosen");
        browser.awaitText("not read");
        WebElement length = browser.in("Length in bytes");
        length.clear();
        length.sendKeys("100");
        browser.click("Plan");
        browser.awaitText("bytes 0 to 100");
        browser.click("Read and explain");
        browser.awaitText("Read these files?");
        browser.awaitText("100 bytes at most");
        browser.click("Read");
        browser.awaitText("answered");
        browser.assertClean("an explained read");
        browser.field("paths").clear();
        browser.field("paths").sendKeys("/none");
        browser.click("Plan");
        browser.awaitText("/none");
        until(
                "the refusal",
                () -> browser.text().contains("no such") || browser.text().contains("not exist"));
        browser.forgetFailures();
    }

    @Test
    void eventsAndRowsAreFilteredAndResultsCompared() {
        browser.open("events");
        browser.awaitText("nn0 leads");
        WebElement words = browser.chrome.findElement(By.cssSelector("[aria-label^='Show only events']"));
        words.sendKeys("no such thing");
        browser.awaitText("No event matches.");
        browser.click("Pause");
        browser.click("Resume");
        browser.open("datanodes");
        browser.awaitText("Safe to stop?");
        browser.chrome
                .findElement(By.cssSelector("[aria-label^='Show only datanodes']"))
                .sendKeys("nobody");
        browser.awaitText("No datanode matches.");
        browser.open("benchmarks");
        browser.awaitText("write_seq");
        browser.chrome
                .findElement(By.cssSelector("[aria-label='Compare with'] option[value^='monday']"))
                .click(); // typing it takes too long on a slow machine: a list forgets the first letters
        browser.awaitText("99.25 – 2,500 µs 1.25 s/GB 101.50 – 2,500 µs 1.25 s/GB -2.2 %");
        browser.assertClean("filters");
    }

    @Test
    void aViewerSeesNoActionAndAWrongPasswordIsRefused() {
        browser.click("Log out");
        browser.awaitText("Password");
        browser.field("user").sendKeys("vera");
        browser.field("password").sendKeys("wrong", Keys.ENTER);
        browser.awaitText("unknown user or wrong password");
        browser.forgetFailures();
        try {
            browser.logIn(watched.console.url(), "vera", LOGGED_IN);
            assertThat(browser.text()).doesNotContain("Audit");
            shows("datanodes", "Last heartbeat", "Safe to stop?", "Decommission", "Maintenance");
            browser.open("codes");
            browser.awaitText("Cost and fault tolerance");
            assertThat(browser.text()).doesNotContain("Policies in use");
            shows("recovery", "configured", "Apply throttles");
            shows(
                    "migrations",
                    "Balancing and decommissions",
                    "Preview the next moves",
                    "Balance now",
                    "Stop balancing",
                    "Pause the optimizer");
            shows("files?path=/d", "Policy of new files", "Set policy");
            shows("explain", "Plan", "Read and explain");
            browser.assertClean("a viewer");
        } finally {
            browser.click("Log out");
            logIn();
        }
    }

    @Test
    void aPageThatAsksNothingNoticesThatItsSessionEndedElsewhere() {
        browser.open("files?path=/d");
        browser.awaitText("Policy of new files");
        post("/api/v1/session/end", "");
        browser.awaitText("Password");
        logIn();
        browser.forgetFailures();
    }

    @Test
    void aPageThatSomebodyElseLoggedInBesideShowsWhatTheyMayDo() {
        browser.open("overview");
        post("/api/v1/session", "user=vera&password=" + WatchedCluster.PASSWORD.replace(" ", "+"));
        try {
            later("const { live } = await import('/api.js'); live.start(); return null;");
            browser.awaitText("vera (viewer)");
            until("a stream", () ->
                    (Boolean) later("const { live } = await import('/api.js'); return live.streaming;"));
        } finally {
            browser.click("Log out");
            logIn();
        }
    }

    @Test
    void aHiddenPageHoldsNoStream() {
        String stream = "const { live } = await import('/api.js'); return live.source !== null;";
        until("a stream", () -> (Boolean) later(stream));
        hide(true);
        assertThat(later(stream)).isEqualTo(false);
        hide(false);
        assertThat(later(stream)).isEqualTo(true);
        browser.assertClean("a page hidden for a while");
    }

    private void hide(boolean hidden) {
        browser.run(
                "Object.defineProperty(document, 'hidden', { value: arguments[0], configurable: true });"
                        + "document.dispatchEvent(new Event('visibilitychange'))",
                hidden);
    }

    @Test
    void theTimeLeftFollowsTheDegradedGroupsOfTheLastMinute() {
        assertThat(later("const { timeLeft } = await import('/views/recovery.js'); const left = timeLeft();"
                        + "return [[0, 90], [10, 80], [20, 40], [75, 30], [80, 50], [90, 50], [95, 45], [99, 0]]"
                        + ".map(([at, degraded]) => left(at, degraded));"))
                .asString()
                .isEqualTo("[unknown, about 80.0 s, about 16.0 s, about 2.8 min, unknown, unknown, about 2.3 min, none"
                        + " degraded]");
    }

    /** As another page of this browser would. */
    private void post(String path, String form) {
        later(
                "const { session } = await import('/api.js');"
                        + "return (await fetch(given[0], { method: 'POST', body: given[1],"
                        + " headers: { 'Content-Type': 'application/x-www-form-urlencoded',"
                        + " [session.csrf.header]: session.csrf.token } })).status;",
                path,
                form);
    }

    /** What an asynchronous function's body returns; it has its arguments as {@code given}. */
    private Object later(String body, Object... arguments) {
        return browser.chrome.executeAsyncScript(
                "const done = arguments[arguments.length - 1];"
                        + "(async (given) => { " + body + " })(arguments)"
                        + ".then(done, (failure) => done(String(failure)))",
                arguments);
    }

    private void shows(String page, String text, String... buttons) {
        browser.open(page);
        browser.awaitText(text);
        assertThat(browser.chrome.findElements(By.tagName("button")))
                .extracting(WebElement::getText)
                .doesNotContain(buttons);
    }
}
