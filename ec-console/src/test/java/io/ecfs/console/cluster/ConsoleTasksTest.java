package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.client.ClusterAdmin;
import io.ecfs.client.EcfsClient;
import io.ecfs.console.view.ConversionView;
import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.Policy;
import io.ecfs.message.AdminState;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.ControlConversion.Control;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/**
 * Sixteen tasks of an operator in a real browser, with the clicks that each takes; pages are opened by their keys. The
 * table of docs/console.md has the numbers.
 */
@Tag("soak")
class ConsoleTasksTest extends BrowsedConsole {
    private static final int STRIPES = 24;
    private static final int STRIPE = 3 * (64 << 10);

    /** Column of the sum of the steps. */
    private static final int SUM = 9;

    private final Map<String, Integer> done = new TreeMap<>();
    private int clicks;

    private void page(String key, String shows) {
        browser.chrome.findElement(By.tagName("body")).sendKeys(key);
        browser.awaitText(shows);
        clicks = 0;
    }

    private void click(String button) {
        browser.click(button);
        clicks++;
    }

    private void follow(String link) {
        await("the link " + link)
                .atMost(ConsoleBrowser.PATIENCE)
                .ignoreExceptions()
                .until(() -> {
                    browser.follow(link);
                    return true;
                });
        clicks++;
    }

    /** Records the clicks of a task and checks their bound. */
    private void done(String task, int most) {
        done.put(task, clicks);
        assertThat(clicks).as("clicks of task " + task).isLessThanOrEqualTo(most);
        browser.assertClean(task);
    }

    @AfterAll
    void table() {
        StringBuilder table = new StringBuilder("| task | clicks |\n|---|---|\n");
        done.forEach((task, count) ->
                table.append("| ").append(task).append(" | ").append(count).append(" |\n"));
        System.out.print(table);
    }

    private AdminState.State duty(String datanode) throws IOException {
        return Await.result(watched.cluster.client().admin().report()).datanodes().stream()
                .filter(d -> d.id().name().equals(datanode))
                .findFirst()
                .orElseThrow()
                .duty()
                .state();
    }

    private String living() {
        return watched.dead.equals("dn2") ? "dn3" : "dn2";
    }

    @Test
    void theVerdictOnTheClusterIsOnEveryPage() {
        page("1", "Alerts");
        browser.awaitText("Health: Warning");
        browser.awaitText(watched.dead + " is dead");
        done("01 is it healthy", 0);
    }

    @Test
    void aDeadDatanodeIsFollowedToItsFiles() {
        page("3", "Incidents");
        follow("1");
        browser.awaitText("Time to first repair");
        browser.awaitText("/d/large");
        done("02 follow a dead datanode, files at risk", 2);
    }

    @Test
    void aDatanodeIsDrainedAndBroughtBack() {
        page("2", "Safe to stop?");
        click("Decommission " + living());
        browser.awaitText("Decommission " + living() + "?");
        click("Decommission");
        await("it to be drained")
                .atMost(ConsoleBrowser.PATIENCE)
                .until(() -> duty(living()) == AdminState.State.DECOMMISSIONED);
        int drained = clicks;
        click("Recommission " + living());
        click("Recommission");
        await("it to be in service")
                .atMost(ConsoleBrowser.PATIENCE)
                .until(() -> duty(living()) == AdminState.State.IN_SERVICE);
        assertThat(drained).isEqualTo(2);
        done("03 drain, bring back", 4);
    }

    @Test
    void theBusiestDatanodeIsFirstWithItsGroupsAndReaders() throws Exception {
        page("2", "Heat map of load");
        browser.awaitText("dn1");
        click("Load");
        click("Load");
        WebElement load = browser.chrome.findElement(By.xpath("//th[@aria-sort='descending'][starts-with(., 'Load')]"));
        assertThat(load.isDisplayed()).isTrue();
        By cause = By.xpath("//tbody/tr[1]//a[starts-with(@href, '#/files?group=g')]");
        // As from another machine: what a client reads from files of this one is no load of a datanode.
        try (EcfsClient reader = TestCluster.client(watched.cluster.uri(), "local.on=false")) {
            await("a hot datanode's group")
                    .atMost(ConsoleBrowser.PATIENCE)
                    .ignoreExceptions() // of a row that is drawn anew
                    .until(() -> {
                        assertThat(TestCluster.read(reader, "/d/large")).isNotEmpty();
                        WebElement group = browser.chrome.findElement(cause);
                        assertThat(browser.text()).contains(" by " + System.getProperty("user.name"));
                        group.click();
                        return true;
                    });
        }
        done("04 the hottest datanode, and why", 2);
        browser.awaitText("Groups and chunks");
        browser.awaitText("large");
    }

