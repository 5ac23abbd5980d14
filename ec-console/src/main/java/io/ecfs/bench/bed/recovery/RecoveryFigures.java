package io.ecfs.bench.bed.recovery;

import io.ecfs.bench.bed.Device;
import io.ecfs.bench.bed.recovery.DatanodeHardware.Visits;
import io.ecfs.bench.bed.recovery.RecoveryRow.Verdict;
import io.ecfs.bench.bed.recovery.Victims.Where;
import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.Table;
import io.ecfs.code.ChunkSet;
import io.ecfs.code.RepairReads;
import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.fault.record.Phase;
import io.ecfs.layout.Policy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Figures 2 and 3 of the ECFault study (Han et al., Revisiting Erasure Codes: A Configuration Perspective, HotStorage
 * 2024) on the bed: 30 hosts with two datanodes each, 10,000 files of 64 MiB. A host is a rack, an OSD a datanode, a
 * placement group a placement set. The study has two general purpose volumes on each machine: 125 MB/s and 3,000
 * accesses a second, assumed; half a host's link of 25 Gbit and of its four cores.
 */
public final class RecoveryFigures {
    /** Share of the files where it must be quick. */
    private static final int QUICK = 10;

    private static final int FILES = 10_000;
    private static final long FILE_BYTES = 64L << 20;
    private static final int HOSTS = 30;
    private static final int OSDS = 2;
    private static final int OSDS_OF_FAILURES = 3;
    private static final int SETS = 256;
    private static final Duration GRACE = Duration.ofMinutes(10);
    private static final long SEED = 2024;
    private static final Policy RS = Policy.parse("rs-9-3-1024k");
    private static final Policy CLAY = Policy.parse("clay-9-3-11-1024k");
    private static final Policy LARGE_CLAY = Policy.parse("clay-9-3-11-4096k");
    private static final Victims HOST = new Victims(Where.WHOLE_RACKS, 1);

    /** Of the hardware that the study names, or that is assumed. */
    public static final DatanodeHardware HARDWARE =
            new DatanodeHardware(new Device(333_333, 125_000_000), 1_562_500_000, 2, Visits.ONE_WHERE_FASTER);

    private final int files;
    private final Duration grace;
    private final Visits visits;
    private final Map<RecoveryPlan, RecoveryResult> ran = new HashMap<>();

    /**
     * @param quick a tenth of the files
     * @param visits how sources read runs
     */
    public RecoveryFigures(boolean quick, Visits visits) {
        this(quick ? FILES / QUICK : FILES, GRACE, visits);
    }

    /**
     * @param files of the largest clusters
     * @param grace of the timelines that have one
     */
    RecoveryFigures(int files, Duration grace, Visits visits) {
        this.files = files;
        this.grace = grace;
        this.visits = visits;
    }

    public RecoveryReport of(ShownFigure shown) {
        return switch (shown) {
            case CACHES -> caches();
            case PLACEMENT -> placement();
            case CELLS -> cells();
            case FAILURES -> failures();
            case TIMELINE -> timeline();
        };
    }

    private RecoveryPlan plan(Policy policy, int sets, boolean warm) {
        return new RecoveryPlan(
                new StoredData(HOSTS, OSDS, true, files, FILE_BYTES, policy, sets),
                HARDWARE.with(visits).with(warm),
                HOST,
                RepairLimits.usual(Duration.ZERO),
                SEED);
    }

    private RecoveryResult run(RecoveryPlan plan) {
        RecoveryResult known = ran.get(plan);
        if (known == null) {
            known = RecoveryBed.run(plan);
            ran.put(plan, known);
        }
        return known;
    }

