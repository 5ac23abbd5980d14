package io.ecfs.layout;

import java.util.Objects;
import java.util.Optional;

/**
 * A byte range of a file that lies in a byte range of one group. A file is its extents in order; where they leave a
 * gap, it reads as zeros.
 *
 * @param origin where its first byte was written first, the others behind it, if that is elsewhere: rewriting moves
 *     bytes to other groups, and their encryption keys follow from where they were written. Empty: in this very group,
 *     at this offset
 */
public record Extent(long fileOffset, long length, GroupId group, long groupOffset, Optional<Origin> origin) {
    /** A byte of a group's user bytes. */
    public record Origin(GroupId group, long offset) {
        public Origin {
            Objects.requireNonNull(group, "group");
            if (offset < 0) {
                throw new IllegalArgumentException("negative offset of an origin in " + group);
            }
        }
    }

    public Extent {
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(origin, "origin");
        if (fileOffset < 0 || groupOffset < 0) {
            throw new IllegalArgumentException("negative offset in extent of " + group);
        }
        if (length <= 0) {
            throw new IllegalArgumentException("an extent has at least one byte, got " + length + " in " + group);
        }
        Math.addExact(fileOffset, length);
        Math.addExact(groupOffset, length);
        origin.ifPresent(first -> Math.addExact(first.offset(), length));
    }

    /** Of bytes that lie where they were written. */
    public Extent(long fileOffset, long length, GroupId group, long groupOffset) {
        this(fileOffset, length, group, groupOffset, Optional.empty());
    }

    public long fileEnd() {
        return fileOffset + length;
    }

    /** The same bytes at another place of a file. */
    public Extent at(long newFileOffset) {
        return new Extent(newFileOffset, length, group, groupOffset, origin);
    }

    /** Its bytes from {@code skip} on, so many of them. */
    public Extent part(long skip, long bytes) {
        return new Extent(
                fileOffset + skip,
                bytes,
                group,
                groupOffset + skip,
                origin.map(first -> new Origin(first.group(), first.offset() + skip)));
    }

    /** Returns whether these bytes of the file are a part of it, in the same place of the same group. */
    public boolean contains(Extent other) {
        long skip = other.fileOffset - fileOffset;
        return skip >= 0
                && other.fileEnd() <= fileEnd()
                && part(skip, other.length).equals(other);
    }

    /** Where its first byte was written first. */
    public Origin written() {
        return origin.orElseGet(() -> new Origin(group, groupOffset));
    }

    /** Its first bytes. */
    public Extent first(long bytes) {
        return new Extent(fileOffset, bytes, group, groupOffset, origin);
    }
}
