package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.client.base.Await;
import io.ecfs.console.web.WebConsole;
import io.ecfs.message.Duty;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Every page of the console in a real browser, against a live cluster that lost a datanode. Screenshots lie in {@code target/console}. */
class ConsolePagesTest {
    static final Path BROWSER = Path.of("/usr/bin/chromium");
    static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Path SHOTS = Path.of("target", "console");
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int MANY = 1200;

    /** Page → what it shows of this cluster. */
    private static final Map<String, String> PAGES = new TreeMap<>(Map.ofEntries(
            Map.entry("overview", "is dead"),
            Map.entry("datanodes", "λ now"),
            Map.entry("recovery", "healed"),
            Map.entry("recovery/1", "Chunks rebuilt"),
            Map.entry("migrations", "To move"),
            Map.entry("files", "d/"),
            Map.entry("codes", "rs-6-3-1024k"),
            Map.entry("events", "nn0 leads"),
            Map.entry("benchmarks", "write_seq"),
            Map.entry("audit", "login"),
            Map.entry("explain?path=/d/large", "chosen")));

    @TempDir
    private static Path directory;

    private static WatchedCluster watched;
    private static ChromeDriver browser;

    @BeforeAll
    static void start() throws Exception {
        Assumptions.assumeTrue(
                Files.exists(BROWSER) && Files.exists(DRIVER),
                "no browser: install Debian's chromium and chromium-driver");
        watched = WatchedCluster.start(directory);
        browser = chrome(directory);
        Files.createDirectories(SHOTS);
        logIn();
    }

