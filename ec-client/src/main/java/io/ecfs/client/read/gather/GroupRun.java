package io.ecfs.client.read.gather;

import io.ecfs.client.location.Locations;
import io.ecfs.client.location.Segment;
import io.ecfs.client.read.span.Span;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Bytes of one group that are read as one span: parts of a file, and what lies between them.
 *
 * @param segment of the group as if it were a file of its own: offsets are those of the group
 * @param parts of the file, in the order of the group
 */
record GroupRun(Segment segment, List<Segment> parts) {
    /** So many bytes more take as long to read as another request, 30 to 70 us with both sides of it. */
    private static final int GAP_BYTES = 32 << 10;

    GroupRun {
        parts = List.copyOf(parts);
    }

    /**
     * Joins segments of a file.
     *
     * @param segments each within a span
     * @param spanBytes of one chunk that are read at once
     */
    static List<GroupRun> of(List<Segment> segments, int spanBytes) {
        Map<GroupId, List<Segment>> byGroup = new LinkedHashMap<>();
        for (Segment segment : segments) {
            byGroup.computeIfAbsent(segment.group().group(), group -> new ArrayList<>())
                    .add(segment);
        }
        List<GroupRun> runs = new ArrayList<>();
        for (List<Segment> ofGroup : byGroup.values()) {
            ofGroup.sort(Comparator.comparingLong(one -> one.extent().groupOffset()));
            join(ofGroup, spanBytes, runs);
        }
        return runs;
    }

    private static void join(List<Segment> ofGroup, int spanBytes, List<GroupRun> runs) {
        int first = 0;
        for (int i = 1; i <= ofGroup.size(); i++) {
            if (i == ofGroup.size() || !joins(ofGroup.get(first), ofGroup.get(i - 1), ofGroup.get(i), spanBytes)) {
                runs.add(of(ofGroup.subList(first, i)));
                first = i;
            }
        }
    }

    private static boolean joins(Segment first, Segment last, Segment next, int spanBytes) {
        return first.source().isEmpty()
                && next.source().isEmpty()
                && next.group().equals(last.group())
                && next.layout().length() == last.layout().length()
                && next.extent().groupOffset() - groupEnd(last) <= GAP_BYTES
                && groupEnd(next) <= Span.end(first.layout(), first.extent().groupOffset(), spanBytes);
    }

    private static GroupRun of(List<Segment> parts) {
        return new GroupRun(whole(parts.get(0), groupEnd(parts.get(parts.size() - 1))), parts);
    }

    /** From where a segment begins in its group to an offset of the group. */
    private static Segment whole(Segment first, long to) {
        long from = first.extent().groupOffset();
        Extent extent = new Extent(from, to - from, first.group().group(), from);
        return new Segment(extent, first.group(), first.layout(), first.source());
    }

    private static long groupEnd(Segment segment) {
        return segment.extent().groupOffset() + segment.extent().length();
    }

    long from() {
        return segment.extent().fileOffset();
    }

    long to() {
        return segment.extent().fileEnd();
    }

    long memoryBytes() {
        return Span.memoryBytes(segment, from(), to());
    }

    /** Where the run is: nowhere else than it was, but for chunks that moved. */
    Locations within(Locations file) {
        return new OfRun(this, file);
    }

    private record OfRun(GroupRun run, Locations file) implements Locations {
        @Override
        public long length() {
            return run.to();
        }

        @Override
        public CompletableFuture<Segment> at(long position) {
            return CompletableFuture.completedFuture(run.segment);
        }

        @Override
        public CompletableFuture<Segment> refreshed(long position) {
            return CompletableFuture.failedFuture(new EcfsException(
                    ErrorCode.GROUP_UNREADABLE,
                    "group " + run.segment.group().group() + " cannot be read at once: part by part instead"));
        }

        @Override
        public CompletableFuture<LocatedGroup> places(long position, LocatedGroup known, ChunkLocation missing) {
            return file.places(run.parts.get(0).extent().fileOffset(), known, missing);
        }
    }
}
