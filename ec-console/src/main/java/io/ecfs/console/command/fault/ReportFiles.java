package io.ecfs.console.command.fault;

import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.FigureFile;
import io.ecfs.bench.report.HtmlPage;
import io.ecfs.bench.report.Table;
import io.ecfs.console.view.Json;
import io.ecfs.console.view.TextTable;
import io.ecfs.fault.lab.ExperimentReport;
import io.ecfs.fault.lab.ExperimentResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What experiments write to a directory: {@code report.json}, {@code figures.jsonl} and {@code report.html}. */
final class ReportFiles implements AutoCloseable {
    private final Optional<Path> directory;
    private final Optional<FigureFile> figures;
    private final String title;
    private final List<Figure> all = new ArrayList<>();

    private ReportFiles(Optional<Path> directory, Optional<FigureFile> figures, String title) {
        this.directory = directory;
        this.figures = figures;
        this.title = title;
    }

    /**
     * @param directory is made; empty: nothing is written
     * @param title of the page
     */
    static ReportFiles in(Optional<Path> directory, String title) throws IOException {
        if (directory.isEmpty()) {
            return new ReportFiles(directory, Optional.empty(), title);
        }
        Files.createDirectories(directory.get());
        return new ReportFiles(
                directory, Optional.of(FigureFile.create(directory.get().resolve("figures.jsonl"))), title);
    }

    /** Writes a figure at once. */
    void add(Figure figure) {
        all.add(figure);
        figures.ifPresent(file -> file.add(figure));
    }

    /** Writes the reports. */
    void finish(List<ExperimentResult> results, List<Table> tables) throws IOException {
        if (directory.isEmpty()) {
            return;
        }
        try (PrintWriter json =
                new PrintWriter(directory.get().resolve("report.json").toFile(), StandardCharsets.UTF_8)) {
            Json.print(json, results);
        }
        List<String> setting = new ArrayList<>(List.of(title));
        setting.addAll(ExperimentReport.notes(results));
        HtmlPage.write(directory.get().resolve("report.html"), setting, tables, all);
    }

    /** Text for a terminal. */
    static List<String> lines(List<Table> tables, List<String> notes) {
        List<String> lines = new ArrayList<>();
        for (Table table : tables) {
            lines.add(table.title());
            TextTable text = new TextTable(table.heads().toArray(String[]::new));
            table.rows().forEach(row -> text.row(row.toArray()));
            lines.add(text.toString());
        }
        lines.addAll(notes);
        return lines;
    }

    @Override
    public void close() throws IOException {
        if (figures.isPresent()) {
            figures.get().close();
        }
    }
}
