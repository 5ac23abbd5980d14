package io.ecfs.bench.bed.recovery;

import java.util.Arrays;
import java.util.List;

/** Figures of the ECFault study that the bed shows beside ours. */
public enum ShownFigure {
    /** Caches: sources read from their disks, or from the page cache. */
    CACHES("2a"),
    /** Sets of datanodes that groups lie on. */
    PLACEMENT("2b"),
    /** Cells. */
    CELLS("2c"),
    /** Two and three datanodes die, of one host or of several. */
    FAILURES("2d"),
    /** The phases of a recovery. */
    TIMELINE("3");

    private final String word;

    ShownFigure(String word) {
        this.word = word;
    }

    /** As the study numbers it. */
    public String word() {
        return word;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(ShownFigure::word).toList();
    }

    /** @throws IllegalArgumentException naming all of them */
    public static ShownFigure of(String word) {
        return Arrays.stream(values())
                .filter(shown -> shown.word.equals(word))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("the bed has the figures " + words() + ", got " + word));
    }
}
