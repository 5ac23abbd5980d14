package io.ecfs.layout;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** The number of a file or directory; it survives renames. The root is 1. */
public record InodeId(@JsonValue long value) implements Comparable<InodeId> {
    public static final InodeId ROOT = new InodeId(1);

    @JsonCreator
    public InodeId {
        if (value <= 0) {
            throw new IllegalArgumentException("inode id must be positive: " + value);
        }
    }

    @Override
    public int compareTo(InodeId other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return "i" + value;
    }
}
