package io.ecfs.bench.bed.write;

/** The datanode of a group that encodes for a client. */
public enum MasterChoice {
    /** Always the same one, and all groups of a client on the same datanodes, as in the paper. */
    FIXED,
    /** Of group g the chunk with index g modulo n. */
    ROTATE,
    /** Of two at random the one that is the master of fewer open groups. */
    TWO
}
