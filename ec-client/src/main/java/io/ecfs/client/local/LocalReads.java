package io.ecfs.client.local;

import io.ecfs.buffer.BufferPool;
import io.ecfs.client.base.ChunkSource;
import io.ecfs.client.base.LocalConfig;
import io.ecfs.env.Cancellable;
import io.ecfs.env.Clock;
import io.ecfs.env.Scheduler;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.BlockToken;
import io.ecfs.message.ChunkLocation;
import io.ecfs.message.ChunkReply;
import io.ecfs.transfer.ChunkBytes;
import io.ecfs.transfer.ChunkClient;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads chunks from their files where their datanode is on this machine and shows them, all others over the network. The first read of a
 * chunk never waits for that: a file is worth opening only for a chunk that is read again.
 *
 * <pre>
 *   unknown --read--&gt; SEEN --read--&gt; ASKED --shown and opened--&gt; OPEN --idle, or crowded out--&gt; unknown
 *                                     `--refused--&gt; CLOSED &lt;--unreadable, checksum differs--'
 * </pre>
 *
 * A file that does not give the chunk's bytes changes nothing for the reader: the datanode is asked for them, and has the last word on
 * what is wrong. Safe for use by several threads.
 */
public final class LocalReads implements ChunkSource, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LocalReads.class);

    private enum State {
        SEEN,
        ASKED,
        OPEN,
        CLOSED
    }

    private static final class Known {
        private State state = State.SEEN;
        private LocalChunk files; // of an open one
        private long usedAt;

        Known(long now) {
            usedAt = now;
        }
    }

    private final ChunkSource network;
    private final ChunkClient datanodes;
    private final LocalConfig config;
    private final Clock clock;
    private final Workers disk;
    private final BufferPool buffers;
    private final Neighbours neighbours;
    private final Cancellable sweeping;
    private final LongAdder bytesRead = new LongAdder();
    private final Map<ChunkId, Known> chunks =
            new LinkedHashMap<>(16, 0.75f, true); // guarded by this; eldest use first
    private boolean closed; // guarded by this

    /**
     * @param disk where files are opened and read; closed here
     * @param buffers lend memory for the bytes
     */
    public LocalReads(
            ChunkSource network,
            ChunkClient datanodes,
            LocalConfig config,
            Clock clock,
            Scheduler scheduler,
            Workers disk,
            BufferPool buffers) {
        this.network = network;
        this.datanodes = datanodes;
        this.config = config;
        this.clock = clock;
        this.disk = disk;
        this.buffers = buffers;
        this.neighbours = new Neighbours(clock);
        this.sweeping = scheduler.scheduleWithFixedDelay(config.idle(), config.idle(), this::closeIdle);
    }

    @Override
    public CompletableFuture<ChunkBytes> read(ChunkLocation location, long offset, int bytes, BlockToken token) {
        if (!neighbours.possible(location.address())) {
            return network.read(location, offset, bytes, token);
        }
        Optional<LocalChunk> files = files(location, token);
        if (files.isEmpty()) {
            return network.read(location, offset, bytes, token);
        }
        CompletableFuture<ChunkBytes> result = new CompletableFuture<>();
        disk.submit(() -> files.get().read(offset, bytes, buffers)).whenComplete((read, failure) -> {
            if (failure == null) {
                bytesRead.add(bytes);
                give(read, result);
            } else {
                giveUp(location.chunk(), files.get(), failure);
                ask(location, offset, bytes, token, result);
            }
        });
        return result;
    }

    /** Bytes that reads asked for and got from files so far. */
    public long bytesRead() {
        return bytesRead.sum();
    }

    @Override
    public void close() {
        List<LocalChunk> open = new ArrayList<>();
        synchronized (this) {
            closed = true;
            chunks.values().forEach(known -> take(known, open));
            chunks.clear();
        }
        sweeping.cancel();
        disk.close();
        open.forEach(LocalReads::closeQuietly);
    }

    /** The chunk's files when they are open; sees to it that they soon are when it is read again. */
    private Optional<LocalChunk> files(ChunkLocation location, BlockToken token) {
        List<LocalChunk> crowdedOut = new ArrayList<>();
        boolean find = false;
        Optional<LocalChunk> files = Optional.empty();
        synchronized (this) {
            if (closed) {
                return Optional.empty();
            }
            Known known = chunks.get(location.chunk());
            if (known == null) {
                chunks.put(location.chunk(), new Known(clock.nanos()));
                crowdOut(crowdedOut);
            } else if (known.state == State.SEEN) {
                known.state = State.ASKED;
                find = true;
            } else if (known.state == State.OPEN) {
                known.usedAt = clock.nanos();
                files = Optional.of(known.files);
            }
        }
        crowdedOut.forEach(LocalReads::closeQuietly);
        if (find) {
            find(location, token);
        }
        return files;
    }

    private void find(ChunkLocation location, BlockToken token) {
        disk.submit(() -> neighbours.sharesThisMachine(location.address()))
                .thenCompose(here -> here
                        ? datanodes.findLocally(location.address(), location.chunk(), location.volume(), token)
                        : CompletableFuture.failedFuture(
                                new EcfsException(ErrorCode.UNSUPPORTED, location.address() + " is another machine")))
                .thenCompose(shown -> disk.submit(() -> open(location, shown)))
                .whenComplete((opened, failure) -> {
                    if (failure != null) {
                        refused(location, EcfsException.of(failure));
                    }
                });
    }

    private Void open(ChunkLocation location, ChunkReply.LocalFiles shown) throws IOException {
        LocalChunk files = LocalChunk.open(shown);
        synchronized (this) {
            Known known = chunks.get(location.chunk());
            if (known != null && known.state == State.ASKED) {
                known.state = State.OPEN;
                known.files = files;
                known.usedAt = clock.nanos();
                return null;
            }
        }
        closeQuietly(files); // nobody reads the chunk any more
        return null;
    }

    private void refused(ChunkLocation location, EcfsException reason) {
        LOG.debug(
                "event=no_local_read chunk={} at={} reason=\"{}\"",
                location.chunk(),
                location.address(),
                reason.getMessage());
        boolean ofThisChunk = reason.code() == ErrorCode.CHUNK_MISSING || reason.code() == ErrorCode.CHUNK_CORRUPT;
        if (!ofThisChunk) {
            neighbours.isNone(location.address());
        }
        synchronized (this) {
            Known known = chunks.get(location.chunk());
            if (known != null) {
                known.state = State.CLOSED;
            }
        }
    }

    private void giveUp(ChunkId chunk, LocalChunk files, Throwable failure) {
        if (failure instanceof ClosedChannelException
                || EcfsException.of(failure).code() == ErrorCode.BUSY) {
            return; // closed for want of use, or no thread free: nothing is wrong with the file
        }
        LOG.warn("event=local_read_failed chunk={} error=\"{}\" note=read_over_the_network", chunk, failure.toString());
        synchronized (this) {
            Known known = chunks.get(chunk);
            if (known != null && known.files == files) {
                known.state = State.CLOSED;
                known.files = null;
            }
        }
        closeQuietly(files);
    }

    private void ask(
            ChunkLocation location, long offset, int bytes, BlockToken token, CompletableFuture<ChunkBytes> result) {
        if (result.isDone()) {
            return;
        }
        CompletableFuture<ChunkBytes> call = network.read(location, offset, bytes, token);
        result.whenComplete((taken, failure) -> {
            if (result.isCancelled()) {
                call.cancel(false);
            }
        });
        call.whenComplete((read, failure) -> {
            if (failure == null) {
                give(read, result);
            } else {
                result.completeExceptionally(EcfsException.of(failure));
            }
        });
    }

    private static void give(ChunkBytes read, CompletableFuture<ChunkBytes> result) {
        if (!result.complete(read)) {
            read.close();
        }
    }

    private void crowdOut(List<LocalChunk> files) {
        Iterator<Known> eldest = chunks.values().iterator();
        while (chunks.size() > config.chunks()) {
            take(eldest.next(), files);
            eldest.remove();
        }
    }

    private void closeIdle() {
        List<LocalChunk> idle = new ArrayList<>();
        long now = clock.nanos();
        synchronized (this) {
            chunks.values().removeIf(known -> {
                boolean unused = known.state != State.ASKED
                        && now - known.usedAt >= config.idle().toNanos();
                if (unused) {
                    take(known, idle);
                }
                return unused;
            });
        }
        idle.forEach(LocalReads::closeQuietly);
    }

    private static void take(Known known, List<LocalChunk> files) {
        if (known.files != null) {
            files.add(known.files);
        }
    }

    private static void closeQuietly(LocalChunk files) {
        try {
            files.close();
        } catch (IOException e) {
            LOG.warn("event=local_close_failed error=\"{}\"", e.toString());
        }
    }
}
