package io.ecfs.torture.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A history in EDN as Jepsen writes it, which Knossos reads, and Porcupine's readers of Jepsen's logs: one map a line,
 * {@code :invoke} when a call begins and {@code :ok}, {@code :fail} (no effect) or {@code :info} (unknown) when it
 * ends. As Knossos wants it, a process whose call ended with {@code :info} is not used again: its later calls get a new
 * number.
 */
public final class KnossosHistory {
    private static final ObjectMapper JSON = new ObjectMapper();

    private record Event(long nanos, int order, String type, Call call) {}

    private KnossosHistory() {}

    public static void write(Path file, List<Call> calls) throws IOException {
        List<Event> events = new ArrayList<>();
        long last = 0;
        for (Call call : calls) {
            events.add(new Event(call.invokeNanos(), 1, "invoke", call));
            last = Math.max(last, Math.max(call.invokeNanos(), call.unknown() ? 0 : call.returnNanos()));
        }
        for (Call call : calls) {
            String type = call.unknown() ? "info" : call.answer() instanceof Answer.Refused ? "fail" : "ok";
            events.add(new Event(call.unknown() ? last + 1 : call.returnNanos(), 0, type, call));
        }
        events.sort(Comparator.comparingLong(Event::nanos).thenComparingInt(Event::order));
        Map<Call, Integer> processes = processes(calls);
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            int index = 0;
            for (Event event : events) {
                out.write(line(index++, processes.get(event.call()), event));
            }
        }
    }

    /** Numbers that no call of unknown outcome shares with a later one. */
    private static Map<Call, Integer> processes(List<Call> calls) {
        Map<Integer, Integer> current = new HashMap<>();
        Map<Call, Integer> processes = new HashMap<>();
        int next = calls.stream().mapToInt(Call::process).max().orElse(0) + 1;
        for (Call call : calls.stream()
                .sorted(Comparator.comparingLong(Call::invokeNanos))
                .toList()) {
            processes.put(call, current.getOrDefault(call.process(), call.process()));
            if (call.unknown()) {
                current.put(call.process(), next++);
            }
        }
        return processes;
    }

    private static String line(int index, int process, Event event) {
        boolean begins = event.type().equals("invoke");
        JsonNode value = JSON.valueToTree(
                begins ? event.call().operation() : event.call().answer());
        return "{:index " + index + ", :time " + event.nanos() + ", :process " + process + ", :type :" + event.type()
                + ", :f :" + event.call().operation().call() + ", :value " + edn(value) + "}\n";
    }

    private static String edn(JsonNode value) {
        if (value.isObject()) {
            List<String> fields = new ArrayList<>();
            value.properties().forEach(field -> fields.add(":" + field.getKey() + " " + edn(field.getValue())));
            return "{" + String.join(", ", fields) + "}";
        }
        if (value.isArray()) {
            List<String> elements = new ArrayList<>();
            value.forEach(element -> elements.add(edn(element)));
            return "[" + String.join(" ", elements) + "]";
        }
        return value.isNull() ? "nil" : value.toString(); // numbers, booleans and strings are written as in JSON
    }
}
