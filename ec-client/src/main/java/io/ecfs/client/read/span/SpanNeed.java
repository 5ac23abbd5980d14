package io.ecfs.client.read.span;

import io.ecfs.client.access.CostSnapshot;
import io.ecfs.client.health.SourceStates;
import io.ecfs.client.location.Segment;
import io.ecfs.client.plan.Standing;
import io.ecfs.client.read.span.Span.Range;
import io.ecfs.code.ChunkSet;
import io.ecfs.code.ErasureCode;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.plan.BlockNeed;
import io.ecfs.plan.Candidate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The need of a span, in the terms of the cost model: any k chunks of its columns, or the data chunks that have the
 * wanted bytes when those are fewer. Chunks that store nothing there are zeros, cost nothing, and make the others
 * fewer.
 */
public final class SpanNeed {
    /** Cost of the decode of one chunk: the step to a worker, and then each byte. */
    private static final double DECODE_NANOS = 30_000;

    private static final double DECODE_NANOS_PER_BYTE = 0.5;

    private SpanNeed() {}

    /** The need of file bytes [from, to), one span of a segment that has no tail; the rest as below. */
    public static Optional<BlockNeed> of(
            Segment segment,
            long from,
            long to,
            ErasureCode code,
            SourceStates sources,
            boolean lateBinding,
            int beyond) {
        Span span = new Span(segment.layout(), from + segment.shift(), to + segment.shift());
        return of(span, segment.group(), code, sources, lateBinding, beyond);
    }

    /**
     * The need of a span.
     *
     * @param lateBinding whether more is asked than suffices, of whole columns: then the data chunks with the wanted
     *     bytes are no way by themselves
     * @param beyond chunks that are needed beyond those that suffice
     * @return empty for codes that do not decode from any k chunks, and where nothing is stored: there is nothing to
     *     weigh
     */
    static Optional<BlockNeed> of(
            Span span, LocatedGroup group, ErasureCode code, SourceStates sources, boolean lateBinding, int beyond) {
        if (!code.spec().decodesFromAny()) {
            return Optional.empty();
        }
        Range columns = span.columns();
        int zeros = 0;
        List<Candidate> candidates = new ArrayList<>();
        for (int index = 0; index < code.chunks(); index++) {
            if (!span.hasStored(index, columns)) {
                zeros++;
                continue;
            }
            Optional<ChunkLocation> location = group.chunk(index);
            Standing standing = sources.of(index);
            if (location.isPresent() && standing != Standing.FAILED) {
                int bytes = span.stored(index, columns).bytes();
                int site = CostSnapshot.site(location.get().volume(), standing == Standing.WRITING);
                double decode = index < code.dataChunks() ? 0 : DECODE_NANOS + DECODE_NANOS_PER_BYTE * bytes;
                candidates.add(new Candidate(index, site, bytes, decode + doubt(standing)));
            }
        }
        int least = code.dataChunks() - zeros + beyond;
        ChunkSet direct = !lateBinding && span.wanted().size() < least
                ? ChunkSet.of(span.wanted().keySet())
                : ChunkSet.empty();
        return least < 1 ? Optional.empty() : Optional.of(new BlockNeed(least, direct, candidates));
    }

    /**
     * Nanoseconds that it is worth to go round a chunk in this standing: about what it costs to find out that it does
     * not answer.
     */
    private static double doubt(Standing standing) {
        return switch (standing) {
            case AT_HAND, LIVE, PASSED_OVER -> 0;
            case TURNING -> 2_000_000;
            case WRITING -> 0; // a site of its own, with measured costs
            case SLOW -> 50_000_000;
            case SUSPECTED, LATE -> 1_000_000_000;
            case DOUBTFUL, FAILED -> 10_000_000_000.0;
        };
    }
}
