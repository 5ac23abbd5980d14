package io.ecfs.sim;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.ecfs.sim.cluster.SimSettings.Twist;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/**
 * Hears what a simulated world logs at ERROR: a human should look, so every one that the simulated faults do not call
 * for is a finding. A world has one thread; what others log is of classes that ran in this JVM before.
 */
final class Alarms extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    /** A process that is killed in a write sees its disk fail; lost power tears what was not synced. */
    // Journals of a machine that has stopped fail in the rest of a step; what they lose else, StagedDisk finds.
    private static final List<String> DUE = List.of(
            "event=volume_failed",
            "event=chunk_corrupt",
            "event=journal_failed",
            "event=journal_unreadable",
            "event=staged_file_lost");

    private static final Map<Twist, List<String>> DUE_TO_TWIST = Map.of(
            Twist.ROLLED_BACK,
            List.of("event=foreign_chunk"),
            Twist.UNREADABLE_ENTRY,
            List.of("event=metadata_state_stopped"),
            Twist.WRONG_PARITY,
            // Where a single parity is wrong it is unknown which chunk is.
            List.of("event=chunk_disputed", "event=parity_wrong", "event=parity_unclear"),
            Twist.ROTTEN_DISKS,
            List.of("event=tail_record_damaged"));

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.ecfs");
    private final Level verbosity = logger.getLevel();
    private final List<String> lines = new ArrayList<>();
    private final Thread world = Thread.currentThread();

    /** @param quiet nothing below is logged anywhere */
    static Alarms listen(boolean quiet) {
        Alarms alarms = new Alarms();
        alarms.setContext(alarms.logger.getLoggerContext());
        alarms.start();
        if (quiet) {
            alarms.logger.setLevel(Level.ERROR);
            alarms.logger.setAdditive(false);
        }
        alarms.logger.addAppender(alarms);
        return alarms;
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (Thread.currentThread() == world && event.getLevel().isGreaterOrEqual(Level.ERROR)) {
            lines.add(event.getFormattedMessage());
        }
    }

    /** @throws AssertionError with the errors that a world of this twist does not call for */
    void check(Twist twist) {
        List<String> due = Stream.concat(DUE.stream(), DUE_TO_TWIST.getOrDefault(twist, List.of()).stream())
                .toList();
        List<String> undue =
                lines.stream().filter(l -> due.stream().noneMatch(l::contains)).toList();
        if (!undue.isEmpty()) {
            throw new AssertionError("logged at ERROR: " + String.join("; ", undue));
        }
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        logger.setAdditive(true);
        logger.setLevel(verbosity);
        stop();
    }
}
