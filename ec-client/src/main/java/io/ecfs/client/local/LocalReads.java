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
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.transfer.ChunkBytes;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.wire.Futures;
import io.ecfs.wire.ThisMachine;
import io.ecfs.wire.file.FileReceiver;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads chunks from their files where their datanode is on this machine and shows them, all others over the network.
 * The first read of a chunk never waits for that: a file is worth opening only for a chunk that is read again
 * ({@link KnownChunks}).
 *
 * <p>A file that does not give the chunk's bytes changes nothing for the reader: the datanode is asked for them, and
 * has the last word on what is wrong. Safe for use by several threads.
 */
public final class LocalReads implements ChunkSource, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LocalReads.class);

    /** For a datanode of this machine to open two files, behind what waits for the disk. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /**
     * Refusals of one chunk, after which its datanode may show others: the chunk is still being written, or the token
     * opens a part of it.
     */
    private static final Set<ErrorCode> OF_THE_CHUNK = Set.of(
            ErrorCode.CHUNK_MISSING, ErrorCode.CHUNK_CORRUPT, ErrorCode.CHUNK_INCOMPLETE, ErrorCode.TOKEN_REFUSED);

    private final ChunkSource network;
    private final ChunkClient datanodes;
    private final Workers disk;
    private final BufferPool buffers;
    private final Optional<FileReceiver> receiver;
    private final Neighbours neighbours;
    private final KnownChunks chunks;
    private final Cancellable sweeping;
    private final LongAdder bytesRead = new LongAdder();

    /**
     * @param receiver gets files from datanodes of other users; empty: what cannot be opened here is read over the
     *     network
     * @param disk where files are opened and read; closed here
     * @param buffers lend memory for the bytes
     */
    public LocalReads(
            ChunkSource network,
            ChunkClient datanodes,
            Optional<FileReceiver> receiver,
            LocalConfig config,
            Clock clock,
            Scheduler scheduler,
            Workers disk,
            BufferPool buffers) {
        this.network = network;
        this.datanodes = datanodes;
        this.receiver = receiver;
        this.disk = disk;
        this.buffers = buffers;
        this.neighbours = new Neighbours(clock);
        this.chunks = new KnownChunks(config, clock);
        this.sweeping = scheduler.scheduleWithFixedDelay(config.idle(), config.idle(), chunks::closeIdle);
    }

    @Override
    public CompletableFuture<ChunkBytes> read(ChunkRead read) {
        Optional<LocalChunk> files = files(read.location(), read.token());
        return files.isPresent() ? read(files.get(), read) : network.read(read);
    }

    @Override
    public List<CompletableFuture<ChunkBytes>> readAll(List<ChunkRead> reads) {
        List<CompletableFuture<ChunkBytes>> results = new ArrayList<>(reads.size());
        List<ChunkRead> remote = new ArrayList<>();
        for (ChunkRead read : reads) {
            Optional<LocalChunk> files = files(read.location(), read.token());
            if (files.isPresent()) {
                results.add(read(files.get(), read));
            } else {
                results.add(null); // set below
                remote.add(read);
            }
        }
        Iterator<CompletableFuture<ChunkBytes>> others = network.readAll(remote).iterator();
        results.replaceAll(result -> result == null ? others.next() : result);
        return results;
    }

    /** A chunk's files when they are open; asks for them when they are worth opening. */
    private Optional<LocalChunk> files(ChunkLocation location, BlockToken token) {
        if (!neighbours.possible(location.address())) {
            return Optional.empty();
        }
        KnownChunks.Use use = chunks.use(location.chunk(), token.stamp());
        if (use.ask()) {
            find(location, token);
        }
        return use.files();
    }

    private CompletableFuture<ChunkBytes> read(LocalChunk files, ChunkRead wanted) {
        CompletableFuture<ChunkBytes> result = new CompletableFuture<>();
        disk.submit(() -> files.read(wanted.offset(), wanted.bytes(), buffers)).whenComplete((read, failure) -> {
            if (failure == null) {
                bytesRead.add(wanted.bytes());
                if (!result.complete(read)) {
                    read.close();
                }
            } else {
                abandon(wanted.location().chunk(), files, failure);
                ask(wanted, result);
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
        sweeping.cancel();
        disk.close();
        chunks.close();
    }

    private void find(ChunkLocation location, BlockToken token) {
        disk.submit(() -> ThisMachine.has(location.address()))
                .thenCompose(here -> here
                        ? datanodes.findLocally(location.address(), location.chunk(), location.volume(), token)
                        : CompletableFuture.failedFuture(
                                new EcfsException(ErrorCode.UNSUPPORTED, location.address() + " is another machine")))
                .thenCompose(shown -> open(shown, location, token))
                .whenComplete((files, failure) -> {
                    if (failure == null) {
                        chunks.opened(location.chunk(), files);
                    } else {
                        refused(location, EcfsException.of(failure));
                    }
                });
    }

    /** By their names, as a process of the datanode's own user can; else from the datanode. */
    private CompletableFuture<LocalChunk> open(ChunkReply.LocalFiles shown, ChunkLocation location, BlockToken token) {
        CompletableFuture<LocalChunk> byName = disk.submit(() -> LocalChunk.open(shown));
        if (receiver.isEmpty() || shown.socket().isEmpty()) {
            return byName;
        }
        return byName.exceptionallyCompose(noWay -> receiver.get()
                .ask(
                        Path.of(shown.socket().get()),
                        new ChunkRequest.FindLocally(location.chunk(), location.volume(), token),
                        PATIENCE)
                .thenApply(files -> LocalChunk.of(shown, files)));
    }

    private void refused(ChunkLocation location, EcfsException reason) {
        LOG.debug(
                "event=no_local_read chunk={} at={} reason=\"{}\"",
                location.chunk(),
                location.address(),
                reason.getMessage());
        if (!OF_THE_CHUNK.contains(reason.code())) {
            neighbours.isNone(location.address());
        }
        chunks.refused(location.chunk(), reason.getMessage());
    }

    private void abandon(ChunkId chunk, LocalChunk files, Throwable failure) {
        if (failure instanceof ClosedChannelException
                || EcfsException.of(failure).code() == ErrorCode.BUSY) {
            return; // closed for want of use, or no thread free: nothing is wrong with the file
        }
        LOG.warn("event=local_read_failed chunk={} error=\"{}\" note=read_over_the_network", chunk, failure.toString());
        chunks.unusable(chunk, files, failure.toString());
    }

    private void ask(ChunkRead wanted, CompletableFuture<ChunkBytes> result) {
        if (result.isDone()) {
            return;
        }
        Futures.join(network.read(wanted), result, ChunkBytes::close);
    }
}
