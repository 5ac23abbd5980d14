package io.ecfs.console.cluster;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.ratis.protocol.exceptions.ServerNotReadyException;
import org.slf4j.LoggerFactory;

/**
 * Hears what this process logs: an ERROR means that a human should look, so one that a test did not expect fails it.
 */
final class ErrorLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private static final Logger ROOT = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

    private final List<String> lines = new CopyOnWriteArrayList<>();
    /** Namenodes of two clusters in one process may have one name, which only Ratis's JMX beans mind. */
    private final List<String> expected = new CopyOnWriteArrayList<>(List.of("Failed to register JMX Bean"));

    static ErrorLog listen() {
        ErrorLog log = new ErrorLog();
        log.setContext(ROOT.getLoggerContext());
        log.start();
        ROOT.addAppender(log);
        return log;
    }

    /** Lines that hold this text are no failure. */
    void expect(String text) {
        expected.add(text);
    }

    boolean holds(String text) {
        return lines.stream().anyMatch(l -> l.contains(text));
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (event.getLevel().isGreaterOrEqual(Level.INFO) && !namenodeNotReady(event)) {
            lines.add(event.getLevel() + " " + event.getFormattedMessage());
        }
    }

    /**
     * Ratis calls it an error when a leader's heartbeat reaches a member that starts or stops; the leader just repeats
     * it.
     */
    private static boolean namenodeNotReady(ILoggingEvent event) {
        return event.getThrowableProxy() != null
                && event.getThrowableProxy().getClassName().equals(ServerNotReadyException.class.getName());
    }

    /** @throws AssertionError with the ERROR lines that nobody expected */
    @Override
    public void close() {
        ROOT.detachAppender(this);
        stop();
        List<String> unexpected = new ArrayList<>(lines);
        unexpected.removeIf(l -> !l.startsWith("ERROR") || expected.stream().anyMatch(l::contains));
        if (!unexpected.isEmpty()) {
            throw new AssertionError("unexpected errors were logged:\n" + String.join("\n", unexpected));
        }
    }
}
