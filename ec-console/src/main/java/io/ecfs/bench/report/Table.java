package io.ecfs.bench.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** A table for a terminal or a page. */
public record Table(String title, List<String> heads, List<List<String>> rows) {
    public Table {
        heads = List.copyOf(heads);
        rows = rows.stream().map(List::copyOf).toList();
    }

    /** Without the columns in which no row has anything. */
    Table withoutEmptyColumns() {
        int[] columns = IntStream.range(0, heads.size())
                .filter(column -> rows.stream().anyMatch(row -> !row.get(column).isEmpty()))
                .toArray();
        return new Table(
                title,
                pick(heads, columns),
                rows.stream().map(row -> pick(row, columns)).toList());
    }

    private static List<String> pick(List<String> cells, int[] columns) {
        return Arrays.stream(columns).mapToObj(cells::get).toList();
    }

    /** Collects rows. */
    static final class Builder {
        private final String title;
        private final List<String> heads;
        private final List<List<String>> rows = new ArrayList<>();

        Builder(String title, String... heads) {
            this.title = title;
            this.heads = List.of(heads);
        }

        void row(Object... cells) {
            rows.add(Arrays.stream(cells).map(String::valueOf).toList());
        }

        Table build() {
            return new Table(title, heads, rows).withoutEmptyColumns();
        }
    }
}
