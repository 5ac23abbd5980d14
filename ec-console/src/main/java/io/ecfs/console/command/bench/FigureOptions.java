package io.ecfs.console.command.bench;

import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.FigureFile;
import io.ecfs.bench.report.HtmlPage;
import io.ecfs.bench.report.Report;
import io.ecfs.bench.report.Table;
import io.ecfs.console.view.TextTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of all benchmarks: number of measurements, and file of the figures. */
final class FigureOptions {
    @Option(
            names = "--reps",
            paramLabel = "N",
            description =
                    "Repetitions (default: 3; of ycsb-e and wiki 5, which draw from another seed each; quick: 1).")
    private Integer repetitions;

    @Option(names = "--json", paramLabel = "FILE", description = "Write each figure as a line of JSON.")
    private Path json;

    @Option(names = "--html", paramLabel = "FILE", description = "Write a page with charts.")
    private Path html;

    /** @param usual how often when nothing was said */
    int repetitions(boolean quick, int usual) {
        return repetitions != null ? repetitions : quick ? 1 : usual;
    }

    Collected collect() throws IOException {
        return new Collected(json == null ? Optional.empty() : Optional.of(FigureFile.create(json)));
    }

    /** A table for a terminal. */
    static TextTable text(Table table) {
        TextTable text = new TextTable(table.heads().toArray(String[]::new));
        table.rows().forEach(row -> text.row(row.toArray()));
        return text;
    }

    /** Prints a report as soon as it is there, and collects its figures. */
    static void print(Report report, PrintWriter out, Collected figures) {
        report.figures().forEach(figures::add);
        for (Table table : report.tables()) {
            out.println();
            out.println(table.title());
            out.print(text(table));
        }
        report.notes().forEach(out::println);
        out.flush();
    }

    /** @param setting what was measured, and where: lines for people */
    void writePage(List<String> setting, List<Figure> figures) throws IOException {
        writePage(setting, List.of(), figures);
    }

    /** @param tables before the charts */
    void writePage(List<String> setting, List<Table> tables, List<Figure> figures) throws IOException {
        if (html != null) {
            HtmlPage.write(html, setting, tables, figures);
        }
    }

    /** The figures of one run. Each is in the file as soon as it was measured. */
    static final class Collected implements AutoCloseable {
        private final Optional<FigureFile> file;
        private final List<Figure> figures = new ArrayList<>();

        private Collected(Optional<FigureFile> file) {
            this.file = file;
        }

        void add(Figure figure) {
            figures.add(figure);
            file.ifPresent(lines -> lines.add(figure));
        }

        List<Figure> all() {
            return List.copyOf(figures);
        }

        @Override
        public void close() throws IOException {
            if (file.isPresent()) {
                file.get().close();
            }
        }
    }
}