    private RecoveryReport caches() {
        RecoveryPlan base = plan(RS, SETS, false);
        List<RecoveryRow> all = new ArrayList<>();
        for (boolean warm : new boolean[] {false, true}) {
            List<RecoveryRow> rows = new ArrayList<>();
            for (Policy policy : List.of(RS, CLAY)) {
                rows.add(row(
                        ShownFigure.CACHES,
                        policy + (warm ? ", page cache" : ", disks"),
                        Map.of("state", warm ? "warm" : "cold"),
                        plan(policy, SETS, warm),
                        base,
                        warm ? OptionalDouble.empty() : OptionalDouble.of(policy.equals(RS) ? 1 : 1.11)));
            }
            all.addAll(judged(rows, 1.05));
        }
        return report(
                "2a: caches",
                all,
                List.of("the study's best is RS with autotune, its worst Clay with kv-optimized; datanodes have no such"
                        + " cache: beside their disks, sources in the page cache are shown"));
    }

    private RecoveryReport placement() {
        RecoveryPlan base = plan(RS, SETS, false);
        List<RecoveryRow> rows = new ArrayList<>();
        for (Policy policy : List.of(RS, CLAY)) {
            for (int sets : new int[] {1, 16, SETS, 0}) {
                OptionalDouble paper = OptionalDouble.empty();
                if (policy.equals(RS) && sets == SETS) {
                    paper = OptionalDouble.of(1);
                } else if (policy.equals(CLAY) && sets == 1) {
                    paper = OptionalDouble.of(1.35);
                }
                RecoveryRow row = row(
                        ShownFigure.PLACEMENT,
                        policy + (sets == 0 ? ", a set for each group" : ", " + sets + " sets"),
                        Map.of("sets", sets),
                        plan(policy, sets, false),
                        base,
                        paper);
                if (sets == SETS || sets == 0) {
                    row = row.with(Verdict.atMost("busiest target", row.result().busiestTarget(), 1.2));
                } else if (sets == 1 && policy.equals(CLAY)) {
                    row = row.with(Verdict.atMost("time", row.ours().getAsDouble(), 1.2));
                }
                rows.add(row);
            }
        }
        return report(
                "2b: placement",
                rows,
                List.of(
                        "files of ECFS have a set for each group; fewer sets are made for the figure alone",
                        "with one set a host has one datanode of it, with a chunk of every group: 2.5 times as"
                                + " many bytes"));
    }

    private RecoveryReport cells() {
        RecoveryPlan base = plan(Policy.parse("rs-9-3-4k"), SETS, false);
        List<RecoveryRow> all = new ArrayList<>();
        for (String code : List.of("rs-9-3", "clay-9-3-11")) {
            List<RecoveryRow> rows = new ArrayList<>();
            for (int kib : new int[] {4, 324, 1024, 4096, 8192}) {
                if (code.startsWith("rs") || kib >= 324) {
                    Policy policy = Policy.parse(code + "-" + kib + "k");
                    rows.add(row(
                            ShownFigure.CELLS,
                            policy.name(),
                            Map.of(),
                            plan(policy, SETS, false),
                            base,
                            kib == 4 ? OptionalDouble.of(1) : OptionalDouble.empty()));
                }
            }
            all.addAll(judged(rows, 1.3));
        }
        return report(
                "2c: cells",
                all,
                List.of(
                        "the study: RS with 64 MB takes 3.29 times that with 4 KB, Clay with 4 KB 4.26 times its best",
                        "cells of 64 MB are refused (8 MiB is the most), and of Clay(9,3,11) those below 324 KiB: they"
                                + " have 81 sub-chunks; tails are not padded"));
    }

    private RecoveryReport failures() {
        List<RecoveryRow> rows = new ArrayList<>();
        for (int count : new int[] {2, 3}) {
            for (Where where : List.of(Where.SAME_RACK, Where.OTHER_RACKS)) {
                RecoveryPlan base = failure(RS, count, where);
                for (Policy policy : List.of(RS, CLAY, LARGE_CLAY)) {
                    RecoveryRow row = row(
                            ShownFigure.FAILURES,
                            policy + ", " + count + (where == Where.SAME_RACK ? " of a host" : " of other hosts"),
                            Map.of("failed", count, "of", where == Where.SAME_RACK ? "host" : "hosts"),
                            failure(policy, count, where),
                            base,
                            OptionalDouble.empty());
                    rows.add(
                            policy.equals(RS)
                                    ? row
                                    : row.with(Verdict.atMost("time", row.ours().getAsDouble(), 1.05)));
                }
            }
        }
        return report(
                "2d: failures",
                rows,
                List.of(
                        "ratios are to RS with the same failures; the study: with three of one host Clay is faster, of"
                                + " three hosts RS",
                        "as there, hosts have three datanodes and chunks of a group may lie on one host"));
    }

