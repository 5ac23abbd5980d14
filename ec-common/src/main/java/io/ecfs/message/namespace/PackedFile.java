package io.ecfs.message.namespace;

import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A small file and where in the groups of a pack its bytes are.
 *
 * @param pieces its bytes from the first on, at least one piece
 */
public record PackedFile(InodeId file, List<Piece> pieces) {
    /** Bytes [offset, offset + length) of a group, at least one. */
    public record Piece(GroupId group, long offset, long length) {
        public Piece {
            Objects.requireNonNull(group, "group");
            if (offset < 0 || length <= 0) {
                throw new IllegalArgumentException(
                        "no piece of " + group + " has " + length + " bytes from " + offset + " on");
            }
        }
    }

    public PackedFile {
        Objects.requireNonNull(file, "file");
        pieces = List.copyOf(pieces);
        if (pieces.isEmpty()) {
            throw new IllegalArgumentException("file " + file + " has no bytes to pack");
        }
    }

    public long length() {
        return pieces.stream().mapToLong(Piece::length).sum();
    }

    /** The pieces as extents of the file. */
    public List<Extent> extents() {
        List<Extent> extents = new ArrayList<>();
        long end = 0;
        for (Piece piece : pieces) {
            extents.add(new Extent(end, piece.length(), piece.group(), piece.offset()));
            end += piece.length();
        }
        return extents;
    }
}
