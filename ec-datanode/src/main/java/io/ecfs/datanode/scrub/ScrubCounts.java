package io.ecfs.datanode.scrub;

/**
 * Counts of the scrubbing of one volume since the start.
 *
 * @param bytes read and compared
 * @param rounds completed
 * @param corrupt chunks found corrupt
 */
public record ScrubCounts(long bytes, long rounds, long corrupt) {
    public static final ScrubCounts NONE = new ScrubCounts(0, 0, 0);
}
