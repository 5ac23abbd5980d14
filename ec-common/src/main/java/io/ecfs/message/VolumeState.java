package io.ecfs.message;

/** Whether a volume takes part. */
public enum VolumeState {
    HEALTHY,
    /** Serves reads, takes no new chunk: no room. */
    FULL,
    /** Serves reads, takes no change: its chunks are to lie elsewhere. */
    READ_ONLY,
    /** An I/O failed: it is out until an operator replaces it. */
    FAILED,
    /** Only in reports of a namenode that has not heard of the volume since its start; no datanode says it. */
    UNKNOWN
}
