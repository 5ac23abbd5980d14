package io.ecfs.bench.bed.recovery;

/**
 * Datanodes that die, at the same moment. The first is one that has about as many bytes as the mean of all that have
 * any.
 *
 * @param count of datanodes, or of racks
 */
public record Victims(Where where, int count) {
    /** Where the others are. */
    public enum Where {
        /** In the rack of the first. */
        SAME_RACK,
        /** Each in another rack. */
        OTHER_RACKS,
        /** All datanodes of so many racks. */
        WHOLE_RACKS
    }

    public Victims {
        if (count < 1) {
            throw new IllegalArgumentException("at least one dies, got " + count);
        }
    }
}
