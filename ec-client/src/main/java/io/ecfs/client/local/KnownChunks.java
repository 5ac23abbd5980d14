package io.ecfs.client.local;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.client.base.LocalConfig;
import io.ecfs.env.Clock;
import io.ecfs.error.Invariant;
import io.ecfs.layout.ChunkId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * LRU cache of the chunks that were read, and of the files of those that are open, of configured size. It owns the
 * files and closes those it evicts.
 *
 * <pre>
 *   unknown --read--&gt; SEEN --read--&gt; ASKED --shown and opened--&gt; OPEN --idle, or evicted--&gt; unknown
 *                      |               `--refused--&gt; CLOSED &lt;--unreadable, checksum differs--'
 *                      `-- refused, by an answer to an earlier question --^
 * </pre>
 *
 * Safe for use by several threads; files are opened and closed outside the lock.
 */
final class KnownChunks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KnownChunks.class);

    private enum State {
        SEEN,
        ASKED,
        OPEN,
        CLOSED;

        Set<State> next() {
            return switch (this) {
                case SEEN -> EnumSet.of(ASKED, CLOSED);
                case ASKED -> EnumSet.of(OPEN, CLOSED);
                case OPEN -> EnumSet.of(CLOSED);
                case CLOSED -> EnumSet.noneOf(State.class);
            };
        }
    }

    private static final class Known {
        private final ChunkId chunk;
        private final int stamp;
        private State state = State.SEEN;
        private Optional<LocalChunk> files = Optional.empty(); // of an open chunk
        private long usedAt;

        Known(ChunkId chunk, int stamp, long now) {
            this.chunk = chunk;
            this.stamp = stamp;
            this.usedAt = now;
        }

        void to(State next, String reason) {
            Invariant.check(state.next().contains(next), "chunk %s goes from %s to %s", chunk, state, next);
            LOG.debug("event=local_chunk chunk={} from={} to={} reason=\"{}\"", chunk, state, next, reason);
            state = next;
        }
    }

    /**
     * The way to read a chunk.
     *
     * @param files to read; empty: over the network
     * @param ask whether to request the files for the next reads; true once
     */
    record Use(Optional<LocalChunk> files, boolean ask) {
        private static final Use NETWORK = new Use(Optional.empty(), false);
        private static final Use NETWORK_AND_ASK = new Use(Optional.empty(), true);
    }

    private final LocalConfig config;
    private final Clock clock;

    @GuardedBy("this")
    private final Map<ChunkId, Known> chunks = new LinkedHashMap<>(16, 0.75f, true); // eldest use first

    @GuardedBy("this")
    private boolean closed;

    KnownChunks(LocalConfig config, Clock clock) {
        this.config = config;
        this.clock = clock;
    }

    /**
     * Decides how to read a chunk.
     *
     * @param stamp of its group: files that were opened for another group of that number do not count
     */
    Use use(ChunkId chunk, int stamp) {
        List<LocalChunk> evicted = new ArrayList<>();
        try {
            return use(chunk, stamp, evicted);
        } finally {
            evicted.forEach(KnownChunks::closeQuietly);
        }
    }

    private synchronized Use use(ChunkId chunk, int stamp, List<LocalChunk> evicted) {
        Known known = chunks.get(chunk);
        if (closed) {
            return Use.NETWORK;
        } else if (known == null) {
            chunks.put(chunk, new Known(chunk, stamp, clock.nanos()));
            evict(evicted);
            return Use.NETWORK;
        } else if (known.stamp != stamp) {
            return Use.NETWORK;
        } else if (known.state == State.SEEN) {
            known.to(State.ASKED, "read again");
            return Use.NETWORK_AND_ASK;
        } else if (known.state == State.OPEN) {
            known.usedAt = clock.nanos();
            return new Use(known.files, false);
        }
        return Use.NETWORK;
    }

    /** Takes the requested files; closes them if the chunk was evicted meanwhile. */
    void opened(ChunkId chunk, LocalChunk files) {
        synchronized (this) {
            Known known = chunks.get(chunk);
            if (known != null && known.state == State.ASKED) {
                known.to(State.OPEN, "opened");
                known.files = Optional.of(files);
                known.usedAt = clock.nanos();
                return;
            }
        }
        closeQuietly(files);
    }

    /** Notes that the files of this chunk are not available. */
    synchronized void refused(ChunkId chunk, String reason) {
        Known known = chunks.get(chunk);
        if (known != null && (known.state == State.SEEN || known.state == State.ASKED)) {
            known.to(State.CLOSED, reason);
        }
    }

    /** Closes files that do not have the chunk's bytes; they are not opened again while the chunk is cached. */
    void unusable(ChunkId chunk, LocalChunk files, String reason) {
        synchronized (this) {
            Known known = chunks.get(chunk);
            if (known != null && known.files.equals(Optional.of(files))) {
                known.to(State.CLOSED, reason);
                known.files = Optional.empty();
            }
        }
        closeQuietly(files);
    }

    @GuardedBy("this")
    private void evict(List<LocalChunk> files) {
        Iterator<Known> eldest = chunks.values().iterator();
        while (chunks.size() > config.chunks()) {
            eldest.next().files.ifPresent(files::add);
            eldest.remove();
        }
    }

    /** Evicts chunks that were not read for a while. */
    void closeIdle() {
        List<LocalChunk> idle = new ArrayList<>();
        long now = clock.nanos();
        synchronized (this) {
            chunks.values().removeIf(known -> {
                boolean unused = known.state != State.ASKED
                        && now - known.usedAt >= config.idle().toNanos();
                if (unused) {
                    known.files.ifPresent(idle::add);
                }
                return unused;
            });
        }
        idle.forEach(KnownChunks::closeQuietly);
    }

    /** Evicts all chunks for good. */
    @Override
    public void close() {
        List<LocalChunk> open = new ArrayList<>();
        synchronized (this) {
            closed = true;
            chunks.values().forEach(known -> known.files.ifPresent(open::add));
            chunks.clear();
        }
        open.forEach(KnownChunks::closeQuietly);
    }

    private static void closeQuietly(LocalChunk files) {
        try {
            files.close();
        } catch (IOException e) {
            LOG.warn("event=local_close_failed error=\"{}\"", e.toString());
        }
    }
}