    private RecoveryPlan failure(Policy policy, int count, Where where) {
        return new RecoveryPlan(
                new StoredData(HOSTS, OSDS_OF_FAILURES, false, files, FILE_BYTES, policy, SETS),
                HARDWARE.with(visits),
                new Victims(where, count),
                RepairLimits.usual(Duration.ZERO),
                SEED);
    }

    private RecoveryReport timeline() {
        List<RecoveryRow> rows = new ArrayList<>();
        for (Duration each : List.of(Duration.ZERO, grace)) {
            for (int share : new int[] {10, 3, 1}) {
                RecoveryPlan plan = new RecoveryPlan(
                        new StoredData(HOSTS, OSDS, true, files / share, FILE_BYTES, RS, SETS),
                        HARDWARE.with(visits),
                        HOST,
                        RepairLimits.usual(each),
                        SEED);
                RecoveryResult result = run(plan);
                boolean asPaper = share == 1 && !each.isZero();
                rows.add(new RecoveryRow(
                        ShownFigure.TIMELINE,
                        files / share + " files, grace " + each.toSeconds() + " s",
                        Map.of("size", files / share, "grace", each.toSeconds()),
                        plan,
                        result,
                        asPaper ? OptionalDouble.of(0.537) : OptionalDouble.empty(),
                        OptionalDouble.of(result.checkedShare()),
                        OptionalDouble.empty(),
                        limitSeconds(plan, result),
                        Verdict.atMost("CHECKING", result.checkingShare(), 0.01)));
            }
        }
        return report(
                "3: timeline; PAPER and OURS are (grace and checking) / (from suspicion to healed)",
                rows,
                List.of(
                        "the study: 53.7 % of 1,128 s is checking, 41 to 58 % by size: about Ceph's 600 s of"
                                + " mon_osd_down_out_interval, so a grace and no work, most likely",
                        "CHECKING is its share of all after the grace"));
    }

    /** @param base what its time is compared with */
    private RecoveryRow row(
            ShownFigure shown,
            String setting,
            Map<String, Object> params,
            RecoveryPlan plan,
            RecoveryPlan base,
            OptionalDouble paper) {
        RecoveryResult result = run(plan);
        RecoveryResult of = run(base);
        return new RecoveryRow(
                shown,
                setting,
                params,
                plan,
                result,
                paper,
                OptionalDouble.of(result.seconds(Phase.RECOVERY) / of.seconds(Phase.RECOVERY)),
                OptionalDouble.of(afterSuspicion(result) / afterSuspicion(of)),
                limitSeconds(plan, result),
                Optional.empty());
    }

    /** With the grace, which adds to nothing else. */
    private static double afterSuspicion(RecoveryResult result) {
        return result.totalSeconds() - result.seconds(Phase.NOTICE) - result.seconds(Phase.GRACE) + GRACE.toSeconds();
    }

    private static double limitSeconds(RecoveryPlan plan, RecoveryResult result) {
        var code = plan.data().policy().code();
        double read = plan.hardware().warm()
                ? 0
                : RepairReads.perByte(ErasureCodes.create(code, Kernels.java()), ChunkSet.range(0, code.chunks()));
        int dead = plan.victims().count()
                * (plan.victims().where() == Where.WHOLE_RACKS ? plan.data().datanodesPerRack() : 1);
        double left = plan.data().datanodes() - dead;
        return result.bytesLost() * (read + 2) / left / plan.hardware().disk().bytesPerSecond();
    }

    /** The same rows with the verdict on the slowest of them, beside the fastest. */
    private static List<RecoveryRow> judged(List<RecoveryRow> rows, double most) {
        double best = rows.stream().mapToDouble(RecoveryFigures::recovery).min().orElseThrow();
        RecoveryRow slowest = rows.stream()
                .max(Comparator.comparingDouble(RecoveryFigures::recovery))
                .orElseThrow();
        return rows.stream()
                .map(row -> row.equals(slowest) ? row.with(Verdict.atMost("spread", recovery(row) / best, most)) : row)
                .toList();
    }

