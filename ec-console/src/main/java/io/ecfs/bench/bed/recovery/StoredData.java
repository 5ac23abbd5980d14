package io.ecfs.bench.bed.recovery;

import io.ecfs.layout.Policy;

/**
 * Datanodes, and the files on them.
 *
 * @param racks with {@code datanodesPerRack} datanodes each: the hosts of the ECFault study
 * @param racksKnown the namenode knows them and places the chunks of a group on different ones; otherwise each datanode
 *     is said to be in a rack of its own
 * @param fileBytes of each file, at most one group
 * @param placementSets different sets of datanodes that groups lie on (Ceph's {@code pg_num}); 0: each group has a set
 *     of its own
 */
public record StoredData(
        int racks,
        int datanodesPerRack,
        boolean racksKnown,
        int files,
        long fileBytes,
        Policy policy,
        int placementSets) {
    private static final int MOST_DATANODES = 500;
    private static final int MOST_CHUNKS = 5_000_000;

    public StoredData {
        if (racks < 1 || datanodesPerRack < 1 || racks > MOST_DATANODES / datanodesPerRack) {
            throw new IllegalArgumentException(
                    "a bed has 1 to " + MOST_DATANODES + " datanodes, got " + racks + " racks of " + datanodesPerRack);
        }
        if (racks * datanodesPerRack <= policy.chunks()) {
            throw new IllegalArgumentException("a group of " + policy + " and a chunk rebuilt elsewhere need "
                    + (policy.chunks() + 1) + " datanodes, got " + racks + " racks of " + datanodesPerRack);
        }
        if (files < 1 || files > MOST_CHUNKS / policy.chunks()) {
            throw new IllegalArgumentException(
                    "a bed has 1 to " + MOST_CHUNKS / policy.chunks() + " files of " + policy + ", got " + files);
        }
        if (fileBytes < 1 || fileBytes > policy.groupBytes()) {
            throw new IllegalArgumentException("a file is one group of 1 to " + policy.groupBytes() + " bytes of "
                    + policy + ", got " + fileBytes);
        }
        if (placementSets < 0) {
            throw new IllegalArgumentException("placement sets are at least 0, got " + placementSets);
        }
    }

    public int datanodes() {
        return racks * datanodesPerRack;
    }
}