    /** A browser without a window. */
    static ChromeDriver chrome(Path directory) {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(BROWSER.toFile());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--window-size=" + MANY + ",900",
                "--user-data-dir=" + directory.resolve("browser"));
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        return new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(DRIVER.toFile())
                        .withLogFile(new File(directory.toFile(), "driver.log"))
                        .build(),
                options);
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.quit();
        }
        if (watched != null) {
            watched.close();
        }
    }

    @BeforeEach
    void anew() {
        browser.manage().window().setSize(new Dimension(MANY, 900));
        browser.navigate().refresh();
        awaitText("Log out");
    }

    private static void logIn() {
        browser.get(watched.console.url());
        awaitText("Log in");
        browser.findElement(By.name("user")).sendKeys("olga");
        browser.findElement(By.name("password")).sendKeys(WatchedCluster.PASSWORD, Keys.ENTER);
        awaitText("Groups whole");
    }

    private static void awaitText(String text) {
        await("the page to say " + text)
                .atMost(PATIENCE)
                .ignoreException(StaleElementReferenceException.class)
                .until(() -> browser.findElement(By.tagName("body")).getText().contains(text));
    }

    private static void open(String page) {
        browser.executeScript("location.hash = '#/' + arguments[0]", page);
        await(page)
                .atMost(PATIENCE)
                .until(() -> page.replaceFirst("[/?].*", "")
                        .equals(browser.executeScript("return document.getElementById('main').dataset.page")));
    }

    private static void click(String label) {
        await("the button " + label).atMost(PATIENCE).ignoreExceptions().until(() -> {
            for (WebElement button : browser.findElements(By.tagName("button"))) {
                String name = button.getAttribute("aria-label") == null
                        ? button.getText()
                        : button.getAttribute("aria-label");
                if (name.equals(label) && button.isDisplayed()) {
                    button.click();
                    return true;
                }
            }
            return false;
        });
    }

    private static void assertClean(String where) {
        List<LogEntry> said = browser.manage().logs().get(LogType.BROWSER).getAll();
        assertThat(said)
                .as("the browser's log of " + where)
                .noneMatch(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue());
        assertThat((List<?>) browser.executeScript("return performance.getEntriesByType('resource')"
                        + ".filter(e => e.responseStatus >= 400).map(e => e.name + ' ' + e.responseStatus)"))
                .as("failed requests of " + where)
                .isEmpty();
    }

    private static void shoot(String name) throws IOException {
        Files.write(SHOTS.resolve(name + ".png"), browser.getScreenshotAs(OutputType.BYTES));
    }

    @Test
    void everyPageIsShownInLightAndDarkWithoutAnErrorAndForEverybody() throws Exception {
        String axe = axe();
        for (Map.Entry<String, String> page : PAGES.entrySet()) {
            String name = page.getKey().replaceAll("[^a-z0-9]+", "-");
            open(page.getKey());
            awaitText(page.getValue());
            for (String theme : List.of("light", "dark")) {
                shoot(name + "-" + theme);
                browser.executeScript(axe);
                assertThat((List<?>) browser.executeAsyncScript("const done = arguments[arguments.length - 1];"
                                + "axe.run(document, {resultTypes: ['violations']}).then(r => done(r.violations"
                                + ".filter(v => ['serious', 'critical'].includes(v.impact))"
                                + ".map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html).join(' '))))"))
                        .as(name + " in " + theme)
                        .isEmpty();
                click(theme.equals("light") ? "Dark" : "Light");
                awaitText(page.getValue());
            }
            assertClean(name);
        }
    }

    private static String axe() throws IOException {
        try (InputStream script = ConsolePagesTest.class.getResourceAsStream("/axe.min.js")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aNameThatIsAScriptIsTextAndItsChunksAreShown() {
        open("files?path=/d");
        awaitText(WatchedCluster.SCRIPT);
        browser.findElement(By.linkText(WatchedCluster.SCRIPT)).click();
        awaitText("parity 4");
        awaitText("finalised");
        assertThat(browser.findElements(By.cssSelector("main img"))).isEmpty();
        assertClean("a file");
    }

    @Test
    void anOperatorActsAfterBeingAskedAndTheClusterFollows() throws Exception {
        String datanode = watched.dead.equals("dn0") ? "dn1" : "dn0";
        open("datanodes");
        click("Safe to stop? " + datanode);
        awaitText("may stop");
        click("Close");
        click("Maintenance " + datanode);
        awaitText("Maintenance for " + datanode + "?");
        click("Maintenance for");
        awaitText("Maintenance for " + datanode + ": done");
        assertThat(duty(datanode)).isEqualTo(Duty.State.IN_MAINTENANCE);
        click("Recommission " + datanode);
        click("Recommission");
        await("it to be in service").atMost(PATIENCE).until(() -> duty(datanode) == Duty.State.IN_SERVICE);
        open("migrations");
        click("Balance now");
        click("Balance");
        awaitText("Balance: done");
        open("files?path=/d/empty");
        click("Set policy");
        await("the policies")
                .atMost(PATIENCE)
                .until(() -> !browser.findElements(By.name("policy")).isEmpty());
        browser.findElement(By.name("policy")).sendKeys("rs-3-2-1024k");
        click("Set");
        awaitText("New files get rs-3-2-1024k");
        open("recovery");
        awaitText("configured");
        WebElement field =
                browser.findElement(By.cssSelector("input[type=number][aria-label^='Chunks rebuilt at once']"));
        field.clear();
        field.sendKeys("23");
        click("Apply throttles");
        awaitText("Chunks rebuilt at once in the cluster: 23");
        click("Set");
        awaitText("set by an operator");
        assertThat(Await.result(watched.cluster.client().throttles())
                        .repairsAtOnce()
                        .value())
                .isEqualTo(23);
        click("As configured: Chunks rebuilt at once in the cluster");
        awaitText("as configured?");
        click("Set");
        await("the throttle to be taken back")
                .atMost(PATIENCE)
                .until(() -> !Await.result(watched.cluster.client().throttles())
                        .repairsAtOnce()
                        .set());
        open("explain?path=/d/large");
        awaitText("chosen");
        click("Read and explain");
        awaitText("Read these files?");
        click("Read");
        awaitText("answered");
        open("audit");
        awaitText("set policy rs-3-2-1024k");
        assertClean("the actions");
    }

    private static Duty.State duty(String datanode) throws IOException {
        return Await.result(watched.cluster.client().report()).datanodes().stream()
                .filter(d -> d.id().name().equals(datanode))
                .findFirst()
                .orElseThrow()
                .duty()
                .state();
    }

    @Test
    void keysLeadToPagesAndAPhoneIsWideEnough() throws Exception {
        open("codes");
        browser.findElement(By.tagName("body")).sendKeys("3");
        awaitText("Incidents");
        browser.manage().window().setSize(new Dimension(400, 800));
        for (String page : PAGES.keySet()) {
            open(page);
            awaitText(PAGES.get(page));
            assertThat((Long) browser.executeScript(
                            "return document.documentElement.scrollWidth - document.documentElement.clientWidth"))
                    .as(page + " is as wide as the phone")
                    .isZero();
        }
        open("overview");
        shoot("overview-phone");
    }

    @Test
    void aConsoleThatNeverReachedItsClusterSaysSoOnEveryPage() throws Exception {
        try (WebConsole alone = watched.consoleOfNobody()) {
            browser.get(alone.url());
            awaitText("Log in");
            browser.findElement(By.name("user")).sendKeys("olga");
            browser.findElement(By.name("password")).sendKeys(WatchedCluster.PASSWORD, Keys.ENTER);
            awaitText("The namenodes do not answer");
            for (String page : List.of("overview", "datanodes", "recovery")) {
                open(page);
                assertThat(browser.findElement(By.tagName("main")).getText())
                        .doesNotContain("could not be shown", "No incident is known", "No group is damaged");
            }
        } finally {
            browser.get(watched.console.url());
            browser.manage().deleteAllCookies();
            logIn();
            browser.manage().logs().get(LogType.BROWSER);
            browser.executeScript("performance.clearResourceTimings()");
        }
    }

    @Test
    void aLostClusterIsSaidAndHealsByItself() throws Exception {
        open("overview");
        watched.cluster.stop("nn0");
        awaitText("The namenodes do not answer");
        assertThat(watched.browser().get("/health").statusCode()).isEqualTo(503);
        watched.cluster.start("nn0");
        await("the banner to go")
                .atMost(PATIENCE)
                .until(() -> browser.findElement(By.id("banner")).getText().isEmpty());
        browser.manage().logs().get(LogType.BROWSER);
        browser.executeScript("performance.clearResourceTimings()");
    }
}
