package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.client.update.UpdatableFile;
import io.ecfs.console.web.WebConsole;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;

/**
 * Every page of the console in a real browser, against a live cluster that lost a datanode. Screenshots lie in
 * {@code target/console}.
 */
class ConsolePagesTest extends BrowsedConsole {
    /** Page → what it shows of this cluster. */
    private static final Map<String, String> PAGES = new TreeMap<>(Map.ofEntries(
            Map.entry("overview", "is dead"),
            Map.entry("datanodes", "Load skew (λ)"),
            Map.entry("recovery", "healed"),
            Map.entry("recovery/1", "Chunks reconstructed"),
            Map.entry("migrations", "To move"),
            Map.entry("files", "d/"),
            Map.entry("codes", "rs-6-3-1024k"),
            Map.entry("events", "nn0 leads"),
            Map.entry("benchmarks", "write_seq"),
            Map.entry("audit", "login"),
            Map.entry("writes", "Who should encode"),
            Map.entry("explain?path=/d/large", "chosen"),
            Map.entry("experiments", "differs from byte 4096"),
            Map.entry("rings", "ecfs ring create")));

    @Test
    void everyPageIsShownInLightAndDarkWithoutAnErrorAndForEverybody() throws Exception {
        for (Map.Entry<String, String> page : PAGES.entrySet()) {
            String name = page.getKey().replaceAll("[^a-z0-9]+", "-");
            browser.open(page.getKey());
            browser.awaitText(page.getValue());
            for (String theme : List.of("light", "dark")) {
                browser.shoot(name + "-" + theme);
                assertThat(browser.hurdles()).as(name + " in " + theme).isEmpty();
                browser.click(theme.equals("light") ? "Dark" : "Light");
                browser.awaitText(page.getValue());
            }
            browser.assertClean(name);
        }
    }

    @Test
    void aNameThatIsAScriptIsTextAndItsChunksAreShown() {
        browser.open("files?path=/d");
        browser.awaitText(WatchedCluster.SCRIPT);
        browser.follow(WatchedCluster.SCRIPT);
        browser.awaitText("parity 4");
        browser.awaitText("finalised");
        assertThat(browser.chrome.findElements(By.cssSelector("main img"))).isEmpty();
        browser.assertClean("a file");
    }

    @Test
    void patchesOfAFileAreShownWhileItIsOpenAndAfterwards() throws Exception {
        UpdatableFile file = watched.updated("/d/image", 200_000);
        browser.open("files?path=/d/image");
        browser.awaitText("open for update");
        browser.awaitText("1 being written");
        file.close();
        browser.anew();
        browser.open("files?path=/d/image");
        browser.awaitText("all sealed");
        browser.awaitText("patches of this file");
        assertThat(browser.text()).contains("Live share", "Dead share").doesNotContain("open for update");
        assertThat(browser.hurdles()).isEmpty();
        browser.shoot("patches-light");
        browser.assertClean("a file with patches");
    }

    @Test
    void resultsBesideAPaperAreDrawnInBothThemes() throws Exception {
        browser.open("benchmarks");
        browser.awaitText("write_seq");
        browser.chrome
                .findElement(By.cssSelector("[aria-label='Results'] option[value^='koh']"))
                .click();
        browser.awaitText("1.25, target >= 1.50: short");
        for (String theme : List.of("light", "dark")) {
            assertThat(browser.chrome.findElements(By.cssSelector(".picture svg")))
                    .hasSize(2);
            assertThat(browser.hurdles()).as(theme).isEmpty();
            browser.shoot("plots-" + theme);
            if (theme.equals("light")) {
                browser.click("Dark");
                browser.awaitText("write_seq");
                browser.chrome
                        .findElement(By.cssSelector("[aria-label='Results'] option[value^='koh']"))
                        .click();
                browser.awaitText("1.25, target >= 1.50: short");
            }
        }
        browser.click("Light");
        browser.assertClean("plots");
    }

    @Tag("soak")
    @Test
    void keysLeadToPagesAndAPhoneIsWideEnough() throws Exception {
        browser.open("codes");
        browser.chrome.findElement(By.tagName("body")).sendKeys("3");
        browser.awaitText("Incidents");
        browser.resize(new Dimension(400, 800));
        for (String page : PAGES.keySet()) {
            browser.open(page);
            browser.awaitText(PAGES.get(page));
            assertThat((Long) browser.run(
                            "return document.documentElement.scrollWidth - document.documentElement.clientWidth"))
                    .as(page + " is as wide as the phone")
                    .isZero();
        }
        browser.open("overview");
        browser.shoot("overview-phone");
    }

    @Tag("soak")
    @Test
    void aConsoleThatNeverReachedItsClusterSaysSoOnEveryPage() throws Exception {
        try (WebConsole alone = watched.consoleOfNobody()) {
            browser.logIn(alone.url(), "olga", "The namenodes do not answer");
            for (String page : List.of("overview", "datanodes", "recovery")) {
                browser.open(page);
                assertThat(browser.chrome.findElement(By.tagName("main")).getText())
                        .doesNotContain("could not be shown", "No incident", "No group is degraded");
            }
        } finally {
            browser.chrome.get(watched.console.url());
            browser.chrome.manage().deleteAllCookies();
            logIn();
            browser.forgetFailures();
        }
    }

    @Test
    void aLostClusterIsSaidAndHealsByItself() throws Exception {
        browser.open("overview");
        watched.cluster.stop("nn0");
        browser.awaitText("The namenodes do not answer");
        assertThat(watched.browser().get("/health").statusCode()).isEqualTo(503);
        watched.cluster.start("nn0");
        await("the banner to go")
                .atMost(ConsoleBrowser.PATIENCE)
                .until(() ->
                        browser.chrome.findElement(By.id("banner")).getText().isEmpty());
        browser.forgetFailures();
    }
}
