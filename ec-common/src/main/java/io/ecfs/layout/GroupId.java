package io.ecfs.layout;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** The number of a block group: unique in a cluster for ever, given by the namenode's log in growing order from 1. */
public record GroupId(@JsonValue long value) implements Comparable<GroupId> {
    @JsonCreator
    public GroupId {
        if (value <= 0) {
            throw new IllegalArgumentException("group id must be positive: " + value);
        }
    }

    @Override
    public int compareTo(GroupId other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return "g" + value;
    }
}
