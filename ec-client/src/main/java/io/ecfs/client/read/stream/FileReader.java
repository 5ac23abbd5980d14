package io.ecfs.client.read.stream;

import io.ecfs.buffer.MemoryBudget;
import io.ecfs.client.base.CancellationScope;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.location.Locations;
import io.ecfs.client.location.Segment;
import io.ecfs.client.read.batch.FileRange;
import io.ecfs.client.read.batch.JointReads;
import io.ecfs.client.read.batch.ReadableFile;
import io.ecfs.client.read.gather.GatheredReads;
import io.ecfs.client.read.span.FileBytes;
import io.ecfs.client.read.span.Span;
import io.ecfs.client.read.span.SpanFetches;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
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
    private final SpanFetches fetches;
    private final GatheredReads gathered;
    private final JointReads joint;
    private final ClientConfig config;
    private final MemoryBudget demand;
    private final MemoryBudget ahead;
    private final FileStatus status;
    private final Locations locations;
    private final ReadableFile opened = new Opened();
    private final AheadSource source = new Source();

    FileReader(
            SpanFetches fetches,
            GatheredReads gathered,
            JointReads joint,
            ClientConfig config,
            MemoryBudget demand,
            MemoryBudget ahead,
            FileStatus status,
            Locations locations) {
        this.fetches = fetches;
        this.gathered = gathered;
        this.joint = joint;
        this.config = config;
        this.demand = demand;
        this.ahead = ahead;
        this.status = status;
        this.locations = locations;
    }

    /** The status at the namenode: the length of a file still being written is that of its sealed groups. */
    public FileStatus status() {
        return status;
    }

    public long length() {
        return locations.length();
    }

    /** This file, for reads of several ranges. */
    ReadableFile opened() {
        return opened;
    }

    /** A stream from the beginning, for one thread at a time. */
    public EcfsInputStream stream() {
        return new EcfsInputStream(source);
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
        try (ReadWindow window = new ReadWindow(source)) {
            long end = Math.min(length(), position + target.remaining());
            for (long at = position; at < end; ) {
                window.readAhead(at, end, config.readAheadSpans() + 1);
                try (FileBytes bytes = window.take(at).orElse(null)) {
                    at = copy(bytes, at, end, target);
                }
            }
        }
        return target.position() - before;
    }

    /**
     * Reads as {@link #read}, for callers that must not wait; one span after the other. Cancel to give up.
     *
     * @param target must not be touched until the result is there; not any more when it was cancelled
     */
    public CompletableFuture<Integer> readLater(long position, ByteBuffer target) {
        if (position < 0 || position >= length() || !target.hasRemaining()) {
            return CompletableFuture.completedFuture(position < length() ? 0 : -1);
        }
        int begin = target.position();
        CancellationScope cancellation = new CancellationScope();
        return cancellation.whenCancelled(gathered.read(
                        locations, position, Math.min(length(), position + target.remaining()), target, cancellation)
                .thenApply(done -> target.position() - begin));
    }

    /**
     * Reads as {@link #readLater(long, ByteBuffer)} for many stretches at once: their chunks are chosen together, and
     * asked for in as few messages as possible.
     *
     * @param targets memory by the position that it is for; no stretch goes on behind another one's begin. Must not be
     *     touched until its result is there, not any more when that was cancelled, and retain their positions
     * @return bytes read, by position; cancel one to give up its stretch
     */
    public Map<Long, CompletableFuture<Integer>> readLater(SortedMap<Long, ByteBuffer> targets) {
        return byPosition(targets, joint.into(opened, ranges(targets)));
    }

    /** Reads as {@link #readLater(SortedMap)} what is to be written elsewhere: chunks are not chosen together. */
    public Map<Long, CompletableFuture<Integer>> readForCopy(SortedMap<Long, ByteBuffer> targets) {
        return byPosition(targets, joint.intoForCopy(opened, ranges(targets)));
    }

    private Map<FileRange, ByteBuffer> ranges(SortedMap<Long, ByteBuffer> targets) {
        Map<FileRange, ByteBuffer> ranges = new LinkedHashMap<>();
        targets.forEach((position, target) ->
                ranges.put(new FileRange(status.path(), position, position + target.remaining()), target));
        return ranges;
    }

    private static Map<Long, CompletableFuture<Integer>> byPosition(
            SortedMap<Long, ByteBuffer> targets, List<CompletableFuture<Integer>> results) {
        Iterator<CompletableFuture<Integer>> next = results.iterator();
        Map<Long, CompletableFuture<Integer>> byPosition = new TreeMap<>();
        targets.keySet().forEach(position -> byPosition.put(position, next.next()));
        return byPosition;
    }

    private CompletableFuture<FileBytes> fetch(Segment segment, long from, long limit) {
        long to = Math.min(limit, Span.end(segment, from, config.spanBytes()));
        return fetches.fetch(locations, demand, from, to).start(segment);
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

    private FileBytes demand(long from, long limit) throws IOException {
        CompletableFuture<FileBytes> fetch = fetch(segment(from), from, limit);
        try {
            return Await.result(fetch);
        } catch (IOException e) {
            AheadSource.discard(fetch);
            throw e;
        }
    }

    private Optional<AheadSource.Ahead> ahead(long from, long limit) throws IOException {
        Segment segment = segment(from);
        if (gathered.scattered(segment, from, limit)) {
            return gatherAhead(from, gathered.gatheredEnd(from, limit));
        }
        long to = Math.min(limit, Span.end(segment, from, config.spanBytes()));
        long bytes = Span.memoryBytes(segment, from, to);
        if (bytes > ahead.totalBytes() || !ahead.tryAcquire(bytes)) {
            return Optional.empty();
        }
        CompletableFuture<FileBytes> fetch =
                fetches.fetch(locations, ahead, from, to).startWith(segment, bytes);
        return Optional.of(new AheadSource.Ahead(from, to, fetch, false));
    }

    private Optional<AheadSource.Ahead> gatherAhead(long from, long to) {
        return ahead.tryAcquire(to - from)
                ? Optional.of(new AheadSource.Ahead(from, to, gathered.fetch(locations, ahead, from, to), true))
                : Optional.empty();
    }

    private Segment segment(long position) throws IOException {
        return Await.result(locations.at(position));
    }

    /** This file for the reads of several ranges. */
    private final class Opened implements ReadableFile {
        @Override
        public FilePath path() {
            return status.path();
        }

        @Override
        public long length() {
            return locations.length();
        }

        @Override
        public Locations locations() {
            return locations;
        }

        @Override
        public MemoryBudget demand() {
            return demand;
        }

        @Override
        public CompletableFuture<Integer> readLater(long position, ByteBuffer target) {
            return FileReader.this.readLater(position, target);
        }
    }

    /** This file for its streams. */
    private final class Source implements AheadSource {
        @Override
        public String path() {
            return status.path().toString();
        }

        @Override
        public long length() {
            return locations.length();
        }

        @Override
        public int readAheadSpans() {
            return config.readAheadSpans();
        }

        @Override
        public FileBytes demand(long from, long limit) throws IOException {
            return FileReader.this.demand(from, limit);
        }

        @Override
        public Optional<Ahead> ahead(long from, long limit) throws IOException {
            return FileReader.this.ahead(from, limit);
        }
    }
}
