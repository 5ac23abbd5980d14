package io.ecfs.bench.koh;

import java.util.Locale;

/** Requests of one pattern and kind: {@code random-write}. */
public record Series(AccessPattern pattern, IoKind kind) {
    public String word() {
        return pattern.word() + "-" + kind.word();
    }

    static Series of(String word) {
        String[] parts = word.toUpperCase(Locale.ROOT).split("-", -1);
        return new Series(AccessPattern.valueOf(parts[0]), IoKind.valueOf(parts[1]));
    }
}