    @Test
    void theChunksOfAFileAreShownWithTheirRacks() {
        page("5", "Entries");
        follow("d/");
        follow("large");
        browser.awaitText("parity 4");
        browser.awaitText("rack ");
        done("05 chunks of a file", 3);
    }

    @Test
    void aGroupOfAnEventLeadsToItsFile() {
        page("7", "of the latest");
        WebElement group = browser.chrome.findElement(By.cssSelector(".log a[href^='#/files?group=g']"));
        group.click();
        clicks++;
        browser.awaitText("Groups and chunks");
        browser.awaitText("Group " + group(browser.text()));
        done("05 the file of a group", 1);
    }

    private static String group(String text) {
        int at = text.indexOf("Group g") + "Group ".length();
        return text.substring(at).lines().findFirst().orElseThrow();
    }

    @Test
    void aDirectoryGetsAPolicyAndAQuota() throws IOException {
        page("5", "Entries");
        type("path", "/d/empty");
        browser.awaitText("This directory is empty.");
        click("Set policy");
        await("the policies")
                .atMost(ConsoleBrowser.PATIENCE)
                .until(() -> !browser.chrome.findElements(By.name("policy")).isEmpty());
        browser.field("policy").sendKeys("rs-3-2-1024k");
        click("Set");
        browser.awaitText("Policy of new files: rs-3-2-1024k");
        done("06 policy", 3);
        clicks = 0;
        click("Set quota");
        browser.field("names").sendKeys("1000");
        click("Set");
        browser.awaitText("of 1,000 names");
        done("06 quota", 3);
        assertThat(Await.result(watched.cluster.client().quota(new FilePath("/d/empty")))
                        .names())
                .contains(1000L);
    }

    private void type(String field, String text) {
        WebElement input = browser.field(field);
        input.clear();
        input.sendKeys(text, Keys.ENTER);
    }

    @Test
    void aThrottleIsSetAndIsInEventsAndAudit() {
        page("3", "configured");
        WebElement rate = browser.labelled("number", "Repair reads per datanode, MiB/s");
        rate.clear();
        rate.sendKeys("50");
        click("Apply throttles");
        click("Set");
        browser.awaitText("set by an operator");
        int set = clicks;
        page("7", "of the latest");
        browser.awaitText("throttles: repair reads per datanode 50.0 MiB/s, by olga as ");
        page("9", "Changes and denied requests");
        browser.awaitText("setThrottles");
        clicks = set;
        done("07 throttle", 3);
    }

    @Test
    void whatAnOperatorAndACommandDidIsFound() {
        Ecfs.run("admin", "quota", "/d", "--names", "500", "--cluster", watched.cluster.uri())
                .well();
        page("9", "Changes and denied requests");
        type("find", "setQuota");
        browser.awaitText("names=");
        browser.awaitText("cli");
        done("08 who did what", 1);
    }

    @Test
    void theLastWeekIsOneClickAway() {
        page("1", "Throughput");
        click("Week");
        await("the samples of a week")
                .atMost(ConsoleBrowser.PATIENCE)
                .until(() -> browser.run("return performance.getEntriesByType('resource').some((e) =>"
                                + " e.name.includes('range=week') && e.responseStatus === 200)")
                        .equals(true));
        done("09 the last week", 1);
    }

    @Test
    void aFileIsFoundByAPartOfItsName() {
        page("5", "Entries");
        type("find", "LARG");
        browser.awaitText("1 match");
        follow("/d/large");
        browser.awaitText("parity 4");
        done("10 find a file", 1);
    }

    @Test
    void alertsAreOnTheFirstPageAndInMetrics() throws Exception {
        page("1", "Alerts");
        browser.awaitText("warning");
        assertThat(watched.browser().get("/metrics").body())
                .contains("ecfs_cluster_datanodes_by_state{state=\"dead\"} 1");
        done("11 alerts", 0);
    }

