package io.ecfs.bench.koh;

/**
 * Sizes of the paper's cluster.
 *
 * @param objectBytes of an object (section II-B)
 * @param chunkBytes of a chunk, and the smallest that a disk reads or writes (sections II-B and V-B)
 * @param readsFresh whether the primary reads an object back that it has just filled. Section V-C says that an
 *     initialisation issues more reads, not how many: the whole object is our reading
 * @param nodes that hold the OSDs (section III-A)
 * @param osds of the cluster (section IV-B)
 */
public record CephRules(int objectBytes, int chunkBytes, boolean readsFresh, int nodes, int osds) {
    /** The paper's. */
    public static final CephRules PAPER = new CephRules(4 << 20, 4 << 10, true, 4, 24);

    public CephRules {
        if (chunkBytes < 1 || objectBytes < chunkBytes || objectBytes % chunkBytes != 0) {
            throw new IllegalArgumentException("an object must be a multiple of its chunks of " + chunkBytes
                    + " bytes, got " + objectBytes + " bytes");
        }
        if (nodes < 2 || osds < nodes || osds % nodes != 0) {
            throw new IllegalArgumentException(
                    "OSDs must be spread evenly over 2 nodes or more, got " + osds + " on " + nodes);
        }
    }

    CephRules withoutReadingFresh() {
        return new CephRules(objectBytes, chunkBytes, false, nodes, osds);
    }

    /** Chance that another OSD than a given one is on another node, when any is as likely as the others. */
    public double remoteShare() {
        return (osds - osds / (double) nodes) / (osds - 1);
    }
}
