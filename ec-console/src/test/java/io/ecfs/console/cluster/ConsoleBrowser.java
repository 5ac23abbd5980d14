package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
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

/** A person before the console in a real browser without a window, who finds things by what they are called. */
final class ConsoleBrowser implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofMinutes(2);

    static final String MISSING = "no browser: install Debian's chromium and chromium-driver";

    private static final Path BROWSER = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Path SHOTS = Path.of("target", "console");
    private static final Dimension USUAL = new Dimension(1200, 900);

    final ChromeDriver chrome;

    /** @param directory for the browser's own files */
    ConsoleBrowser(Path directory) throws IOException {
        Files.createDirectories(SHOTS);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(BROWSER.toFile());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--window-size=" + USUAL.width + "," + USUAL.height,
                "--user-data-dir=" + directory.resolve("browser"));
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        chrome = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(DRIVER.toFile())
                        .withLogFile(new File(directory.toFile(), "driver.log"))
                        .build(),
                options);
        chrome.manage().timeouts().scriptTimeout(PATIENCE);
    }

    static boolean installed() {
        return Files.exists(BROWSER) && Files.exists(DRIVER);
    }

    @Override
    public void close() {
        chrome.quit();
    }

    void logIn(String url, String user, String sees) {
        chrome.get(url);
        awaitText("Log in");
        field("user").sendKeys(user);
        field("password").sendKeys(WatchedCluster.PASSWORD, Keys.ENTER);
        awaitText(sees);
    }

    /** The page again, as wide as usual. */
    void anew() {
        resize(USUAL);
        chrome.navigate().refresh();
        awaitText("Log out");
    }

    void resize(Dimension to) {
        chrome.manage().window().setSize(to);
    }

    void open(String page) {
        run("location.hash = '#/' + arguments[0]", page);
        await(page)
                .atMost(PATIENCE)
                .until(() -> page.replaceFirst("[/?].*", "")
                        .equals(run("return document.getElementById('main').dataset.page")));
    }

    String text() {
        return chrome.findElement(By.tagName("body")).getText();
    }

    void awaitText(String text) {
        await("the page to say " + text)
                .atMost(PATIENCE)
                .ignoreException(StaleElementReferenceException.class)
                .until(() -> text().contains(text));
    }

    /** Notes from now on what is told for seconds only: who looks later must not miss it. */
    void noteToasts() {
        run("const told = window.told = []; new MutationObserver((changes) => changes.forEach("
                + "(change) => change.addedNodes.forEach((node) => told.push(node.textContent))))"
                + ".observe(document.getElementById('toasts'), { childList: true })");
    }

    /** Waits for one that came since {@link #noteToasts}, whether it is still shown or not. */
    void awaitToast(String text) {
        await("the page to tell " + text)
                .atMost(PATIENCE)
                .until(() -> ((List<?>) run("return window.told")).contains(text));
    }

    void click(String label) {
        await("the button " + label).atMost(PATIENCE).ignoreExceptions().until(() -> {
            for (WebElement button : chrome.findElements(By.tagName("button"))) {
                if (name(button).equals(label) && button.isDisplayed()) {
                    button.click();
                    return true;
                }
            }
            return false;
        });
    }

    private static String name(WebElement button) {
        String label = button.getAttribute("aria-label");
        return label == null ? button.getText() : label;
    }

    void follow(String link) {
        chrome.findElement(By.linkText(link)).click();
    }

    /** By its name in the form. */
    WebElement field(String name) {
        return chrome.findElement(By.name(name));
    }

    /** By how its label begins. */
    WebElement labelled(String type, String label) {
        return chrome.findElement(By.cssSelector("[type='" + type + "'][aria-label^='" + label + "']"));
    }

    /** By the text of the label that it is in. */
    WebElement in(String label) {
        return chrome.findElement(By.xpath("//label[starts-with(., '" + label + "')]/input"));
    }

    Object run(String script, Object... arguments) {
        return chrome.executeScript(script, arguments);
    }

    /** Fails when the browser complained or a request failed since it was asked last. */
    void assertClean(String where) {
        List<LogEntry> said = chrome.manage().logs().get(LogType.BROWSER).getAll();
        assertThat(said)
                .as("the browser's log of " + where)
                .noneMatch(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue());
        assertThat((List<?>) run("return performance.getEntriesByType('resource')"
                        + ".filter(e => e.responseStatus >= 400).map(e => e.name + ' ' + e.responseStatus)"))
                .as("failed requests of " + where)
                .isEmpty();
    }

    /** What failed until now was meant to. */
    void forgetFailures() {
        chrome.manage().logs().get(LogType.BROWSER);
        run("performance.clearResourceTimings()");
    }

    /** What axe-core calls serious in what is shown. */
    List<?> hurdles() throws IOException {
        try (InputStream axe = ConsoleBrowser.class.getResourceAsStream("/axe.min.js")) {
            run(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
        }
        return (List<?>) chrome.executeAsyncScript("const done = arguments[arguments.length - 1];"
                + "axe.run(document, {resultTypes: ['violations']}).then(r => done(r.violations"
                + ".filter(v => ['serious', 'critical'].includes(v.impact))"
                + ".map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html).join(' '))))");
    }

    void shoot(String name) throws IOException {
        Files.write(SHOTS.resolve(name + ".png"), chrome.getScreenshotAs(OutputType.BYTES));
    }
}
