package io.ecfs.sim;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * On test classes in virtual time: a test that would wait for another thread fails at once, as {@link Simulation} does.
 */
final class NothingMayWait implements BeforeEachCallback, AfterEachCallback {
    @Override
    public void beforeEach(ExtensionContext test) {
        Thread.currentThread().interrupt();
    }

    @Override
    public void afterEach(ExtensionContext test) {
        Thread.interrupted();
    }
}
