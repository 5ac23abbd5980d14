package io.ecfs.console.web.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.console.view.Json;
import io.ecfs.console.view.Times;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The audit log: one JSON object a line in {@code audit.log}, written before the answer is given. At {@value #MOST_BYTES} bytes it becomes
 * {@code audit.log.1}, in place of the one before. Any thread; one line at a time.
 */
public final class AuditLog {
    private static final long MOST_BYTES = 16 << 20;
    private static final int AT_HAND = 500;
    private static final int MOST_CHARS = 500;

    private final Path file;
    private final Deque<ObjectNode> latest = new ArrayDeque<>();

    /**
     * What was done or refused.
     *
     * @param user who; {@code -} for one who is not logged in
     * @param from the address of the browser
     * @param action {@code login}, {@code decommission} …
     * @param target what it was done to; empty for none
     * @param outcome {@code done}, or why not
     */
    public record Entry(String user, String from, String action, String target, String outcome) {}

    public AuditLog(Path directory) {
        this.file = directory.resolve("audit.log");
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the directory of the audit log " + directory, e);
        }
    }

    /** @throws UncheckedIOException when it cannot be written: what is not on record is not done */
    public synchronized void add(Entry entry) {
        ObjectNode line = Json.node();
        line.put("at", Times.iso(System.currentTimeMillis()));
        line.put("user", shorten(entry.user()));
        line.put("from", entry.from());
        line.put("action", entry.action());
        line.put("target", shorten(entry.target()));
        line.put("outcome", shorten(entry.outcome()));
        try {
            if (Files.exists(file) && Files.size(file) > MOST_BYTES) {
                Files.move(file, file.resolveSibling("audit.log.1"), StandardCopyOption.REPLACE_EXISTING);
            }
            Files.write(
                    file,
                    (line + "\n").getBytes(StandardCharsets.UTF_8),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the audit log " + file, e);
        }
        latest.addFirst(line);
        if (latest.size() > AT_HAND) {
            latest.removeLast();
        }
    }

    /** The latest entries since this process began, newest first. */
    public synchronized List<ObjectNode> latest() {
        return new ArrayList<>(latest);
    }

    private static String shorten(String text) {
        return text.length() <= MOST_CHARS ? text : text.substring(0, MOST_CHARS) + "…";
    }
}