    @Test
    void twoBenchmarksAreComparedWithP99CpuAndTheChange() {
        page("8", "write_seq");
        browser.chrome
                .findElement(By.cssSelector("[aria-label='Compare with'] option[value^='monday']"))
                .click();
        clicks++;
        browser.awaitText("-2.2 %");
        browser.awaitText("2,500 µs");
        browser.awaitText("1.25 s/GB");
        done("12 compare benchmarks", 1);
    }

    @Test
    void whoEncodesForADirectoryAndTheCostOfAWriteAreFound() throws IOException {
        FilePath thin = new FilePath("/d/thin");
        Await.result(watched.cluster.client().mkdirs(thin, 0755, true));
        Await.result(watched.cluster.client().setEncoding(thin, Optional.of(EncodingSide.MASTER)));
        try (EcfsClient brief = TestCluster.client(watched.cluster.uri())) {
            TestCluster.write(brief, "/d/thin/file", Pattern.bytes(13, STRIPES * STRIPE));
        }
        page("5", "Entries");
        type("path", "/d/thin");
        browser.awaitText("parity by master");
        follow("Cost of writes");
        By cells = By.xpath("//table[starts-with(caption, 'Writes by policy')]//tr[td[2] = 'master']/td");
        await("the writes that masters encoded")
                .atMost(ConsoleBrowser.PATIENCE)
                .until(() -> !browser.chrome.findElements(cells).isEmpty());
        List<String> row = browser.chrome.findElements(cells).stream()
                .map(WebElement::getText)
                .toList();
        assertThat(row).startsWith("rs-3-2-64k", "master", String.valueOf(STRIPES));
        assertThat(Double.parseDouble(row.get(SUM)))
                .as("milliseconds for a MiB in %s", row)
                .isPositive();
        browser.awaitText("Datanodes as masters");
        done("13 who encodes, and the cost of a write", 1);
    }

    private void pack(String directory, String... names) throws IOException {
        Await.result(watched.cluster.client().mkdirs(new FilePath(directory), 0755, true));
        try (EcfsClient packing = TestCluster.client(watched.cluster.uri(), "pack.on=true")) {
            for (String name : names) {
                TestCluster.write(packing, directory + "/" + name, Pattern.bytes(3, 3000));
            }
        }
    }

    @Test
    void howMuchOfThePacksIsDeadIsOnThePageOfCodes() throws IOException {
        pack("/d/packed", "x", "y");
        page("6", "Packs: small files in shared groups");
        await("the sums")
                .atMost(ConsoleBrowser.PATIENCE)
                .until(() -> browser.text().matches("(?s).*Live share\\s+[1-9]\\d\\.\\d %\\s+\\d.* of \\d.* dead.*"));
        browser.awaitText("user bytes, once 30 % of all packs are dead");
        done("14 how much of the packs is dead", 0);
    }

    @Test
    void filesThatArePackedWithOneAreListed() throws IOException {
        pack("/d/shared", "a", "b", "c");
        page("5", "Entries");
        type("path", "/d/shared/a");
        browser.awaitText("Packed with 2 other files");
        browser.awaitText("/d/shared/c");
        done("16 which files are packed with this one", 1);
        follow("/d/shared/b");
        browser.awaitText("/d/shared/a");
    }

    @Test
    void aConversionIsPaused() throws IOException {
        ClusterAdmin admin = watched.cluster.client().admin();
        watched.cluster.write("/d/cold", Pattern.bytes(17, STRIPES * STRIPE));
        Await.result(admin.setThrottles(Optional.empty(), Optional.empty(), Optional.of(64L << 10)));
        long job = Await.result(admin.convert(new FilePath("/d/cold"), Policy.parse("rs-2-1-64k"), false));
        page("4", "/d/cold");
        click("Pause conversion " + job);
        click("Pause");
        browser.awaitText("paused");
        done("15 pause a conversion", 2);
        assertThat(ConversionView.find(admin, job).paused()).isTrue();
        Await.result(admin.control(job, Control.CANCEL));
        Await.result(admin.setThrottles(
                Optional.empty(), Optional.empty(), Optional.of(NamespaceRequest.SetThrottles.AS_CONFIGURED)));
    }
}
