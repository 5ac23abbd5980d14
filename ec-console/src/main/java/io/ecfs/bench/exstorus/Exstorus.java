package io.ecfs.bench.exstorus;

import io.ecfs.bench.report.Report;
import io.ecfs.bench.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** Makes the tables and figures of the paper beside ours, one at a time. */
public final class Exstorus {
    private static final double TEN = 10;

    private final StepTables steps;
    private final ShareTables shares;
    private final FastNetwork fast;
    private final CodeTables codes;
    private final Combinations combinations;

    /** @param processor nanoseconds that this thread has run: kernels are timed by it */
    public Exstorus(ExstorusPlan plan, LongSupplier processor) {
        BedRuns runs = new BedRuns(plan);
        this.steps = new StepTables(plan, runs);
        this.shares = new ShareTables(plan, runs);
        this.fast = new FastNetwork(plan, runs);
        this.codes = new CodeTables(plan, runs, processor);
        this.combinations = new Combinations(plan, runs);
    }

    /** The table or figure, with the paper's contradictions about it. */
    public Report report(Shown shown) {
        Report report = switch (shown) {
            case TABLE1, TABLE2, TABLE3 -> steps.of(shown, PaperRow.of(shown.word()), "s");
            case FIG9 -> steps.of(shown, PaperRow.of("table1"), "us");
            case FIG11 -> steps.of(shown, PaperRow.of("table2"), "us");
            case FIG13 ->
                steps.of(
                        shown,
                        PaperRow.of("table3").stream()
                                .filter(row -> row.gigabits() <= TEN)
                                .toList(),
                        "us");
            case FIG10 -> shares.of(shown, ends("table1"));
            case FIG12 -> shares.of(shown, ends("table2"));
            case FIG14 -> shares.of(shown, PaperRow.of("table3"));
            case FIG15 -> fast.distribution();
            case FIG16 -> fast.shares();
            case FIG4, FIG5, FIG6, FIG7 -> codes.of(shown);
            case COMBOS -> combinations.all();
        };
        List<Table> tables = new ArrayList<>(report.tables());
        Table contradictions = Contradictions.of(shown, fast);
        if (!contradictions.rows().isEmpty()) {
            tables.add(contradictions);
        }
        return new Report(tables, report.notes(), report.figures());
    }

    /** The shortest and the longest records of a table, as the paper draws them. */
    private static List<PaperRow> ends(String table) {
        List<PaperRow> rows = PaperRow.of(table);
        return List.of(rows.get(0), rows.get(rows.size() - 1));
    }
}
