package io.ecfs.bench.koh;

import java.util.Locale;

/** What the file holds when a measurement begins (section V-C of the paper). */
public enum ImageState {
    /** Nothing: no object exists. */
    PRISTINE,
    /** Every byte is written. */
    OVERWRITE;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
