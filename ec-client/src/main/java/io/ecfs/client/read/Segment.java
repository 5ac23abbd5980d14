package io.ecfs.client.read;

import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.tail.TailReader;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A stretch of a file with the group that holds it.
 *
 * @param tail when its bytes are in tail records, because their stripe is not full yet
 */
record Segment(Extent extent, LocatedGroup group, GroupLayout layout, Optional<TailReader> tail) {
    /** Most bytes of tail records that are read at once. */
    private static final int TAIL_BYTES = 1 << 20;

    Segment {
        Objects.requireNonNull(extent, "extent");
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(layout, "layout");
        Objects.requireNonNull(tail, "tail");
    }

    static Segment of(Extent extent, LocatedGroup group) {
        return new Segment(extent, group, new GroupLayout(group.policy(), group.length()), Optional.empty());
    }

    boolean contains(long from, long to) {
        return extent.fileOffset() <= from && to <= extent.fileEnd();
    }

    /** What is added to a file offset to give the group offset. */
    long shift() {
        return extent.groupOffset() - extent.fileOffset();
    }

    /** File offset where a span that begins at {@code position} ends at the latest. */
    long spanEnd(long position, int chunkBytes) {
        long end =
                tail.isPresent() ? position + TAIL_BYTES : Span.end(layout, position + shift(), chunkBytes) - shift();
        return Math.min(extent.fileEnd(), end);
    }

    /** What reading file bytes [from, to), one span, takes. */
    long memoryBytes(long from, long to) {
        return tail.isPresent() ? to - from : new Span(layout, from + shift(), to + shift()).memoryBytes();
    }

    /** Reads file bytes [from, to), one span; the result counts in group bytes. */
    CompletableFuture<? extends GroupBytes> read(
            ReadServices services, long from, long to, ReadStrategy way, LocationRefresher places) {
        long begin = from + shift();
        long end = to + shift();
        return tail.isPresent()
                ? tail.get().read(begin, end).thenApply(bytes -> new TailBytes(begin, bytes))
                : new SpanRead(services, group, new Span(layout, begin, end), way, places).start();
    }
}
