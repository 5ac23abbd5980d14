package io.ecfs.datanode.rewrite;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.CellRange;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeOrder.Rewrite.Group;
import io.ecfs.message.datanode.DatanodeOrder.Rewrite.Range;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The bytes of a rewrite's target in their order: reads of its sources, and zeros. Used by one thread at a time. */
final class SourceParts {
    /** Reads at the same time, but for those of the last range. */
    private static final int MOST_PARTS = 32;

    private final Map<GroupId, Group> groups;
    private final Iterator<Range> ranges;
    private Optional<Range> left = Optional.empty();
    /** Offset in the target of what comes next. */
    private long position;

    SourceParts(DatanodeOrder.Rewrite order) {
        this.groups = order.sourcesById();
        this.ranges = order.ranges().iterator();
    }

    /** A run of bytes of the target. */
    sealed interface Part {
        long bytes();

        /** Of a gap between files. */
        record Zeros(long bytes) implements Part {}

        /** Bytes of one cell of a source. */
        record Cell(ChunkLocation chunk, ChunkRequest.ReadChunk read) implements Part {
            @Override
            public long bytes() {
                return read.bytes();
            }
        }
    }

    /**
     * The next parts: at most so many bytes, and cells; of small files those of several ranges.
     *
     * @return none when there are no more
     * @throws EcfsException {@code GROUP_UNREADABLE} when a source has no chunk for one of them
     */
    List<Part> next(long mostBytes) throws EcfsException {
        List<Part> parts = new ArrayList<>();
        long end = position + mostBytes;
        while (position < end && parts.size() < MOST_PARTS && (left.isPresent() || ranges.hasNext())) {
            Range range = left.isPresent() ? left.get() : ranges.next();
            left = Optional.of(range);
            if (range.at() > position) {
                parts.add(new Part.Zeros(Math.min(range.at(), end) - position));
                position = Math.min(range.at(), end);
                continue;
            }
            Group group = group(range);
            long bytes = Math.min(Math.min(end - position, group.policy().stripeBytes()), range.length());
            left = range.length() == bytes ? Optional.empty() : Optional.of(range.part(bytes, range.length() - bytes));
            for (CellRange cell :
                    new GroupLayout(group.policy(), group.length()).cells(range.offset(), range.offset() + bytes)) {
                parts.add(part(group, cell));
            }
            position += bytes;
        }
        return parts;
    }

    private Group group(Range range) throws EcfsException {
        Group group = groups.get(range.group());
        if (group == null || range.offset() + range.length() > group.length()) {
            throw new EcfsException(ErrorCode.INVALID_ARGUMENT, range + " is in no source of the rewrite");
        }
        return group;
    }

    private static Part part(Group group, CellRange cell) throws EcfsException {
        ChunkLocation chunk = group.chunk(cell.chunkIndex());
        return new Part.Cell(
                chunk,
                new ChunkRequest.ReadChunk(
                        chunk.chunk(), chunk.volume(), cell.chunkOffset(), cell.bytes(), group.token()));
    }
}
