package io.ecfs.namenode.group;

import io.ecfs.layout.Extent;
import io.ecfs.layout.Extent.Origin;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import java.util.Objects;
import java.util.Optional;

/**
 * Bytes of a file that are rewritten into another group.
 *
 * @param extent a part, or the whole, of one that the file has
 */
public record RewritePiece(InodeId file, Extent extent) {
    public RewritePiece {
        Objects.requireNonNull(file, "file");
        Objects.requireNonNull(extent, "extent");
    }

    /** The same bytes of the file in another group. */
    public Extent in(GroupId group, long groupOffset) {
        return new Extent(extent.fileOffset(), extent.length(), group, groupOffset, Optional.of(extent.written()));
    }

    /** Returns whether the next bytes of the same file are those of {@code next}. */
    boolean continuedBy(RewritePiece next) {
        return next.file().equals(file) && next.extent().fileOffset() == extent.fileEnd();
    }

    /** In entries and rows: number inode, file offset, length, group, group offset, group of the origin (0: none). */
    public static void write(RowWriter out, RewritePiece piece) {
        out.number(piece.file().value());
        write(out, piece.extent());
    }

    public static RewritePiece read(RowReader in) {
        return new RewritePiece(new InodeId(in.number()), readExtent(in));
    }

    /** In entries and rows, as the extent of a piece. */
    public static void write(RowWriter out, Extent extent) {
        out.number(extent.fileOffset())
                .number(extent.length())
                .number(extent.group().value())
                .number(extent.groupOffset())
                .number(extent.origin().map(origin -> origin.group().value()).orElse(0L));
        extent.origin().ifPresent(origin -> out.number(origin.offset()));
    }

    public static Extent readExtent(RowReader in) {
        return new Extent(in.number(), in.number(), new GroupId(in.number()), in.number(), origin(in, in.number()));
    }

    private static Optional<Origin> origin(RowReader in, long group) {
        return group == 0 ? Optional.empty() : Optional.of(new Origin(new GroupId(group), in.number()));
    }
}
