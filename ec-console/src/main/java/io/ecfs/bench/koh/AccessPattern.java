package io.ecfs.bench.koh;

import java.util.Locale;

/** Order of positions. */
public enum AccessPattern {
    /** Each request begins where the one before ended. */
    SEQUENTIAL,
    /** Every aligned position is as likely as the others. */
    RANDOM;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
