package io.ecfs.bench.report;

import java.util.List;

/**
 * One table or figure of a paper, beside ours.
 *
 * @param notes lines for people, below the tables
 */
public record Report(List<Table> tables, List<String> notes, List<Figure> figures) {
    public Report {
        tables = List.copyOf(tables);
        notes = List.copyOf(notes);
        figures = List.copyOf(figures);
    }
}
