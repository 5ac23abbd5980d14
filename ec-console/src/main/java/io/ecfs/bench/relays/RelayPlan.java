package io.ecfs.bench.relays;

import io.ecfs.layout.Policy;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * One run, validated by the constructor.
 *
 * @param writers that each write one file, all at the same time
 * @param fileBytes of a file
 * @param clients that the writers share
 * @param parent of the cluster's directory; empty: where the system has temporary files
 * @param overrides {@code client.}, {@code namenode.} and {@code datanode.} settings
 */
public record RelayPlan(
        Policy policy, int writers, int fileBytes, int clients, Optional<Path> parent, List<String> overrides) {
    /** The master of each case is a datanode of its own, and that of the warm-up. */
    private static final int LEAST_DATANODES = RelayCase.values().length + 1;

    private static final int WARM_UP_WRITERS = 20;

    private static final int MOST_WRITERS = 10_000;
    private static final int MOST_BYTES = 64 << 20;

    /** Of half a file three, so that the first one has been answered when the half is written. */
    private static final int LEAST_STRIPES = 6;

    public RelayPlan {
        overrides = List.copyOf(overrides);
        requireRange("--writers", writers, 1, MOST_WRITERS);
        requireRange("--clients", clients, 1, Math.min(writers, 64));
        requireRange("--file-size", fileBytes, LEAST_STRIPES * policy.stripeBytes(), MOST_BYTES);
        if (policy.chunks() < LEAST_DATANODES) {
            throw new IllegalArgumentException("--policy must have " + LEAST_DATANODES
                    + " chunks or more, since each case and the warm-up have a master of their own; got " + policy);
        }
    }

    /** What is written first: the first files of a JVM take several times as long. */
    RelayPlan warmUp() {
        int some = Math.min(WARM_UP_WRITERS, writers);
        return new RelayPlan(policy, some, fileBytes, Math.min(clients, some), parent, overrides);
    }

    /** Bytes of all files of one case. */
    long bytes() {
        return (long) writers * fileBytes;
    }

    /** Bytes on the disks of the cluster, of all cases. */
    long storedBytes() {
        return LEAST_DATANODES * bytes() * policy.chunks() / policy.dataChunks();
    }

    private static void requireRange(String option, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(option + " must be from " + least + " to " + most + ", got " + value
                    + "; nearest is " + Math.max(least, Math.min(most, value)));
        }
    }
}
