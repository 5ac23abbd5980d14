package io.ecfs.datanode.store.ring.journal;

import io.ecfs.message.ring.RingVolumeStatus;
import java.time.Duration;

/**
 * Bounds of one volume's journal.
 *
 * @param bytes from this size on changes go to the device
 * @param segmentBytes length at which a segment ends
 * @param outlivesPower false for a journal in memory: what must be on disk is drained at once
 */
public record JournalTerms(long bytes, long segmentBytes, boolean outlivesPower) {
    /** Longest delay: below the time after which a writer gives a datanode up. */
    public static final Duration LONGEST_DELAY = Duration.ofSeconds(1);

    public JournalTerms {
        if (bytes < 1 || segmentBytes < 1) {
            throw new IllegalArgumentException("a journal needs room: " + bytes + ", segments of " + segmentBytes);
        }
    }

    /** With segments of the usual length. */
    public static JournalTerms usual(long bytes, boolean outlivesPower) {
        return new JournalTerms(bytes, Journal.SEGMENT_BYTES, outlivesPower);
    }

    /** Used share of so many bytes in the journal. */
    public double used(long bytesUsed) {
        return (double) bytesUsed / bytes;
    }

    /**
     * Delay of an acknowledgement.
     *
     * @param used share of the room for staged changes
     */
    public static Duration delay(double used) {
        double over = (used - RingVolumeStatus.NEARLY_FULL) / (1 - RingVolumeStatus.NEARLY_FULL);
        return Duration.ofNanos((long) (Math.max(0, Math.min(1, over)) * LONGEST_DELAY.toNanos()));
    }
}
