package io.ecfs.message;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** The number the namenode gave a volume when it first registered; unique in a cluster for ever, from 1. */
public record VolumeId(@JsonValue int value) implements Comparable<VolumeId> {
    @JsonCreator
    public VolumeId {
        if (value <= 0) {
            throw new IllegalArgumentException("volume id must be positive: " + value);
        }
    }

    @Override
    public int compareTo(VolumeId other) {
        return Integer.compare(value, other.value);
    }

    @Override
    public String toString() {
        return "v" + value;
    }
}
