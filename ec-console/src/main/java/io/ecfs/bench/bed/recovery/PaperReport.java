package io.ecfs.bench.bed.recovery;

import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.Table;
import java.util.List;

/**
 * One figure of the study beside ours.
 *
 * @param notes lines for people, below the table
 */
public record PaperReport(List<PaperRow> rows, Table table, List<String> notes, List<Figure> figures) {
    public PaperReport {
        rows = List.copyOf(rows);
        notes = List.copyOf(notes);
        figures = List.copyOf(figures);
    }
}