    private static double recovery(RecoveryRow row) {
        return row.result().seconds(Phase.RECOVERY);
    }

    private static RecoveryReport report(String title, List<RecoveryRow> rows, List<String> notes) {
        boolean phases = rows.get(0).shown() == ShownFigure.TIMELINE;
        List<String> heads = new ArrayList<>(List.of("SETTING", "PAPER", "OURS"));
        heads.addAll(phases ? List.of("NOTICE", "GRACE", "CHECKING") : List.of("WITH GRACE"));
        heads.addAll(List.of(
                "RECOVERY s",
                "LIMIT s",
                "SETTLING",
                "LOST GB",
                "READ/BYTE",
                "MB/s",
                "BUSIEST TARGET",
                "BUSIEST DISK",
                "DISK %",
                "NET %",
                "CPU %",
                "GROUPS BY LOSSES",
                "TARGET"));
        List<List<String>> cells = new ArrayList<>();
        List<Figure> figures = new ArrayList<>();
        for (RecoveryRow row : rows) {
            RecoveryResult result = row.result();
            List<String> line = new ArrayList<>(List.of(row.setting(), ratio(row.paper()), ratio(row.ours())));
            if (phases) {
                line.add(number(result.seconds(Phase.NOTICE), 1));
                line.add(number(result.seconds(Phase.GRACE), 0));
                line.add(number(result.seconds(Phase.CHECKING), 3));
            } else {
                line.add(ratio(row.withGrace()));
            }
            line.addAll(List.of(
                    number(result.seconds(Phase.RECOVERY), 1),
                    number(row.limitSeconds(), 1),
                    number(result.seconds(Phase.SETTLING), 3),
                    number(result.bytesLost() / 1e9, 1),
                    number((double) result.bytesRead() / result.bytesRepaired(), 2),
                    number(result.rate(), 0),
                    number(result.busiestTarget(), 2),
                    number(result.busiestSource(), 2),
                    number(100 * result.use().disk(), 0),
                    number(100 * result.use().net(), 0),
                    number(100 * result.use().cpu(), 0),
                    losses(result),
                    row.target().map(Verdict::toString).orElse("")));
            cells.add(line);
            addFigures(row, figures);
        }
        return new RecoveryReport(rows, new Table(title, heads, cells), notes, figures);
    }

    private static String losses(RecoveryResult result) {
        StringBuilder text = new StringBuilder();
        for (int lost = 1; lost < result.groupsByLosses().size(); lost++) {
            int groups = result.groupsByLosses().get(lost);
            if (groups > 0) {
                text.append(text.isEmpty() ? "" : ", ")
                        .append(lost)
                        .append(": ")
                        .append(groups);
            }
        }
        return text.toString();
    }

    private static void addFigures(RecoveryRow row, List<Figure> figures) {
        RecoveryResult result = row.result();
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("figure", row.shown().word());
        params.put("policy", row.plan().data().policy().name());
        params.put("bed", "virtual");
        params.putAll(new TreeMap<>(row.params()));
        for (Phase phase : Phase.values()) {
            Map<String, Object> of = new LinkedHashMap<>(params);
            of.put("phase", phase.name());
            figures.add(new Figure("fault_phase", result.seconds(phase), "s", of));
        }
        figures.add(new Figure("fault_checking_share", result.checkingShare(), "ratio", params));
        Map<String, Object> rate = new LinkedHashMap<>(params);
        rate.put("limit_s", row.limitSeconds());
        rate.put("busiest_target", result.busiestTarget());
        rate.put("disk_use", result.use().disk());
        figures.add(new Figure("fault_recovery_rate", result.rate(), "MB/s", rate));
    }

    private static String ratio(OptionalDouble value) {
        return value.isPresent() ? number(value.getAsDouble(), 3) : "";
    }

    private static String number(double value, int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}
