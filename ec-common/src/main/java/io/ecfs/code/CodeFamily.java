package io.ecfs.code;

/** The families of codes, by the name that starts a policy name. */
public enum CodeFamily {
    /** Systematic Reed-Solomon with a Cauchy matrix; {@code rs-k-m}. */
    RS("rs", "k-m", 2, 2),
    /** Systematic Reed-Solomon from a Vandermonde matrix times the inverse of its top square; {@code rs-van-k-m}. */
    RS_VAN("rs-van", "k-m", 2, 2),
    /** One parity chunk, the XOR of the data; {@code xor-k-1}. */
    XOR("xor", "k-1", 2, 2),
    /**
     * r copies, which is the linear code with k = 1 and r - 1 parity chunks equal to the data; {@code replication-r}.
     */
    REPLICATION("replication", "r", 1, 1),
    /**
     * Locally repairable: l groups of k/l data chunks with one parity chunk each, and g global parity chunks;
     * {@code lrc-k-l-g} (Huang et al., Erasure Coding in Windows Azure Storage, ATC 2012).
     */
    LRC("lrc", "k-l-g", 3, 3),
    /** Coupled-layer code that repairs one chunk from d helpers; {@code clay-k-m-d} (Vajha et al., FAST 2018). */
    CLAY("clay", "k-m-d", 3, 3),
    /**
     * Reed-Solomon over GF(2^w) as a bit matrix of few ones, computed by XOR alone; {@code crs-k-m}, {@code crs-k-m-w}.
     */
    CRS("crs", "k-m[-w]", 2, 3),
    /**
     * Two parity chunks from a bit matrix of the least possible number of ones; {@code liberation-k-2},
     * {@code liberation-k-2-w} (Plank, The RAID-6 Liberation Codes, FAST 2008).
     */
    LIBERATION("liberation", "k-2[-w]", 2, 3),
    /**
     * Shingled: each parity chunk covers a run of data chunks, any c losses are survived; {@code shec-k-m-c} (Ceph).
     */
    SHEC("shec", "k-m-c", 3, 3);

    private final String label;
    private final String parameterShape;
    private final int fewestParameters;
    private final int mostParameters;

    CodeFamily(String label, String parameterShape, int fewestParameters, int mostParameters) {
        this.label = label;
        this.parameterShape = parameterShape;
        this.fewestParameters = fewestParameters;
        this.mostParameters = mostParameters;
    }

    /** The name in policies, for example {@code rs}. */
    public String label() {
        return label;
    }

    /** Returns whether so many numbers may follow the label. */
    boolean takes(int parameters) {
        return parameters >= fewestParameters && parameters <= mostParameters;
    }

    /** The shape of a name, for example {@code rs-k-m}. */
    public String shape() {
        return label + "-" + parameterShape;
    }
}
