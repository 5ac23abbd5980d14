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
import java.util.stream.Collectors;

/** The reads of a rewrite's sources, in the order of the bytes. Used by one thread at a time. */
final class SourceParts {
    private final Map<GroupId, Group> groups;
    private final Iterator<Range> ranges;
    private Optional<Range> left = Optional.empty();

    SourceParts(DatanodeOrder.Rewrite order) {
        this.groups = order.sources().stream().collect(Collectors.toMap(Group::group, group -> group));
        this.ranges = order.ranges().iterator();
    }

    /** Bytes of one cell of a source. */
    record Part(ChunkLocation chunk, ChunkRequest.ReadChunk read) {}

    /**
     * The next parts: of one range, and at most so many bytes and as many cells as a stripe of its group has.
     *
     * @return none when there are no more
     * @throws EcfsException {@code GROUP_UNREADABLE} when a source has no chunk for one of them
     */
    List<Part> next(long mostBytes) throws EcfsException {
        if (left.isEmpty() && ranges.hasNext()) {
            left = Optional.of(ranges.next());
        }
        if (left.isEmpty()) {
            return List.of();
        }
        Range range = left.get();
        Group group = group(range);
        long bytes = Math.min(Math.min(mostBytes, group.policy().stripeBytes()), range.length());
        left = range.length() == bytes
                ? Optional.empty()
                : Optional.of(new Range(range.group(), range.offset() + bytes, range.length() - bytes));
        List<Part> parts = new ArrayList<>();
        for (CellRange cell :
                new GroupLayout(group.policy(), group.length()).cells(range.offset(), range.offset() + bytes)) {
            parts.add(part(group, cell));
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
        ChunkLocation chunk = group.chunks().stream()
                .filter(location -> location.chunk().index() == cell.chunkIndex())
                .findFirst()
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.GROUP_UNREADABLE,
                        "chunk " + cell.chunkIndex() + " of " + group.group() + " has no place at present"));
        return new Part(
                chunk,
                new ChunkRequest.ReadChunk(
                        chunk.chunk(), chunk.volume(), cell.chunkOffset(), cell.bytes(), group.token()));
    }
}
