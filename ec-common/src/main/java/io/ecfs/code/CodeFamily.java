package io.ecfs.code;

import java.util.List;

/** The families of codes, by the name that starts a policy name. */
public enum CodeFamily {
    /** Systematic Reed-Solomon with a Cauchy matrix; {@code rs-k-m}. */
    RS("rs", List.of("k", "m")),
    /** One parity chunk, the XOR of the data; {@code xor-k-1}. */
    XOR("xor", List.of("k", "1")),
    /** r copies, which is the linear code with k = 1 and r - 1 parity chunks equal to the data; {@code replication-r}. */
    REPLICATION("replication", List.of("r"));

    private final String label;
    private final String shape;
    private final int parameterCount;

    CodeFamily(String label, List<String> parameterNames) {
        this.label = label;
        this.shape = label + "-" + String.join("-", parameterNames);
        this.parameterCount = parameterNames.size();
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
        return shape;
    }
}
