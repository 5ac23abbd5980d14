package io.ecfs.namenode.log.ratis.checkpoint;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.env.Clock;
import io.ecfs.env.real.DirectoryTree;
import io.ecfs.namenode.log.ReplicatedState.Position;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checkpoints of the state on this namenode's disk: directories {@code checkpoint-TERM-INDEX}. A bounded number of
 * the newest is retained, and beside them those that are being downloaded, each for a bounded time. A checkpoint
 * appears under its name only when it is complete. Safe for use by many threads.
 */
public final class Checkpoints {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
    private static final Pattern NAME = Pattern.compile("checkpoint-(\\d+)-(\\d+)");
    private static final String UNFINISHED = "unfinished";

    /** A complete checkpoint. */
    public record Checkpoint(Path directory, Position position) {
        String name() {
            return directory.getFileName().toString();
        }
    }

    /** Writes the state into a directory that does not exist yet; answers the position that it holds. */
    public interface Writer {
        Position write(Path directory) throws IOException;
    }

    /** @param readers downloads that were opened and not closed */
    private record Pin(Checkpoint checkpoint, int readers, long openedNanos, long usedNanos) {}

    private final Path root;
    private final int retained;
    private final Duration idle;
    private final Duration most;
    private final Clock clock;
    /** By index. */
    @GuardedBy("this")
    private final TreeMap<Long, Checkpoint> complete = new TreeMap<>();

    @GuardedBy("this")
    private final Map<String, Pin> pinned = new HashMap<>();

    /** Opens the directory, creating it when absent, and removes what a crash left unfinished. */
    public Checkpoints(Path root, int retained, Duration idle, Duration most, Clock clock) throws IOException {
        this.root = root;
        this.retained = retained;
        this.idle = idle;
        this.most = most;
        this.clock = clock;
        Files.createDirectories(root);
        DirectoryTree.delete(root.resolve(UNFINISHED));
        try (DirectoryStream<Path> found = Files.newDirectoryStream(root)) {
            for (Path directory : found) {
                Matcher name = NAME.matcher(directory.getFileName().toString());
                if (name.matches()) {
                    Position position = new Position(Long.parseLong(name.group(1)), Long.parseLong(name.group(2)));
                    complete.put(position.index(), new Checkpoint(directory, position));
                }
            }
        }
        prune();
    }

    public synchronized Optional<Checkpoint> newest() {
        return complete.isEmpty()
                ? Optional.empty()
                : Optional.of(complete.lastEntry().getValue());
    }

    /**
     * Position of the checkpoint that ends at this index: one on disk, or one that was downloaded from here a moment
     * ago.
     */
    public synchronized Optional<Position> at(long index) {
        Checkpoint there = complete.get(index);
        return there != null
                ? Optional.of(there.position())
                : pinned.values().stream()
                        .map(pin -> pin.checkpoint().position())
                        .filter(position -> position.index() == index)
                        .findFirst();
    }

    /**
     * Makes a checkpoint of the state as it is at {@code now}, or returns the one that exists, and prunes old ones.
     */
    public synchronized Checkpoint create(Position now, Writer writer) throws IOException {
        Checkpoint same = complete.get(now.index());
        if (same != null) {
            return same;
        }
        Path unfinished = root.resolve(UNFINISHED);
        DirectoryTree.delete(unfinished);
        Position position = writer.write(unfinished);
        Path directory = root.resolve("checkpoint-" + position.term() + "-" + position.index());
        DirectoryTree.sync(unfinished);
        Files.move(unfinished, directory, StandardCopyOption.ATOMIC_MOVE);
        DirectoryTree.sync(root);
        Checkpoint made = new Checkpoint(directory, position);
        complete.put(position.index(), made);
        prune();
        return made;
    }

    /** Pins the newest checkpoint for a download. */
    public synchronized Optional<Checkpoint> pin() {
        expire();
        Optional<Checkpoint> newest = newest();
        newest.ifPresent(checkpoint -> {
            long now = clock.nanos();
            Pin before = pinned.get(checkpoint.name());
            pinned.put(
                    checkpoint.name(),
                    before == null
                            ? new Pin(checkpoint, 1, now, now)
                            : new Pin(checkpoint, before.readers() + 1, before.openedNanos(), now));
        });
        return newest;
    }

    /** The checkpoint while it is pinned; extends the pin. */
    synchronized Optional<Checkpoint> use(String name) {
        expire();
        Pin pin = pinned.computeIfPresent(
                name, (key, h) -> new Pin(h.checkpoint(), h.readers(), h.openedNanos(), clock.nanos()));
        return Optional.ofNullable(pin).map(Pin::checkpoint);
    }

    /**
     * Ends one download. The log behind the checkpoint is retained until the pin has been idle for its time, so that
     * the downloader can catch up from there.
     */
    synchronized void release(String name) {
        pinned.computeIfPresent(
                name,
                (key, h) -> new Pin(h.checkpoint(), Math.max(0, h.readers() - 1), h.openedNanos(), clock.nanos()));
        expire();
    }

    /** Index of the oldest checkpoint that is downloaded, or was a moment ago. */
    public synchronized OptionalLong downloading() {
        expire();
        return pinned.values().stream()
                .mapToLong(pin -> pin.checkpoint().position().index())
                .min();
    }

    @GuardedBy("this")
    private void expire() {
        long now = clock.nanos();
        boolean ended = pinned.values().removeIf(pin -> {
            boolean over = now - pin.usedNanos() >= idle.toNanos() || now - pin.openedNanos() >= most.toNanos();
            if (over && pin.readers() > 0) {
                LOG.warn(
                        "event=checkpoint_download_expired checkpoint={} readers={}",
                        pin.checkpoint().name(),
                        pin.readers());
            }
            return over;
        });
        if (ended) {
            prune();
        }
    }

    @GuardedBy("this")
    private void prune() {
        int surplus = complete.size() - retained;
        for (Iterator<Checkpoint> oldest = complete.values().iterator(); surplus > 0 && oldest.hasNext(); surplus--) {
            Checkpoint checkpoint = oldest.next();
            Pin pin = pinned.get(checkpoint.name());
            if (pin != null && pin.readers() > 0) {
                continue;
            }
            try {
                DirectoryTree.delete(checkpoint.directory());
                oldest.remove();
            } catch (IOException e) {
                LOG.warn("event=checkpoint_not_deleted directory={} error={}", checkpoint.directory(), e.toString());
            }
        }
    }
}
