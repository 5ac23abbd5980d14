package io.ecfs.message;

/**
 * Number of the formats that a release can read and write: it grows with each release that adds a kind of log entry, a
 * field, a row or a message that earlier ones cannot read. A cluster has a level in force, a fact of its log, and
 * nothing above it is written; it is raised when all namenodes can read more (HDFS: finalized layout version; Kafka:
 * metadata.version). Two peers on a connection use the lower of theirs.
 */
public final class FeatureLevel {
    /** The first level, also of a cluster whose state names none. */
    public static final int FIRST = 1;

    /** From this level on daemons prove the join token to each other, and have no identity without the proof. */
    public static final int PROVED_PEERS = 2;

    /** Leases and retained answers belong to a user, and what users may name and delete is as strict as in HDFS. */
    public static final int OF_USERS = 2;

    /** Block tokens are of version 2: of one user, and shown with every write ({@code BlockToken.scope}). */
    public static final int BOUND_TOKENS = 2;

    /**
     * Directories set where parity is computed ({@code EncodingSide}), and namenodes sign which chunks a datanode may
     * write for a client ({@code RelayToken}).
     */
    public static final int ENCODING_SIDES = 2;

    /**
     * A chunk that another one stands in for is garbage only after another datanode has compared the two
     * ({@code DatanodeOrder.Compare}).
     */
    public static final int COMPARED_REPLACEMENTS = 2;

    /**
     * Recovery brings open chunks that end earlier up to the length of their group ({@code DatanodeOrder.FillStripes}).
     */
    public static final int FILLED_STRIPES = 2;

    /**
     * Changes of throttles, policies and quotas are events of the history, and calls of operators have the context of
     * their caller in the log.
     */
    public static final int RECORDED_SETTINGS = 2;

    /** Small files of one client share groups ({@code NamespaceRequest.OpenPack}), whose live bytes are facts. */
    public static final int PACKS = 2;

    /** Files are updated in place: what is written over their extents is in patch groups ({@code OpenUpdate}). */
    public static final int UPDATES = 2;

    /** Extents are rewritten into other groups ({@code DatanodeOrder.Rewrite}). */
    public static final int REWRITES = 2;

    /** Datanodes say how long a write took them ({@code ChunkReply.Written}). */
    public static final int HANDLING_TIMES = 2;

    /** Volumes in a ring take turns in writing, and answers of datanodes say whether a volume writes. */
    public static final int RINGS = 2;

    /** Level of this release. */
    public static final int RELEASE = 2;

    /** Level of a peer that names none: a release without levels. */
    public static final int NONE = 0;

    private FeatureLevel() {}
}
