package io.ecfs.bench.erails;

import io.ecfs.bench.bed.cluster.ClusterSetting;
import io.ecfs.bench.bed.erails.cluster.DiskDirectories;
import io.ecfs.bench.bed.erails.cluster.RingClusterBed;
import io.ecfs.bench.bed.erails.cluster.RingMeasurement;
import io.ecfs.bench.report.Report;
import io.ecfs.console.local.Readiness;
import io.ecfs.env.Environment;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.RingRates;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Figures 9 and 10 on real daemons and real devices, beside the bounds of what a short calibration of the devices gave.
 */
public final class DisksFigure {
    private static final int OBJECTS = 2_000;
    private static final int QUICK_OBJECTS = 200;

    /** Of a group's names, checksums and partly filled blocks on one volume. */
    private static final long BESIDE_A_CHUNK = 16L << 10;

    private static final long LEAST_WRITES = 1_000;

    private final ErailsSetting setting;
    private final ClusterSetting cluster;
    private final DiskDirectories directories;
    private final Environment environment;

    /** @throws IllegalArgumentException for a setting that only the model knows */
    public DisksFigure(
            ErailsSetting setting, ClusterSetting cluster, DiskDirectories directories, Environment environment) {
        DaemonRuns.requireReal(setting);
        this.setting = setting;
        this.cluster = cluster;
        this.directories = directories;
        this.environment = environment;
    }

    /** @throws IllegalArgumentException for one that exists only in the model, or needs more directories */
    public void require(ErailsShown shown) {
        DaemonRuns.requireReal(shown);
        int colours = colours(shown);
        int given = directories.volumes().size();
        if (given < colours) {
            throw new IllegalArgumentException(shown.word() + " has " + colours + " colours, a volume each: name "
                    + colours + " directories in --dirs, got " + given);
        }
    }

    private static int colours(ErailsShown shown) {
        return 2 * shown.clusterWidth();
    }

    public Report report(ErailsShown shown, Readiness.Progress starting, Consumer<String> doing) throws IOException {
        require(shown);
        DiskDirectories used = directories.first(colours(shown));
        long chunkBytes = DaemonRuns.chunkBytes(setting, shown);
        long room = used.freeBytes() / (chunkBytes + BESIDE_A_CHUNK) / 2;
        if (room < LEAST_WRITES) {
            throw new EcfsException(
                    ErrorCode.NO_SPACE,
                    "volumes of --dirs may take " + (used.freeBytes() >> 20) + " MiB each beside the reserve of their"
                            + " device, which is too little: free some, or name larger devices");
        }
        Calibration calibration = Calibration.of(used, chunkBytes, setting, doing);
        DaemonRuns runs = new DaemonRuns(
                setting.with(calibration.slowest()),
                shown,
                new DaemonRuns.Bounds(RingPlans.DEPTH, 2 * room / 3, used.freeJournalBytes()));
        RingClusterBed.Measured measured = new RingClusterBed(cluster, environment, starting, doing, Optional.of(used))
                .run(runs.runs(setting.quick() ? QUICK_OBJECTS : OBJECTS));
        return report(shown, used.devices().size(), calibration, runs, measured);
    }

    private Report report(
            ErailsShown shown,
            int devices,
            Calibration calibration,
            DaemonRuns runs,
            RingClusterBed.Measured measured) {
        FigureRows rows = SeparationRows.of(shown, "disks", setting, Map.of("devices", devices));
        RingMeasurement ring = measured.ring();
        RingMeasurement alone = measured.alone();
        RingMeasurement mixed = measured.mixed();
        RingRates rates =
                RingPlans.rates(runs.setting(), runs.code(), runs.load().objectBytes(), colours(shown));
        double readers = Math.min(alone.readRate(), rates.reads());
        double bound = RingPlans.writeBound(runs.plan(), rates, ring.readRate());
        boolean judged = devices == colours(shown); // otherwise volumes disturb each other whatever they do
        rows.add(SeparationRows.readShare(ring.readRate() / readers, judged));
        rows.add(SeparationRows.writeShare(ring.writeRate() / bound, judged));
        rows.add(SeparationRows.p99(ring.readNanos().p99() / alone.readNanos().p99(), judged));
        rows.add(FigureRow.rate("reads", ring.readRate()).limit(rates.reads() / FigureRow.MEBI));
        rows.add(FigureRow.rate("reads alone", alone.readRate()).limit(rates.reads() / FigureRow.MEBI));
        rows.add(FigureRow.rate("writes", ring.writeRate()).limit(rates.writes() / FigureRow.MEBI));
        DipRow.of(ring.atTurns(), runs.load().objectBytes(), readers).ifPresent(rows::add);
        rows.add(SeparationRows.metadata(ring.metadata()).note("a page each"));
        rows.add(SeparationRows.mixedReadShare(mixed.readRate() / readers));
        rows.add(SeparationRows.mixedP99(
                mixed.readNanos().p99() / alone.readNanos().p99()));
        rows.add(FigureRow.rate("without ring: writes", mixed.writeRate()));
        calibration.lines().forEach(rows::note);
        if (devices == 1) {
            rows.note("ALL VOLUMES LIE ON ONE DEVICE: what one of them writes disturbs the reads of all others, so"
                    + " these figures tell nothing about separation.");
        } else if (!judged) {
            rows.note("The " + colours(shown) + " volumes lie on " + devices
                    + " devices: those that share one disturb each other.");
        }
        rows.note(runs.note(ring));
        return rows.report();
    }
}
