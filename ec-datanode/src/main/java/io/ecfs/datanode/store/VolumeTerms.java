package io.ecfs.datanode.store;

import io.ecfs.env.Clock;
import java.util.Objects;

/**
 * On what terms a volume is opened.
 *
 * @param reserveBytes with less free than this no new chunk is taken, and with less than half of it no bytes either.
 *     Chunks of rewrites may use the reserve: the leader places only those of cleaning there
 * @param readErrors what it may lose before it counts as failed
 * @param clock of the period of {@code readErrors}
 * @param mayFormat whether an empty directory becomes a new volume
 */
public record VolumeTerms(long reserveBytes, ReadErrorAllowance readErrors, Clock clock, boolean mayFormat) {
    public VolumeTerms {
        Objects.requireNonNull(readErrors, "readErrors");
        Objects.requireNonNull(clock, "clock");
    }
}
