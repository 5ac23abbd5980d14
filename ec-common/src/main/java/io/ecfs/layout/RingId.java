package io.ecfs.layout;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * The number of a ring of volumes that take turns in writing, from 1. A group in a ring has chunks on volumes of it
 * only.
 */
public record RingId(@JsonValue int value) implements Comparable<RingId> {
    @JsonCreator
    public RingId {
        if (value <= 0) {
            throw new IllegalArgumentException("ring id must be positive: " + value);
        }
    }

    @Override
    public int compareTo(RingId other) {
        return Integer.compare(value, other.value);
    }

    @Override
    public String toString() {
        return "r" + value;
    }
}
