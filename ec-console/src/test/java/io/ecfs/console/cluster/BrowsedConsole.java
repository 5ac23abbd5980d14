package io.ecfs.console.cluster;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of one watched cluster before whose console an operator sits; each begins on a fresh page. Skipped where no
 * browser is.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class BrowsedConsole {
    /** Text that every user sees after login. */
    static final String LOGGED_IN = "Healthy groups";

    WatchedCluster watched;
    ConsoleBrowser browser;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        Assumptions.assumeTrue(ConsoleBrowser.installed(), ConsoleBrowser.MISSING);
        watched = WatchedCluster.start(directory);
        browser = new ConsoleBrowser(directory);
        logIn();
    }

    /** The operator, at the door of the cluster's console. */
    void logIn() {
        browser.logIn(watched.console.url(), "olga", LOGGED_IN);
    }

    @AfterAll
    void stop() {
        if (browser != null) {
            browser.close();
        }
        if (watched != null) {
            watched.close();
        }
    }

    @BeforeEach
    void anew() {
        browser.anew();
    }
}
