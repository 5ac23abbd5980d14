package io.ecfs.fault.record;

import io.ecfs.config.ConfigReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What an event of a daemon's log says about a fault, after the classes of ECFault's logger (section 3.3). */
public enum EventClass {
    /** It was injected or undone. */
    FAULT,
    /** Something is wrong. */
    DETECT,
    /** Whether and how it is wrong is being found out. */
    CHECK,
    /** What will be done. */
    PLAN,
    /** It is being done. */
    RECOVER,
    /** It is done. */
    DONE,
    /** Its users notice. */
    CLIENT,
    /** Nothing. */
    NOISE;

    private static final String NAMES = "event-classes.yaml";

    private static final Map<String, EventClass> CLASSES = read();

    /** Names of the events of each class, separated by blanks. */
    record Names(
            String fault,
            String detect,
            String check,
            String plan,
            String recover,
            String done,
            String client,
            String noise) {
        private Map<EventClass, String> byClass() {
            Map<EventClass, String> names = new EnumMap<>(EventClass.class);
            names.put(FAULT, fault);
            names.put(DETECT, detect);
            names.put(CHECK, check);
            names.put(PLAN, plan);
            names.put(RECOVER, recover);
            names.put(DONE, done);
            names.put(CLIENT, client);
            names.put(NOISE, noise);
            return names;
        }
    }

    /** The class of an event; empty for a name that no daemon logs. */
    public static Optional<EventClass> of(String event) {
        return Optional.ofNullable(CLASSES.get(event));
    }

    /** All names with their classes. */
    static Map<String, EventClass> all() {
        return CLASSES;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static Map<String, EventClass> read() {
        try (InputStream in = EventClass.class.getResourceAsStream(NAMES)) {
            Names names = ConfigReader.read(
                    Names.class, NAMES, new String(in.readAllBytes(), StandardCharsets.UTF_8), java.util.List.of());
            Map<String, EventClass> classes = new TreeMap<>();
            names.byClass()
                    .forEach((kind, its) -> Arrays.stream(its.strip().split("\\s+", -1))
                            .forEach(name -> {
                                if (classes.put(name, kind) != null) {
                                    throw new IllegalStateException("event " + name + " has two classes");
                                }
                            }));
            return classes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
