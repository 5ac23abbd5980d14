package io.ecfs.bench.exstorus;

import io.ecfs.bench.bed.write.MasterChoice;
import io.ecfs.bench.bed.write.WriteBed;
import io.ecfs.bench.bed.write.WriteBedPlan;
import io.ecfs.bench.bed.write.WriteBedResult;
import io.ecfs.bench.report.Cells;
import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.Report;
import io.ecfs.bench.report.Table;
import io.ecfs.console.forecast.NetworkSpeed;
import io.ecfs.layout.WriteSide;
import io.ecfs.plan.write.Network;
import io.ecfs.plan.write.WriteCost;
import io.ecfs.plan.write.WriteForecast;
import io.ecfs.plan.write.WriteShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** K of 2, 4, 8, 16 and M of 1, 2, 4, which the paper's file system supports and the paper does not measure. */
final class Combinations {
    private static final int[] DATA = {2, 4, 8, 16};
    private static final int[] PARITY = {1, 2, 4};
    private static final long RECORD = PaperRow.LONGEST;

    /** Many clients: how evenly masters are chosen. */
    private static final int CLIENTS = 1000;

    private static final int QUICK_CLIENTS = 100;
    private static final int CLIENTS_OF_A_DATANODE = 10;
    private static final int CELL = 1 << 20;
    private static final int STRIPES_OF_A_GROUP = 16;
    private static final int GROUPS = 4;

    private final ExstorusPlan plan;
    private final BedRuns runs;

    Combinations(ExstorusPlan plan, BedRuns runs) {
        this.plan = plan;
        this.runs = runs;
    }

    Report all() {
        List<List<String>> cells = new ArrayList<>();
        List<Figure> figures = new ArrayList<>();
        for (int k : DATA) {
            for (int m : PARITY) {
                WriteBedResult client = run(WriteSide.CLIENT, k, m, figures);
                WriteBedResult master = run(WriteSide.MASTER, k, m, figures);
                WriteCost cost = cost(WriteSide.CLIENT, k, m);
                WriteShape shape = cost.shape();
                cells.add(List.of(
                        k + "+" + m,
                        Cells.number(client.rate(), 1),
                        Cells.number(Wire.rate(shape, plan.gigabits()), 1),
                        bottleneck(cost),
                        Cells.number(master.rate(), 1),
                        Cells.number(Wire.rate(shape.by(WriteSide.MASTER), plan.gigabits()), 1),
                        bottleneck(cost(WriteSide.MASTER, k, m)),
                        Cells.number(shape.networkBytes() / RECORD, 2),
                        Cells.number(shape.by(WriteSide.MASTER).networkBytes() / RECORD, 2)));
            }
        }
        return new Report(
                List.of(new Table(
                        "combos: MB/s on " + NetworkSpeed.text(plan.gigabits()) + ", records of 128 K, " + plan.window()
                                + " stripes under way; the paper measures none",
                        List.of(
                                "K+M",
                                "CLIENT",
                                "LIMIT",
                                "BOTTLENECK",
                                "MASTER",
                                "LIMIT",
                                "BOTTLENECK",
                                "NETWORK/BYTE CLIENT",
                                "MASTER"),
                        cells)),
                List.of(masters(figures)),
                figures);
    }

    private WriteCost cost(WriteSide side, int k, int m) {
        return runs.cost(plan.constants(), side, plan.gigabits(), k, m, BedRuns.cellBytes(k, RECORD), RECORD);
    }

    private WriteBedResult run(WriteSide side, int k, int m, List<Figure> figures) {
        WriteBedResult result = runs.run(cost(side, k, m), plan.window());
        Map<String, Object> params = Figures.params(Shown.COMBOS, plan.gigabits(), RECORD, side);
        params.put("k", k);
        params.put("m", m);
        params.put("window", plan.window());
        figures.add(new Figure("exstorus_rate", result.rate(), "MB/s", params));
        return result;
    }

    private String bottleneck(WriteCost cost) {
        return new WriteForecast(cost, BedRuns.system(cost, plan.window())).bottleneck();
    }

    /** Each client chooses the master of a group as those of ECFS do. */
    private String masters(List<Figure> figures) {
        int clients = plan.quick() ? QUICK_CLIENTS : CLIENTS;
        int datanodes = clients / CLIENTS_OF_A_DATANODE + BedRuns.DATA + BedRuns.PARITY;
        long stripe = (long) BedRuns.DATA * CELL;
        long group = STRIPES_OF_A_GROUP * stripe;
        WriteShape shape =
                new WriteShape(WriteSide.MASTER, BedRuns.DATA, BedRuns.PARITY, CELL, CELL, GROUPS * group, group);
        WriteCost cost =
                new WriteCost(plan.constants(), shape, Network.ofGigabits(plan.gigabits(), plan.latencyNanos()));
        WriteBedResult result = WriteBed.run(new WriteBedPlan(
                cost,
                BedRuns.system(clients, datanodes, plan.window()),
                GROUPS * group,
                MasterChoice.LESS_LOADED,
                plan.torus(),
                plan.seed()));
        double most = Numbers.targets().get("masters.of.mean");
        Map<String, Object> params = Figures.params(Shown.COMBOS, plan.gigabits(), CELL, WriteSide.MASTER);
        params.put("clients", clients);
        params.put("datanodes", datanodes);
        figures.add(new Figure("exstorus_busiest_master", result.busiestMaster(), "ratio", params));
        return clients + " clients on " + datanodes
                + " datanodes, each group's master chosen as by clients of ECFS: the"
                + " busiest encodes " + Cells.number(result.busiestMaster(), 2) + " times the mean ("
                + Cells.target("<=", most, 1, result.busiestMaster() <= most) + "), "
                + Cells.number(result.rate(), 0) + " MB/s";
    }
}
