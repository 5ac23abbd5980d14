package io.ecfs.datanode.store;

import java.time.Duration;

/**
 * Number of files of one volume that may be unreadable before the volume counts as failed: a drive with some bad
 * sectors continues, one that loses them by the dozen does not.
 *
 * @param files unreadable files within the period that a volume survives; with 0 the first one fails it
 * @param within the period
 */
public record ReadErrorAllowance(int files, Duration within) {
    /**
     * Many times what a healthy drive shows in a pass over all of it, and far less than a dying head loses in an hour.
     */
    public static final ReadErrorAllowance USUAL = new ReadErrorAllowance(32, Duration.ofHours(1));

    public ReadErrorAllowance {
        if (files < 0 || within.isZero() || within.isNegative()) {
            throw new IllegalArgumentException("store.readErrors.files must not be negative and store.readErrors.within"
                    + " positive, got " + files + " and " + within);
        }
    }
}
