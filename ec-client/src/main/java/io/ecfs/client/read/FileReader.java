package io.ecfs.client.read;

import io.ecfs.buffer.MemoryBudget;
import io.ecfs.client.base.Await;
import io.ecfs.client.base.CancellationScope;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * A file that is open for reading, at the length it had when it was opened: of a file still being written, all that was
 * acknowledged, and perhaps a little more. Safe for use by several threads; each read is on its own.
 */
public final class FileReader {
    /** Locations fetched with the opening call. */
    private static final long FIRST_LOCATE_BYTES = 8L << 30;

    private final ReadServices services;
    private final MemoryBudget demand;
    private final MemoryBudget ahead;
    private final FileStatus status;
    private final Locations locations;

    private FileReader(
            ReadServices services,
            MemoryBudget demand,
            MemoryBudget ahead,
            NamespaceReply.Located located,
            Locations locations) {
        this.services = services;
        this.demand = demand;
        this.ahead = ahead;
        this.status = located.status();
        this.locations = locations;
    }

    /**
     * Looks a file up.
     *
     * @param demand memory of reads that somebody waits for
     * @param ahead memory of reads ahead of streams
     * @return fails with {@code NOT_FOUND}, {@code IS_A_DIRECTORY}, {@code ACCESS_DENIED}
     */
    public static CompletableFuture<FileReader> open(
            ReadServices services, MemoryBudget demand, MemoryBudget ahead, FilePath path, Lookup namenode) {
        return namenode.locate(new NamespaceRequest.Locate(path, 0, FIRST_LOCATE_BYTES))
                .thenCompose(located -> opened(services, demand, ahead, path, located, namenode));
    }

    /**
     * Looks many files up, by as few calls as possible.
     *
     * @return each as by {@link #open}
     */
    public static Map<FilePath, CompletableFuture<FileReader>> openAll(
            ReadServices services,
            MemoryBudget demand,
            MemoryBudget ahead,
            Collection<FilePath> paths,
            Lookup namenode) {
        Map<FilePath, CompletableFuture<FileReader>> files = new LinkedHashMap<>();
        if (paths.size() == 1) {
            paths.forEach(path -> files.put(path, open(services, demand, ahead, path, namenode)));
        } else {
            ManyOpens.locate(paths, FIRST_LOCATE_BYTES, namenode)
                    .forEach((path, located) -> files.put(
                            path,
                            located.thenCompose(found -> opened(services, demand, ahead, path, found, namenode))));
        }
        return files;
    }

    private static CompletableFuture<FileReader> opened(
            ReadServices services,
            MemoryBudget demand,
            MemoryBudget ahead,
            FilePath path,
            NamespaceReply.Located located,
            Lookup namenode) {
        if (located.status().directory()) {
            return CompletableFuture.failedFuture(
                    new EcfsException(ErrorCode.IS_A_DIRECTORY, path + " is a directory"));
        }
        return Locations.of(path, located, services, namenode)
                .thenApply(locations -> new FileReader(services, demand, ahead, located, locations));
    }

    /** As the namenode knows it: the length of a file still being written is that of its sealed groups. */
    public FileStatus status() {
        return status;
    }

    public long length() {
        return locations.length();
    }

    Locations locations() {
        return locations;
    }

    MemoryBudget demand() {
        return demand;
    }

    /** A stream from the beginning, for one thread at a time. */
    public EcfsInputStream stream() {
        return new EcfsInputStream(this);
    }

    /**
     * Reads file bytes from {@code position} on until the target is full or the file ends, touching only the cells they
     * lie in.
     *
     * @return bytes read; -1 at or behind the end of the file
     * @throws EcfsException {@code GROUP_UNREADABLE} when too few chunks of a group can be had, {@code FILE_CHANGED}
     *     when the file was cut since it was opened and the bytes are gone
     */
    public int read(long position, ByteBuffer target) throws IOException {
        if (position < 0) {
            throw new EcfsException(ErrorCode.INVALID_ARGUMENT, "read of " + status.path() + " at " + position);
        }
        if (position >= length()) {
            return target.hasRemaining() ? -1 : 0;
        }
        int before = target.position();
        try (ReadWindow window = new ReadWindow(this)) {
            long end = Math.min(length(), position + target.remaining());
            for (long at = position; at < end; ) {
                window.readAhead(at, end, services.config().readAheadSpans() + 1);
                try (FileBytes bytes = window.take(at).orElse(null)) {
                    at = copy(bytes, at, end, target);
                }
            }
        }
        return target.position() - before;
    }

