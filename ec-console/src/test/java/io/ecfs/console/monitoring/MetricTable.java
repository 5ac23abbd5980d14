package io.ecfs.console.monitoring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The metrics of docs/deploy.md, which {@code SourcesTest} compares with those of the code. */
public final class MetricTable {
    /** The top of the source tree. */
    public static final Path ROOT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

    private static final Pattern NAME = Pattern.compile("`(ecfs_\\w+)`");

    private MetricTable() {}

    /** One row: metrics that belong together, and what they are. */
    record Row(List<String> names, String value) {}

    /** Rows of the metrics of this release. */
    static List<Row> rows() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/deploy.md"));
        String table = page.substring(page.indexOf("\n| metric | value |"), page.indexOf("\n| former name | now |"));
        List<Row> rows = new ArrayList<>();
        for (String line : table.split("\n", -1)) {
            String[] cells = line.split("\\|", -1);
            if (cells.length >= 3 && cells[1].contains("`ecfs_")) {
                rows.add(new Row(names(cells[1]), cells[2].strip()));
            }
        }
        return rows;
    }

    /** Names of this release. */
    public static List<String> names() throws IOException {
        return rows().stream().flatMap(row -> row.names().stream()).toList();
    }

    /** Names of the release before. */
    public static List<String> formerNames() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/deploy.md"));
        String table = page.substring(page.indexOf("\n| former name | now |"));
        List<String> names = new ArrayList<>();
        for (String line : table.substring(1, table.indexOf("\n\n")).split("\n", -1)) {
            names.addAll(names(line.split("\\|", -1)[1]));
        }
        return names;
    }

    /** Every name of a metric in a text, in its order. */
    static List<String> names(String text) {
        Matcher name = NAME.matcher(text);
        List<String> names = new ArrayList<>();
        while (name.find()) {
            names.add(name.group(1));
        }
        return names;
    }
}
