package io.ecfs.bench.koh;

import java.util.Locale;

/** The two that a ratio is of. */
public enum Comparison {
    /** The quantity itself, in its unit. */
    ALONE("in itself"),
    /** Ours to that of three copies. */
    REPLICATION("of 3 copies"),
    /** How many times worse a pristine image is than an overwritten one. */
    STATES("worse if pristine"),
    /** That of a file with patches to that of one without. */
    PATCHED("patched, of unpatched"),
    /** That of a file whose patches were merged to that of one that never had any. */
    MERGED("merged, of unpatched"),
    /** How many times worse the wider code is than the narrower one. */
    CODES("worse if wider"),
    /** How many times worse the second library is than the first. */
    KERNELS("worse of the second");

    private final String text;

    Comparison(String text) {
        this.text = text;
    }

    static Comparison of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    /** For people. */
    public String text() {
        return text;
    }

    /**
     * The ratio of two measured values.
     *
     * @param first of what the comparison is about: ours, pristine, the wider code, the second library
     * @param second of what it is compared with; {@link #ALONE} has none
     */
    public double ratio(Quantity quantity, double first, double second) {
        return switch (this) {
            case ALONE -> first;
            case REPLICATION, PATCHED, MERGED -> first / second;
            case STATES, CODES, KERNELS -> quantity.moreIsBetter() ? second / first : first / second;
        };
    }
}
