package io.ecfs.console.web.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.console.view.Json;
import io.ecfs.console.view.Times;
import io.ecfs.env.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The audit log, written before the answer is given: {@code audit.log} has logins and actions, {@code refused.log} what
 * was refused at the door. Anybody can have as much refused as they like, and that must not push out what was done:
 * each file rotates by itself. Any thread.
 */
public final class AuditLog {
    private static final int MOST_CHARS = 500;

    private final Clock clock;
    private final AuditFile done;
    private final AuditFile refused;

    /**
     * An action, executed or rejected.
     *
     * @param user the session's user; the given name for a rejected login
     * @param from the address of the browser
     * @param action {@code login}, {@code decommission} …
     * @param target object of the action; empty for none
     * @param outcome {@code done}, or the reason of the failure
     */
    public record Entry(String user, String from, String action, String target, String outcome) {}

    public AuditLog(Path directory, Clock clock) {
        this.clock = clock;
        done = new AuditFile(directory.resolve("audit.log"));
        refused = new AuditFile(directory.resolve("refused.log"));
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the directory of the audit log " + directory, e);
        }
    }

    /** @throws UncheckedIOException when it cannot be written: what is not on record is not done */
    public void add(Entry entry) {
        done.add(line(entry));
    }

    /** @throws UncheckedIOException when it cannot be written */
    public void addRefused(Entry entry) {
        refused.add(line(entry));
    }

    private ObjectNode line(Entry entry) {
        ObjectNode line = Json.node();
        line.put("at", Times.iso(clock.epochMillis()));
        line.put("user", shorten(entry.user()));
        line.put("from", entry.from());
        line.put("action", entry.action());
        line.put("target", shorten(entry.target()));
        line.put("outcome", shorten(entry.outcome()));
        return line;
    }

    /** The latest logins and actions since this process began, newest first. */
    public List<ObjectNode> latest() {
        return done.latest();
    }

    /** The latest refusals since this process began, newest first. */
    public List<ObjectNode> latestRefused() {
        return refused.latest();
    }

    private static String shorten(String text) {
        return text.length() <= MOST_CHARS ? text : text.substring(0, MOST_CHARS) + "…";
    }
}
