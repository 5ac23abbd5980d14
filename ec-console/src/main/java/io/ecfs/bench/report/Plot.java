package io.ecfs.bench.report;

import java.util.Objects;

/**
 * One picture of results, for a page of the bench and for the console.
 *
 * @param note below the title; may be empty
 * @param svg one element {@code svg}, without script and style
 */
public record Plot(String title, String note, String svg) {
    public Plot {
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(note, "note");
        Objects.requireNonNull(svg, "svg");
    }
}
