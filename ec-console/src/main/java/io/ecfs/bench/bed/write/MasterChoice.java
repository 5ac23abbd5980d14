package io.ecfs.bench.bed.write;

import io.ecfs.client.write.route.MasterLoads;

/** The datanode of a group that encodes for a client. */
public enum MasterChoice {
    /** Always the same one, and all groups of a client on the same datanodes, as in the paper. */
    FIXED,
    /** Of two, others for each group, the one that let this client wait less, as in ECFS ({@link MasterLoads}). */
    LESS_LOADED
}
