package io.ecfs.torture.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.env.Clock;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The calls of one client process, a line before and a line after each, so that what was under way when the process was
 * killed is known. Lines are written whole by one call of the system. Safe for use by several threads.
 */
public final class CallJournal implements AutoCloseable {
    private final Clock clock;
    private final OutputStream out;

    @GuardedBy("this")
    private long next;

    private CallJournal(Clock clock, OutputStream out) {
        this.clock = clock;
        this.out = out;
    }

    /** A journal in a new file. */
    public static CallJournal create(Clock clock, Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        return new CallJournal(
                clock, Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    }

    /**
     * Notes that a call begins now.
     *
     * @return its number, for {@link #returned}
     */
    public synchronized long invoked(int process, Operation operation) throws IOException {
        long number = next++;
        write(CallLines.invoked(number, process, operation, clock.nanos()));
        return number;
    }

    /** Notes that a call has ended. */
    public void returned(long number, Answer answer) throws IOException {
        long now = clock.nanos();
        synchronized (this) {
            write(CallLines.returned(number, answer, now));
        }
    }

    private void write(String line) throws IOException {
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    /**
     * The calls of a journal by their invocation; the torn last line of a killed client is left out, what did not
     * return is unknown.
     */
    public static List<Call> read(Path file) throws IOException {
        String text = Files.readString(file);
        List<String> lines =
                text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        Map<Long, JsonNode> open = new TreeMap<>();
        List<Call> calls = new ArrayList<>();
        for (String line : lines) {
            JsonNode tree = CallLines.tree(line);
            try {
                long number = tree.required("number").longValue();
                if (tree.has("call")) {
                    open.put(number, tree);
                } else {
                    calls.add(call(open.remove(number), tree.required("return").longValue(), CallLines.answer(tree)));
                }
            } catch (JsonProcessingException | IllegalArgumentException | NullPointerException e) {
                throw CallLines.malformed(line, e);
            }
        }
        for (JsonNode unfinished : open.values()) {
            calls.add(call(unfinished, Call.NEVER, new Answer.Unknown("the client ended")));
        }
        return calls;
    }

    private static Call call(JsonNode invoked, long returned, Answer answer) throws JsonProcessingException {
        return new Call(
                invoked.required("process").intValue(),
                CallLines.operation(invoked),
                invoked.required("invoke").longValue(),
                returned,
                answer);
    }
}
