package io.ecfs.bench.exstorus;

import io.ecfs.bench.report.Cells;
import io.ecfs.bench.report.Table;
import io.ecfs.plan.write.WriteStep;
import java.util.ArrayList;
import java.util.List;

/** Where the paper's words and its tables differ: both numbers. */
final class Contradictions {
    private static final long RECORD = PaperRow.LONGEST;
    private static final List<Shown> PREDICTED =
            List.of(Shown.TABLE3, Shown.FIG13, Shown.FIG14, Shown.FIG15, Shown.FIG16);

    private final Numbers said = Numbers.ofThePaper();
    private final FastNetwork fast;
    private final List<List<String>> cells = new ArrayList<>();

    private Contradictions(FastNetwork fast) {
        this.fast = fast;
    }

    /** Those that concern a table; no rows for none. */
    static Table of(Shown shown, FastNetwork fast) {
        Contradictions all = new Contradictions(fast);
        if (PREDICTED.contains(shown)) {
            all.onHundredGigabits();
        }
        if (shown == Shown.TABLE2 || shown == Shown.FIG11 || shown == Shown.FIG12) {
            all.parityOnTenGigabits();
        }
        return new Table(
                "where the paper contradicts itself", List.of("IT SAYS", "ITS OWN NUMBERS GIVE", "SO"), all.cells);
    }

    private void onHundredGigabits() {
        PaperRow slow = PaperRow.of("table3", 1, RECORD);
        PaperRow best = PaperRow.of("table3", 40, RECORD);
        double overhead = best.seconds().get(WriteStep.CO);
        FastNetwork.Fit absolute = FastNetwork.Fit.throughThePaper(false);
        FastNetwork.Fit relative = FastNetwork.Fit.throughThePaper(true);
        cells.add(List.of(
                "100 G: PC " + said.get("share.fig16.100.PC") + " %, CO " + said.get("share.fig16.100.CO") + " %, DD "
                        + said.get("share.fig16.100.DD") + " %, CO similar to 40 G",
                "PC as on 40 G makes the write " + Cells.number(fast.impliedTotal(), 1) + " s, so CO "
                        + Cells.number(fast.implied(WriteStep.CO), 1) + " s and DD "
                        + Cells.number(fast.implied(WriteStep.DD), 2) + " s; CO on 40 G is " + overhead + " s",
                "CO is not similar; DD by its own points is "
                        + Cells.number(Math.min(absolute.seconds(100), relative.seconds(100)), 1)
                        + " to "
                        + Cells.number(Math.max(absolute.seconds(100), relative.seconds(100)), 1)
                        + " s"));
        cells.add(List.of(
                "DD falls to " + said.get("share.fig16.100.DD") + " % but remained the largest",
                "CO has " + said.get("share.fig16.100.CO") + " %",
                "CO is the largest, if the shares are right"));
        cells.add(List.of(
                "CO increased by " + said.get("share.fig16.100.CO") + " %, and " + (int) said.get("times.fig16.CO")
                        + " times",
                "CO has " + Cells.number(slow.share(WriteStep.CO), 1) + " % on 1 G: "
                        + Cells.number(said.get("share.fig16.100.CO") / slow.share(WriteStep.CO), 0)
                        + " times the share; the time on 40 G is "
                        + Cells.number(overhead / slow.seconds().get(WriteStep.CO), 2) + " times that on 1 G",
                "shares grew, not times"));
        cells.add(List.of(
                "LS(R/K) increases with K and M, as there are more slaves and smaller requests",
                "only its fixed part does: the bytes on the master's link are (1 + (M - 1)/K) R",
                "more data chunks make it smaller for large records"));
    }

    private void parityOnTenGigabits() {
        cells.add(List.of(
                "PC is at most " + said.get("share.fig12.131072.PC") + " % on 10 G",
                "table 2 gives "
                        + Cells.number(PaperRow.of("table2", 10, RECORD).share(WriteStep.PC), 1)
                        + " % at 128 K",
                "the table is shown"));
    }
}
