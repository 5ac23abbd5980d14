package io.ecfs.code;

/** The families of codes, by the name that starts a policy name. */
public enum CodeFamily {
    /** Systematic Reed-Solomon with a Cauchy matrix; {@code rs-k-m}. */
    RS("rs", "k-m", 2),
    /** One parity chunk, the XOR of the data; {@code xor-k-1}. */
    XOR("xor", "k-1", 2),
    /** r copies, which is the linear code with k = 1 and r - 1 parity chunks equal to the data; {@code replication-r}. */
    REPLICATION("replication", "r", 1);

    private final String label;
    private final String parameterShape;
    private final int parameterCount;

    CodeFamily(String label, String parameterShape, int parameterCount) {
        this.label = label;
        this.parameterShape = parameterShape;
        this.parameterCount = parameterCount;
    }

    /** The name in policies, for example {@code rs}. */
    public String label() {
        return label;
    }

    /** How many numbers follow the label. */
    public int parameterCount() {
        return parameterCount;
    }

    /** The shape of a name, for example {@code rs-k-m}. */
    public String shape() {
        return label + "-" + parameterShape;
    }
}
