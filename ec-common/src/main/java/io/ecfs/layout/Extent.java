package io.ecfs.layout;

import java.util.Objects;

/** A byte range of a file that lies in a byte range of one group. A file is its extents in order, without holes. */
public record Extent(long fileOffset, long length, GroupId group, long groupOffset) {
    public Extent {
        Objects.requireNonNull(group, "group");
        if (fileOffset < 0 || groupOffset < 0) {
            throw new IllegalArgumentException("negative offset in extent of " + group);
        }
        if (length <= 0) {
            throw new IllegalArgumentException("an extent has at least one byte, got " + length + " in " + group);
        }
        Math.addExact(fileOffset, length);
        Math.addExact(groupOffset, length);
    }

    public long fileEnd() {
        return fileOffset + length;
    }
}
