package io.ecfs.datanode.store.ring;

/** Why the device of a volume is written although the volume only reads. */
public enum SpillReason {
    /** A sync of bytes whose journal does not survive the loss of power. */
    VOLATILE_SYNC,
    /** A sync of bytes that came to the device before the volume began to read. */
    LATE_SYNC,
    /** The journal is full. */
    JOURNAL_FULL,
    /** The journal has failed. */
    JOURNAL_FAILED
}
