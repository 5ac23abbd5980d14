package io.ecfs.bench.exstorus.cluster;

import io.ecfs.bench.report.Cells;
import io.ecfs.bench.report.Table;
import io.ecfs.console.forecast.NetworkSpeed;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** A table of the cluster's runs: every row begins with what was written, over which links, and who encoded. */
final class MeasuredTable {
    private static final List<String> OF_RUN = List.of("NETWORK", "CODE", "RECORD", "SIDE", "UNDER WAY");
    private static final String NO_LIMITS = "-";

    private final String title;
    private final List<String> heads;
    private final List<List<String>> rows = new ArrayList<>();

    /** @param heads of the columns behind those of every table */
    MeasuredTable(String title, String... heads) {
        this.title = title;
        this.heads = both(OF_RUN, List.of(heads));
    }

    /**
     * Adds a row.
     *
     * @param gigabits of links; empty: without limits
     * @param window stripes under way
     * @param cells behind those of every table
     */
    void add(OptionalDouble gigabits, WriteMix mix, String side, int window, String... cells) {
        rows.add(both(
                List.of(
                        gigabits.isPresent() ? NetworkSpeed.text(gigabits.getAsDouble()) : NO_LIMITS,
                        mix.policy().name(),
                        Cells.kibibytes(mix.recordBytes()),
                        side,
                        String.valueOf(window)),
                List.of(cells)));
    }

    int rows() {
        return rows.size();
    }

    Table table() {
        return new Table(title, heads, rows);
    }

    private static List<String> both(List<String> first, List<String> then) {
        List<String> all = new ArrayList<>(first);
        all.addAll(then);
        return all;
    }
}
