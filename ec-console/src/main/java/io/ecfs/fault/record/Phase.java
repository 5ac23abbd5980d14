package io.ecfs.fault.record;

/**
 * The phases from an injected fault to a healed cluster. ECFault (Han et al., HotStorage 2024, section 4.3) has two,
 * before and after the first byte is read, and counts the waiting to the checking.
 */
public enum Phase {
    /** Until a datanode is suspected, or a loss is found. */
    NOTICE,
    /** Until it counts as dead: it might come back. */
    GRACE,
    /** Until the first byte of a source is read. */
    CHECKING,
    /** Until the last rebuilt chunk took its place. */
    RECOVERY,
    /** Until no chunk is lost any more, as the cluster sees it. */
    SETTLING
}
