package io.ecfs.message;

/** State of a volume. */
public enum VolumeState {
    HEALTHY,
    /** Serves reads, takes no new chunk: no room. */
    FULL,
    /** Serves reads, takes no change: its chunks are to lie elsewhere. */
    READ_ONLY,
    /**
     * An I/O failed: it is out until an operator replaces it. What can still be read of it is read when nothing else
     * helps.
     */
    FAILED,
    /**
     * Only in reports of a namenode that does not hear of the volume, lately or since its start; no datanode says it.
     */
    UNKNOWN
}
