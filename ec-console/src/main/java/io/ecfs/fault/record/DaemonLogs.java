package io.ecfs.fault.record;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Events in the logs of an experiment's daemons, in the order of their times. Of more than {@link #MOST} in the wanted
 * time each so-many-th is taken, and the counts say of how many.
 *
 * @param counts of all events in that time, by class
 */
public record DaemonLogs(List<LoggedEvent> events, Map<EventClass, Long> counts) {
    /** Events of one experiment. */
    static final int MOST = 100_000;

    public DaemonLogs {
        events = List.copyOf(events);
        counts = counts.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(counts));
    }

    /**
     * Reads the logs of a directory, each named after its daemon.
     *
     * @param fromMillis since the epoch
     * @param toMillis exclusive
     */
    public static DaemonLogs read(Path directory, long fromMillis, long toMillis) throws IOException {
        if (Files.notExists(directory)) {
            return new DaemonLogs(List.of(), Map.of()); // daemons of this process log elsewhere
        }
        List<LoggedEvent> events = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file :
                    files.filter(f -> f.toString().endsWith(".log")).sorted().toList()) {
                read(file, fromMillis, toMillis, events);
            }
        }
        Map<EventClass, Long> counts = new EnumMap<>(EventClass.class);
        events.forEach(event -> counts.merge(event.kind(), 1L, Long::sum));
        events.sort(Comparator.comparingLong(LoggedEvent::millis));
        return new DaemonLogs(sample(events), counts);
    }

    private static void read(Path file, long fromMillis, long toMillis, List<LoggedEvent> events) throws IOException {
        String daemon = file.getFileName().toString().replaceFirst("\\.log$", "");
        // A reader of a stream replaces the letter that a killed daemon left half written.
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                LoggedEvent.parse(daemon, line)
                        .filter(event -> event.millis() >= fromMillis && event.millis() < toMillis)
                        .ifPresent(events::add);
            }
        }
    }

    private static List<LoggedEvent> sample(List<LoggedEvent> events) {
        int every = (events.size() + MOST - 1) / MOST;
        List<LoggedEvent> sample = new ArrayList<>();
        for (int i = 0; i < events.size(); i += Math.max(1, every)) {
            sample.add(events.get(i));
        }
        return sample;
    }
}
