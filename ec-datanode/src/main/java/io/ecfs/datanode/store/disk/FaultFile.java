package io.ecfs.datanode.store.disk;

import io.ecfs.env.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Disk faults that an experiment injects into a datanode of its own: a file {@code FAULTS} in the home with one line
 * for each, {@code KIND MILLIS VOLUME-DIRECTORY}. It is read again every {@link #INTERVAL}; a missing one has no
 * faults. Daemons look for it with {@code fault.on=true} alone. For any thread.
 */
public final class FaultFile {
    /** Name of the file in a datanode's home. */
    public static final String NAME = "FAULTS";

    private static final Duration INTERVAL = Duration.ofMillis(50);
    private static final int WORDS = 3;

    private final Path file;
    private final Clock clock;
    private volatile Known known;

    /** Kind of fault. */
    public enum Kind {
        /** Calls do not return while it lasts. */
        HANG,
        /** Each call takes longer. */
        SLOW,
        /** Reads fail. */
        READ_ERRORS,
        /** Writes find no room. */
        FULL
    }

    /**
     * A fault of one volume.
     *
     * @param millis that a call takes longer, of {@link Kind#SLOW}
     */
    public record Fault(Kind kind, long millis, Path volume) {}

    private record Known(long readNanos, List<Fault> faults) {}

    /** @param home of the datanode */
    public FaultFile(Path home, Clock clock) {
        this.file = home.resolve(NAME);
        this.clock = clock;
        this.known = new Known(clock.nanos(), read(file));
    }

    /** The fault of a volume. */
    Optional<Fault> of(Path volume) {
        Known now = known;
        if (clock.nanos() - now.readNanos() >= INTERVAL.toNanos()) {
            now = new Known(clock.nanos(), read(file));
            known = now;
        }
        return now.faults().stream()
                .filter(fault -> fault.volume().equals(volume))
                .findFirst();
    }

    /** Faults in a file; none when it does not exist. */
    public static List<Fault> read(Path file) {
        try {
            List<Fault> faults = new ArrayList<>();
            for (String line : Files.readAllLines(file)) {
                String[] words = line.split(" ", WORDS);
                faults.add(new Fault(Kind.valueOf(words[0]), Long.parseLong(words[1]), Path.of(words[2])));
            }
            return faults;
        } catch (NoSuchFileException undone) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Replaces the faults of a datanode in one step; none deletes the file. */
    public static void write(Path home, List<Fault> faults) throws IOException {
        Path file = home.resolve(NAME);
        if (faults.isEmpty()) {
            Files.deleteIfExists(file);
            return;
        }
        Path next = home.resolve(NAME + ".next");
        Files.write(
                next,
                faults.stream()
                        .map(fault -> fault.kind() + " " + fault.millis() + " " + fault.volume())
                        .toList());
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
