package io.ecfs.bench.bed;

/** The six configurations that the paper compares, by its names. */
public enum Configuration {
    /** As many replicas as survive the same losses, read at random. */
    R("R", true, false, false, false),
    /** Erasure coded, read at random. */
    EC("EC", false, false, false, false),
    /** One redundant chunk is requested, the first k win. */
    EC_LB("EC+LB", false, true, false, false),
    /** The planner chooses by cost. */
    EC_C("EC+C", false, false, true, false),
    /** The mover moves chunks besides. */
    EC_C_M("EC+C+M", false, false, true, true),
    EC_C_M_LB("EC+C+M+LB", false, true, true, true);

    /** k of the erasure code that all but R use. */
    public static final int DATA_CHUNKS = 2;

    /** Its m, and the losses that R survives too. */
    public static final int PARITY_CHUNKS = 2;

    private final String word;
    private final boolean replicated;
    private final boolean lateBinding;
    private final boolean planned;
    private final boolean moved;

    Configuration(String word, boolean replicated, boolean lateBinding, boolean planned, boolean moved) {
        this.word = word;
        this.replicated = replicated;
        this.lateBinding = lateBinding;
        this.planned = planned;
        this.moved = moved;
    }

    /** As the paper writes it. */
    public String word() {
        return word;
    }

    public boolean replicated() {
        return replicated;
    }

    /** k of its code; a replica is the one chunk of its block. */
    public int dataChunks() {
        return replicated ? 1 : DATA_CHUNKS;
    }

    /**
     * Redundant chunks requested of each block, for late binding, of which the first k win.
     */
    public int delta() {
        return lateBinding ? 1 : 0;
    }

    public boolean planned() {
        return planned;
    }

    public boolean moved() {
        return moved;
    }
}
