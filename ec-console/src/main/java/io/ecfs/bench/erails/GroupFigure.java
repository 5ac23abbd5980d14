package io.ecfs.bench.erails;

import io.ecfs.bench.bed.erails.Load;
import io.ecfs.bench.bed.erails.RingBed;
import io.ecfs.bench.bed.erails.RingGroup;
import io.ecfs.bench.bed.erails.RingOutcome;
import io.ecfs.bench.bed.erails.RingPlan;
import io.ecfs.bench.bed.erails.Windows;
import io.ecfs.bench.report.Cells;
import io.ecfs.bench.report.Report;
import io.ecfs.code.CodeSpec;
import io.ecfs.layout.Ring;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** More volumes than a group has chunks: overlapping groups (section 6.2), as the namenode places them. */
final class GroupFigure {
    private static final int K = 3;
    private static final List<Integer> VOLUMES = List.of(6, 12, 24, 60, 120, 300, 600);
    private static final List<Integer> QUICK_VOLUMES = List.of(6, 24, 60);
    private static final double LINEAR = 0.95;
    private static final double MOST_SPREAD = 0.1;
    private static final int CHUNKS_OF_A_VOLUME = 400;
    private static final int DEPTH_OF_A_VOLUME = 16;
    private static final int POSITIONS = 3;
    private static final Duration TURN = Duration.ofSeconds(1);

    private GroupFigure() {}

    static Report of(ErailsSetting setting) {
        CodeSpec code = RingPlans.code(K, K);
        FigureRows rows = new FigureRows(ErailsShown.GROUP, Map.of("bed", "sim", "k", K, "m", K));
        double reads = 0;
        double writes = 0;
        for (int volumes : setting.quick() ? QUICK_VOLUMES : VOLUMES) {
            PlacedGroups groups = PlacedGroups.of(
                    RingPlans.ring(setting, code),
                    code,
                    volumes,
                    Math.multiplyExact(volumes, CHUNKS_OF_A_VOLUME) / code.chunks(),
                    setting.seed());
            RingOutcome outcome = RingBed.run(plan(setting, code, volumes, groups.groups()));
            if (reads == 0) {
                reads = outcome.readRate() / volumes;
                writes = outcome.writeRate() / volumes;
            }
            rows.add(FigureRow.ratio(
                            "reads of N = " + volumes + ", by N of one volume", outcome.readRate() / volumes / reads)
                    .with("config", "N = " + volumes)
                    .limit(1)
                    .atLeast(LINEAR)
                    .note("writes " + Cells.number(outcome.writeRate() / volumes / writes, 2)
                            + ", chunks read beside writes " + Cells.number(outcome.besideWriters(), 4)));
            rows.add(FigureRow.ratio("most chunks of a volume by their mean, less 1", groups.spread())
                    .with("config", "N = " + volumes)
                    .atMost(MOST_SPREAD));
        }
        rows.note("Groups of " + code.chunks() + " chunks, " + CHUNKS_OF_A_VOLUME
                + " on each volume on average; requests to random groups, " + DEPTH_OF_A_VOLUME
                + " under way for each volume, turns of " + TURN.toMillis() + " ms, four cores for each six volumes.");
        return rows.report();
    }

    private static RingPlan plan(ErailsSetting setting, CodeSpec code, int volumes, List<RingGroup> groups) {
        Ring ring = RingPlans.ring(setting, code);
        Load load = new Load(
                RingPlans.objectBytes(setting, code),
                Load.ENDLESS,
                Load.ENDLESS,
                RingPlans.READS_PER_WRITE,
                Load.Mix.DISPATCH,
                DEPTH_OF_A_VOLUME * volumes,
                volumes,
                (POSITIONS + 1) * TURN.toNanos(),
                TURN.toNanos());
        List<Integer> colours = IntStream.range(0, volumes)
                .mapToObj(volume -> volume % ring.colours())
                .toList();
        return RingPlans.of(
                setting.withTurn(TURN), code, load, Windows.FIXED, colours, groups, Math.max(1, volumes / K / 2));
    }
}
