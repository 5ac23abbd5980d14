package io.ecfs.datanode.store;

import io.ecfs.env.Clock;
import java.util.Objects;

/**
 * On what terms a volume is opened.
 *
 * @param reserveBytes with less free than this no new chunk is taken
 * @param readErrors what it may lose before it counts as failed
 * @param clock of the period of {@code readErrors}
 * @param mayFormat whether an empty directory becomes a new volume
 */
public record VolumeTerms(long reserveBytes, ReadErrorAllowance readErrors, Clock clock, boolean mayFormat) {
    public VolumeTerms {
        Objects.requireNonNull(readErrors, "readErrors");
        Objects.requireNonNull(clock, "clock");
    }

    /** An empty directory becomes a volume, and read errors count for as long as the process lives. */
    static VolumeTerms usual(long reserveBytes) {
        Clock standing = new Clock() {
            @Override
            public long nanos() {
                return 0;
            }

            @Override
            public long epochMillis() {
                return 0;
            }
        };
        return new VolumeTerms(reserveBytes, ReadErrorAllowance.USUAL, standing, true);
    }
}
