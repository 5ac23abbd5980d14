package io.ecfs.bench.bed.recovery;

import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.Table;
import java.util.List;

/**
 * One figure of the study beside ours.
 *
 * @param notes lines for people, below the table
 */
public record RecoveryReport(List<RecoveryRow> rows, Table table, List<String> notes, List<Figure> figures) {
    public RecoveryReport {
        rows = List.copyOf(rows);
        notes = List.copyOf(notes);
        figures = List.copyOf(figures);
    }
}