    /**
     * As {@link #read}, for callers that must not wait; one span after the other. Cancel to give up.
     *
     * @param target must not be touched until the result is there; not any more when it was cancelled
     */
    public CompletableFuture<Integer> readLater(long position, ByteBuffer target) {
        if (position < 0 || position >= length() || !target.hasRemaining()) {
            return CompletableFuture.completedFuture(position < length() ? 0 : -1);
        }
        int begin = target.position();
        CancellationScope giveUp = new CancellationScope();
        return giveUp.whenCancelled(
                readSpans(position, Math.min(length(), position + target.remaining()), target, giveUp)
                        .thenApply(done -> target.position() - begin));
    }

    /**
     * As {@link #readLater(long, ByteBuffer)} for many stretches at once: their chunks are chosen together, and asked
     * for in as few messages as possible.
     *
     * @param targets memory by the position that it is for; no stretch goes on behind another one's begin. Must not be
     *     touched until its result is there, not any more when that was cancelled, and keep their positions
     * @return bytes read, by position; cancel one to give up its stretch
     */
    public Map<Long, CompletableFuture<Integer>> readLater(SortedMap<Long, ByteBuffer> targets) {
        Map<FileRange, ByteBuffer> ranges = new LinkedHashMap<>();
        targets.forEach((position, target) ->
                ranges.put(new FileRange(status.path(), position, position + target.remaining()), target));
        Iterator<CompletableFuture<Integer>> results =
                JointRead.into(services, this, ranges).iterator();
        Map<Long, CompletableFuture<Integer>> byPosition = new TreeMap<>();
        targets.keySet().forEach(position -> byPosition.put(position, results.next()));
        return byPosition;
    }

    private CompletableFuture<Void> readSpans(long from, long end, ByteBuffer target, CancellationScope giveUp) {
        if (from == end) {
            return CompletableFuture.completedFuture(null);
        }
        return locations
                .at(from)
                .thenCompose(segment -> giveUp.step(fetch(segment, from, end)))
                .thenCompose(bytes -> {
                    try (bytes) {
                        bytes.copyTo(from, target);
                        return readSpans(bytes.to(), end, target, giveUp);
                    }
                });
    }

    private CompletableFuture<FileBytes> fetch(Segment segment, long from, long limit) {
        long to = Math.min(limit, segment.spanEnd(from, services.config().spanBytes()));
        return new SpanFetch(services, locations, demand, from, to).start(segment);
    }

    private long copy(FileBytes ahead, long at, long end, ByteBuffer target) throws IOException {
        if (ahead != null) {
            ahead.copyTo(at, target);
            return ahead.to();
        }
        try (FileBytes bytes = demand(at, end)) {
            bytes.copyTo(at, target);
            return bytes.to();
        }
    }

    /** Waits for bytes from {@code from} on: at most up to {@code limit}, and at most one span. */
    FileBytes demand(long from, long limit) throws IOException {
        CompletableFuture<FileBytes> fetch = fetch(segment(from), from, limit);
        try {
            return Await.result(fetch);
        } catch (IOException e) {
            discard(fetch);
            throw e;
        }
    }

    /** Begins to read one span from {@code from} on; empty when there is no memory for it now. */
    Optional<ReadWindow.Ahead> ahead(long from, long limit) throws IOException {
        Segment segment = segment(from);
        long to = Math.min(limit, segment.spanEnd(from, services.config().spanBytes()));
        long bytes = segment.memoryBytes(from, to);
        if (bytes > ahead.totalBytes() || !ahead.tryAcquire(bytes)) {
            return Optional.empty();
        }
        CompletableFuture<FileBytes> fetch =
                new SpanFetch(services, locations, ahead, from, to).startWith(segment, bytes);
        return Optional.of(new ReadWindow.Ahead(from, to, fetch));
    }

    int readAheadSpans() {
        return services.config().readAheadSpans();
    }

    /** Lets go of a fetch, whatever has become of it. */
    static void discard(CompletableFuture<FileBytes> fetch) {
        if (!fetch.cancel(false)) {
            fetch.whenComplete((bytes, failure) -> {
                if (bytes != null) {
                    bytes.close();
                }
            });
        }
    }

    private Segment segment(long position) throws IOException {
        return Await.result(locations.at(position));
    }
}
