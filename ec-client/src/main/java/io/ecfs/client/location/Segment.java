package io.ecfs.client.location;

import io.ecfs.env.Clock;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.namespace.LocatedGroup;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A stretch of a file with the group that holds it.
 *
 * @param group of a hole one that does not exist, without chunks
 * @param source gives the bytes in place of the group's chunks; empty: they are in cells of the chunks
 */
public record Segment(Extent extent, LocatedGroup group, GroupLayout layout, Optional<ByteSource> source) {
    /** No cluster allocates it. */
    private static final GroupId NOWHERE = GroupId.of(GroupId.MAX_EPOCH, GroupId.MAX_NUMBER);

    /** A token is asked for anew this long before it expires. */
    private static final long TOKEN_MARGIN_MILLIS = 60_000;

    public Segment {
        Objects.requireNonNull(extent, "extent");
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(layout, "layout");
        Objects.requireNonNull(source, "source");
    }

    public static Segment of(Extent extent, LocatedGroup group) {
        return new Segment(extent, group, new GroupLayout(group.policy(), group.length()), Optional.empty());
    }

    /** Bytes [from, to) of a file that were never written: zeros. */
    public static Segment hole(long from, long to, Policy policy) {
        BlockToken none =
                new BlockToken(NOWHERE, Stamp.NONE, BlockToken.Right.READ, 0, 0, new byte[BlockToken.SIGNATURE_BYTES]);
        return new Segment(
                new Extent(from, to - from, NOWHERE, 0),
                new LocatedGroup(NOWHERE, policy, 0, List.of(), none),
                new GroupLayout(policy, 0),
                Optional.of((begin, end) -> CompletableFuture.completedFuture(new byte[Math.toIntExact(end - begin)])));
    }

    /** Returns whether its token can be used for a while. */
    boolean tokenLasts(Clock clock) {
        long expires = group.token().expiresAtMillis();
        return expires <= 0 || expires - TOKEN_MARGIN_MILLIS > clock.epochMillis();
    }

    public boolean hole() {
        return group.group().equals(NOWHERE);
    }

    /** Its part in [from, to) of the file, which it must have a byte of. */
    public Segment within(long from, long to) {
        long begin = Math.max(from, extent.fileOffset());
        long end = Math.min(to, extent.fileEnd());
        return new Segment(extent.part(begin - extent.fileOffset(), end - begin), group, layout, source);
    }

    /** The same bytes at another place of a file. */
    Segment at(long fileOffset) {
        return new Segment(extent.at(fileOffset), group, layout, source);
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
                        source));
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
