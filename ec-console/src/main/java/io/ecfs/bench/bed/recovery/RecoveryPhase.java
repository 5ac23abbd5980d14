package io.ecfs.bench.bed.recovery;

/** Parts of the time from the deaths until nothing is lost any more, in order. */
public enum RecoveryPhase {
    /** Until the first datanode is suspected. */
    NOTICE,
    /** Until one is dead: it might have come back. */
    GRACE,
    /** Until the first target begins to read. */
    CHECKING,
    /** Until the last chunk has its place. */
    RECOVERY,
    /** Until the incidents are healed. */
    SETTLING
}
