package io.ecfs.client.read;

import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.LocatedGroup;
import java.util.Objects;

/** A stretch of a file with the group that holds it. */
record Segment(Extent extent, LocatedGroup group, GroupLayout layout) {
    Segment {
        Objects.requireNonNull(extent, "extent");
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(layout, "layout");
    }

    static Segment of(Extent extent, LocatedGroup group) {
        return new Segment(extent, group, new GroupLayout(group.policy(), group.length()));
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
        return Math.min(extent.fileEnd(), Span.end(layout, position + shift(), chunkBytes) - shift());
    }
}
