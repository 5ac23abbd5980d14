package io.ecfs.client.location;

import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.tail.TailReader;
import java.util.Objects;
import java.util.Optional;

/**
 * A stretch of a file with the group that holds it.
 *
 * @param tail when its bytes are in tail records, because their stripe is not full yet
 */
public record Segment(Extent extent, LocatedGroup group, GroupLayout layout, Optional<TailReader> tail) {
    public Segment {
        Objects.requireNonNull(extent, "extent");
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(layout, "layout");
        Objects.requireNonNull(tail, "tail");
    }

    public static Segment of(Extent extent, LocatedGroup group) {
        return new Segment(extent, group, new GroupLayout(group.policy(), group.length()), Optional.empty());
    }

    /** The bytes of an extent that lie in this segment of its group, for the extent's file; empty for none. */
    Optional<Segment> of(Extent wanted) {
        long from = Math.max(wanted.groupOffset(), extent.groupOffset());
        long to = Math.min(wanted.groupOffset() + wanted.length(), extent.groupOffset() + extent.length());
        return from >= to
                ? Optional.empty()
                : Optional.of(new Segment(
                        new Extent(wanted.fileOffset() + from - wanted.groupOffset(), to - from, group.group(), from),
                        group,
                        layout,
                        tail));
    }

    public boolean contains(long from, long to) {
        return extent.fileOffset() <= from && to <= extent.fileEnd();
    }

    /** Where the byte at a position of the file was written first. */
    Extent.Origin written(long position) {
        Extent.Origin first = extent.written();
        return new Extent.Origin(first.group(), first.offset() + position - extent.fileOffset());
    }

    /** The group offset minus the file offset of a byte. */
    public long shift() {
        return extent.groupOffset() - extent.fileOffset();
    }
}
