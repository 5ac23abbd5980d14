package io.ecfs.fault.paper;

import io.ecfs.layout.Policy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * A figure or table of the paper.
 *
 * @param word as {@code ecfs fault paper} names it
 * @param settings each is run
 * @param stored policies of which the bytes stored are measured
 * @param rows of the measured settings by their labels, and of the bytes stored for each byte by policy
 */
record PaperFigure(
        String word,
        String title,
        List<PaperSetting> settings,
        List<Policy> stored,
        Function<Numbers, List<PaperRow>> rows) {
    /** What was measured. */
    record Numbers(Map<String, Measured> settings, Map<Policy, Double> stored) {}

    PaperFigure {
        Objects.requireNonNull(word, "word");
        Objects.requireNonNull(title, "title");
        settings = List.copyOf(settings);
        stored = List.copyOf(stored);
        Objects.requireNonNull(rows, "rows");
    }
}
