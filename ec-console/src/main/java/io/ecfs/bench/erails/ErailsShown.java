package io.ecfs.bench.erails;

import io.ecfs.config.Nearest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Figures of the paper, and what is ours alone. */
public enum ErailsShown {
    FIG3("write throughput by writers, ten volumes"),
    FIG4("coding with one thread, k = m"),
    FIG5("coding with several threads"),
    FIG6("reads with and without decoding, k = m"),
    FIG9("reads beside writes, k = m = 3"),
    FIG10("reads beside writes, k = m = 5"),
    GROUP("volumes in one ring: overlapping groups"),
    ADAPTIVE("writers by demand, mixes held"),
    SWEEP("what the conclusions depend on");

    private final String title;

    ErailsShown(String title) {
        this.title = title;
    }

    /** As people write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Parity and data chunks of a figure that can be measured on a cluster too, 0 of others. */
    int clusterWidth() {
        return this == FIG9 ? 3 : this == FIG10 ? 5 : 0;
    }

    String title() {
        return title;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(ErailsShown::word).toList();
    }

    /** @throws IllegalArgumentException with the nearest */
    public static ErailsShown of(String word) {
        return Arrays.stream(values())
                .filter(shown -> shown.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no figure '" + word + "', did you mean '"
                        + Nearest.to(word, words()) + "'? There are " + String.join(", ", words())));
    }
}
