package io.ecfs.bench.koh;

import java.util.Locale;

/** What a request does. */
public enum IoKind {
    READ,
    WRITE,
    /** Status, list, create, remove: no bytes of a file. */
    METADATA;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
