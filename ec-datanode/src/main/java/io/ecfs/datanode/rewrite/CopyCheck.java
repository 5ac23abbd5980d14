package io.ecfs.datanode.rewrite;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeOrder.Rewrite.Group;
import io.ecfs.message.datanode.DatanodeOrder.Rewrite.Range;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the published chunks of a rewrite with its sources, range by range, by the checksums that their datanodes
 * store. Nothing of the copy is used: the offsets in both groups come from the order, so bytes that were taken from, or
 * put to, a wrong place differ. A few ranges at a time; each step begins when the one before has ended.
 */
final class CopyCheck {
    private static final Logger LOG = LoggerFactory.getLogger(CopyCheck.class);

    /** Bytes whose checksums are compared with one another; where they differ is known as closely as this. */
    private static final long SLICE_BYTES = 8L << 20;

    private static final int SLICES_AT_ONCE = 32;

    private final Rewriter shared;
    private final Consumer<BadChunk> badChunks;
    private final Group target;
    private final Map<GroupId, Group> sources;
    private final Iterator<Range> ranges;
    private Optional<Range> left = Optional.empty();

    /**
     * @param order of which all chunks are published
     * @param badChunks receives sources that are corrupt or missing; must not block
     */
    CopyCheck(DatanodeOrder.Rewrite order, Rewriter shared, Consumer<BadChunk> badChunks) {
        Group open = order.target();
        this.shared = shared;
        this.badChunks = badChunks;
        this.target = new Group(open.group(), open.policy(), order.length(), open.chunks(), open.token());
        this.sources = order.sources().stream().collect(Collectors.toMap(Group::group, Function.identity()));
        this.ranges = order.ranges().iterator();
    }

    /** A range, or a part of one, in both groups. */
    private record Slice(Range range, RangeChecksum source, RangeChecksum target) {
        long bytesToRead() {
            return source.bytesToRead() + target.bytesToRead();
        }
    }

    /** Completes when all bytes are the same; fails with {@link EcfsException} when they differ or cannot be read. */
    CompletableFuture<Void> run() {
        List<Slice> slices = next();
        if (slices.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return shared.pace()
                .take(slices.stream().mapToLong(Slice::bytesToRead).sum())
                .thenCompose(may -> CompletableFuture.allOf(
                        slices.stream().map(this::compare).toArray(CompletableFuture<?>[]::new)))
                .thenCompose(alike -> run());
    }

    private List<Slice> next() {
        List<Slice> slices = new ArrayList<>();
        while (slices.size() < SLICES_AT_ONCE && (left.isPresent() || ranges.hasNext())) {
            Range range = left.isPresent() ? left.get() : ranges.next();
            long bytes = Math.min(SLICE_BYTES, range.length());
            slices.add(slice(range.part(0, bytes)));
            left = bytes == range.length() ? Optional.empty() : Optional.of(range.part(bytes, range.length() - bytes));
        }
        return slices;
    }

    private Slice slice(Range range) {
        Group source = sources.get(range.group());
        return new Slice(
                range,
                new RangeChecksum(source, range.offset(), range.offset() + range.length()),
                new RangeChecksum(target, range.at(), range.end()));
    }

    private CompletableFuture<Void> compare(Slice slice) {
        CompletableFuture<Integer> source = slice.source()
                .compute(
                        shared.client(), (chunk, why) -> BadChunk.of(chunk, why).ifPresent(badChunks));
        CompletableFuture<Integer> copy = slice.target().compute(shared.client(), (chunk, why) -> {});
        return source.thenCombine(copy, Integer::equals)
                .thenCompose(alike -> alike
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(differs(slice.range())));
    }

    private EcfsException differs(Range range) {
        String where = "bytes [" + range.at() + ", " + range.end() + ") of group " + target.group()
                + " are not bytes [" + range.offset() + ", " + (range.offset() + range.length()) + ") of group "
                + range.group() + ", of which they should be a copy";
        LOG.error("event=copy_differs group={} source={} reason=\"{}\"", target.group(), range.group(), where);
        return new EcfsException(ErrorCode.INTERNAL, where + ": the copy is dropped");
    }
}
