package io.ecfs.bench.koh;

import java.util.List;
import java.util.Locale;

/** What the file holds when a measurement begins (section V-C of the paper). */
public enum ImageState {
    /** Nothing: no object exists. */
    PRISTINE,
    /** Every byte is written. */
    OVERWRITE,
    /** Every byte is written, and then at random places a block of 4 KiB for each 40 KiB, which is not reclaimed. */
    PATCHED,
    /** The same, and then written in order again. */
    MERGED;

    /** Those that the paper writes to. */
    public static final List<ImageState> WRITTEN = List.of(PRISTINE, OVERWRITE);

    /** Returns whether it has patches, or had. */
    public boolean isPatched() {
        return this == PATCHED || this == MERGED;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
