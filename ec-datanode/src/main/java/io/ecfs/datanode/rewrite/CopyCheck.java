package io.ecfs.datanode.rewrite;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeOrder.Rewrite.Group;
import io.ecfs.message.datanode.DatanodeOrder.Rewrite.Range;
import io.ecfs.transfer.ChunkPayload;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the published chunks of a rewrite with its sources by the checksums that their datanodes store, some stripes
 * of the target at a time. It shares no arithmetic with the copying: offsets come from the order, so bytes that were
 * taken from, or put to, a wrong place differ.
 *
 * <pre>
 *   target    whole stripes:  [ a a a 0 | b b b b | b 0 0 0 ]     stored checksums alone
 *   sources                   [ a a a ]0[ b b b b | b ] 0 0 0     what of a window is not in a range is read
 * </pre>
 *
 * Files of a pack end within a window, with zeros behind them: so the rest of that window counts as the file's first,
 * and the end of the file is read only when there is a difference then. A gap of the target with the source's bytes of
 * the same window counts as alike, therefore: these are zeros in packs, and belong to no file in the target. Each step
 * begins when the one before has ended.
 */
final class CopyCheck {
    private static final Logger LOG = LoggerFactory.getLogger(CopyCheck.class);

    /** Bytes of the target that are compared at a time, or a stripe; a difference is known as closely as this. */
    private static final long SLICE_BYTES = 8L << 20;

    private final Rewriter shared;
    private final Consumer<BadChunk> badChunks;
    private final Group target;
    private final Map<GroupId, Group> sources;
    private final List<Range> ranges;
    private final long sliceBytes;
    /** The range that the next slice begins with, or in. */
    private int next;

    /**
     * @param order of which all chunks are published
     * @param badChunks receives sources that are corrupt or missing; must not block
     */
    CopyCheck(DatanodeOrder.Rewrite order, Rewriter shared, Consumer<BadChunk> badChunks) {
        Group open = order.target();
        long stripe = open.policy().stripeBytes();
        this.shared = shared;
        this.badChunks = badChunks;
        this.target = new Group(open.group(), open.policy(), order.length(), open.chunks(), open.token());
        this.sources = order.sourcesById();
        this.ranges = order.ranges();
        this.sliceBytes = Math.max(1, SLICE_BYTES / stripe) * stripe;
    }

    /** Completes when all bytes are the same; fails with {@link EcfsException} when they differ or cannot be read. */
    CompletableFuture<Void> run() {
        return from(0);
    }

    private CompletableFuture<Void> from(long begin) {
        if (begin >= target.length()) {
            return CompletableFuture.completedFuture(null);
        }
        long end = Math.min(begin + sliceBytes, target.length());
        StoredChecksum copy = new StoredChecksum();
        Expected likely;
        Expected exact;
        try {
            copy.add(target, begin, end);
            likely = sources(begin, end, true);
            exact = sources(begin, end, false);
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
        while (next < ranges.size() && ranges.get(next).end() <= end) {
            next++;
        }
        return copy.compute(shared.client(), (chunk, why) -> {})
                .thenCompose(copied -> compare(copied, likely, exact))
                .thenCompose(alike -> alike ? from(end) : CompletableFuture.failedFuture(differs(begin, end)));
    }

    /** @param widened whether it has more of some windows than their ranges */
    private record Expected(StoredChecksum sum, boolean widened) {}

    private CompletableFuture<Boolean> compare(int copied, Expected likely, Expected exact) {
        return checksum(likely.sum())
                .thenCompose(sum -> sum == copied || !likely.widened()
                        ? CompletableFuture.completedFuture(sum == copied)
                        : checksum(exact.sum()).thenApply(read -> read == copied));
    }

    private CompletableFuture<Integer> checksum(StoredChecksum sum) {
        return shared.pace()
                .take(sum.bytesToRead())
                .thenCompose(may -> sum.compute(
                        shared.client(), (chunk, why) -> BadChunk.of(chunk, why).ifPresent(badChunks)));
    }

    /**
     * Bytes [begin, end) of the target as the sources have them.
     *
     * @param widened with the rest of a range's last window, where the target has zeros there
     */
    private Expected sources(long begin, long end, boolean widened) throws EcfsException {
        StoredChecksum sum = new StoredChecksum();
        boolean wider = false;
        long at = begin;
        for (int i = next; i < ranges.size() && ranges.get(i).at() < end; i++) {
            Range range = ranges.get(i);
            Group source = sources.get(range.group());
            long from = Math.max(range.at(), begin);
            long to = Math.min(range.end(), end);
            long follows = i + 1 < ranges.size() ? Math.min(ranges.get(i + 1).at(), end) : end;
            long shift = range.offset() - range.at();
            long rest = widened ? rest(source, to + shift) : 0;
            long more = to + rest <= follows ? rest : 0;
            sum.addZeros(from - at);
            sum.add(source, from + shift, to + shift + more);
            at = to + more;
            wider |= more > 0;
        }
        sum.addZeros(end - at);
        return new Expected(sum, wider);
    }

    /**
     * Bytes of a group from {@code end} on that are in one window with those before; 0 in its tail, where windows begin
     * elsewhere.
     */
    private static long rest(Group group, long end) {
        long behind = end % ChunkPayload.WINDOW_BYTES;
        boolean inTail = end
                > group.length() / group.policy().stripeBytes() * group.policy().stripeBytes();
        return behind == 0 || inTail ? 0 : ChunkPayload.WINDOW_BYTES - behind;
    }

    private EcfsException differs(long begin, long end) {
        String reason = "bytes [" + begin + ", " + end + ") of group " + target.group()
                + " are not those of its sources, of which they should be a copy";
        LOG.error("event=copy_differs group={} reason=\"{}\"", target.group(), reason);
        return new EcfsException(ErrorCode.INTERNAL, reason + ": the copy is dropped");
    }
}
