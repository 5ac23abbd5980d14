package io.ecfs.namenode.log.ratis;

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
 * the newest is kept, and beside them those that somebody downloads, each for a bounded time. A checkpoint appears
 * under its name only when it is complete. Safe for use by many threads.
 */
final class Checkpoints {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
    private static final Pattern NAME = Pattern.compile("checkpoint-(\\d+)-(\\d+)");
    private static final String UNFINISHED = "unfinished";

    /** A complete checkpoint. */
    record Checkpoint(Path directory, Position position) {
        String name() {
            return directory.getFileName().toString();
        }
    }

    /** Writes the state into a directory that does not exist yet; answers the position that it holds. */
    interface Writer {
        Position write(Path directory) throws IOException;
    }

    /** @param readers downloads that were opened and not closed */
    private record Hold(Checkpoint checkpoint, int readers, long openedNanos, long usedNanos) {}

    private final Path root;
    private final int kept;
    private final Duration idle;
    private final Duration most;
    private final Clock clock;
    /** By index. */
    @GuardedBy("this")
    private final TreeMap<Long, Checkpoint> complete = new TreeMap<>();

    @GuardedBy("this")
    private final Map<String, Hold> held = new HashMap<>();

    /** Opens the directory, creating it when absent, and removes what a crash left unfinished. */
    Checkpoints(Path root, int kept, Duration idle, Duration most, Clock clock) throws IOException {
        this.root = root;
        this.kept = kept;
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

    synchronized Optional<Checkpoint> newest() {
        return complete.isEmpty()
                ? Optional.empty()
                : Optional.of(complete.lastEntry().getValue());
    }

    /**
     * Position of the checkpoint that ends at this index: one on disk, or one that was downloaded from here a moment
     * ago.
     */
    synchronized Optional<Position> at(long index) {
        Checkpoint there = complete.get(index);
        return there != null
                ? Optional.of(there.position())
                : held.values().stream()
                        .map(hold -> hold.checkpoint().position())
                        .filter(position -> position.index() == index)
                        .findFirst();
    }

    /**
     * Makes a checkpoint of the state as it is at {@code now}, or answers the one that is there, and lets old ones go.
     */
    synchronized Checkpoint create(Position now, Writer writer) throws IOException {
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

    /** Holds the newest checkpoint for a download. */
    synchronized Optional<Checkpoint> hold() {
        expire();
        Optional<Checkpoint> newest = newest();
        newest.ifPresent(checkpoint -> {
            long now = clock.nanos();
            Hold before = held.get(checkpoint.name());
            held.put(
                    checkpoint.name(),
                    before == null
                            ? new Hold(checkpoint, 1, now, now)
                            : new Hold(checkpoint, before.readers() + 1, before.openedNanos(), now));
        });
        return newest;
    }

    /** The checkpoint when it is still held; the download goes on being alive. */
    synchronized Optional<Checkpoint> use(String name) {
        expire();
        Hold hold = held.computeIfPresent(
                name, (key, h) -> new Hold(h.checkpoint(), h.readers(), h.openedNanos(), clock.nanos()));
        return Optional.ofNullable(hold).map(Hold::checkpoint);
    }

    /**
     * One download ended. The log behind the checkpoint is still kept until the hold has been idle for its time:
     * whoever installed it now catches up from there.
     */
    synchronized void release(String name) {
        held.computeIfPresent(
                name,
                (key, h) -> new Hold(h.checkpoint(), Math.max(0, h.readers() - 1), h.openedNanos(), clock.nanos()));
        expire();
    }

    /** Index of the oldest checkpoint that is downloaded, or was a moment ago. */
    synchronized OptionalLong downloading() {
        expire();
        return held.values().stream()
                .mapToLong(hold -> hold.checkpoint().position().index())
                .min();
    }

    @GuardedBy("this")
    private void expire() {
        long now = clock.nanos();
        boolean ended = held.values().removeIf(hold -> {
            boolean over = now - hold.usedNanos() >= idle.toNanos() || now - hold.openedNanos() >= most.toNanos();
            if (over && hold.readers() > 0) {
                LOG.warn(
                        "event=checkpoint_download_expired checkpoint={} readers={}",
                        hold.checkpoint().name(),
                        hold.readers());
            }
            return over;
        });
        if (ended) {
            prune();
        }
    }

    @GuardedBy("this")
    private void prune() {
        int surplus = complete.size() - kept;
        for (Iterator<Checkpoint> oldest = complete.values().iterator(); surplus > 0 && oldest.hasNext(); surplus--) {
            Checkpoint checkpoint = oldest.next();
            Hold hold = held.get(checkpoint.name());
            if (hold != null && hold.readers() > 0) {
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
