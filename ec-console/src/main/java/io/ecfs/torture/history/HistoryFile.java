package io.ecfs.torture.history;

import io.ecfs.error.EcfsException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A history as a file of JSON lines, one call a line, in the order of invocation. Keys: {@code process}, {@code call},
 * {@code arguments}, {@code invoke}, {@code return} (absent for an unknown outcome), {@code result} and {@code value}.
 */
public final class HistoryFile {
    private HistoryFile() {}

    /** The calls of all journals in a directory. */
    public static List<Call> merge(Path journals) throws IOException {
        List<Call> calls = new ArrayList<>();
        try (var files = Files.list(journals)) {
            for (Path file : files.sorted().toList()) {
                calls.addAll(CallJournal.read(file));
            }
        }
        return inOrder(calls);
    }

    public static void write(Path file, List<Call> calls) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (Call call : inOrder(calls)) {
                out.write(CallLines.line(call));
                out.write('\n');
            }
        }
    }

    /** @throws EcfsException {@code MALFORMED} for a file of something else */
    public static List<Call> read(Path file) throws IOException {
        List<Call> calls = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            calls.add(CallLines.call(line));
        }
        return calls;
    }

    /** A call as its line. */
    public static String line(Call call) {
        return CallLines.line(call);
    }

    private static List<Call> inOrder(List<Call> calls) {
        return calls.stream()
                .sorted(Comparator.comparingLong(Call::invokeNanos).thenComparingInt(Call::process))
                .toList();
    }
}
