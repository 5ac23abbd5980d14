package io.ecfs.bench.erails;

import io.ecfs.bench.bed.erails.Load;
import io.ecfs.bench.bed.erails.RingPlan;
import io.ecfs.bench.bed.erails.Windows;
import io.ecfs.bench.bed.erails.cluster.RingClusterBed;
import io.ecfs.bench.bed.erails.cluster.RingMeasurement;
import io.ecfs.bench.report.Cells;
import io.ecfs.code.CodeSpec;
import io.ecfs.datanode.store.disk.JournalDirectory;
import io.ecfs.layout.Policy;
import java.util.List;

/** The runs of figures 9 and 10 on real daemons: reads alone, beside writes with a ring, and without. */
final class DaemonRuns {
    private static final double SECOND = 1e9;

    private final ErailsSetting setting;
    private final int k;
    private final CodeSpec code;
    private final Bounds bounds;
    private final Load load;
    private final RingPlan plan;

    /**
     * What a machine allows.
     *
     * @param readDepth reads under way, and twice as many as writes
     * @param writes with the ring, and twice as many as without
     * @param journalBytes of a volume
     */
    record Bounds(int readDepth, long writes, long journalBytes) {}

    /** Times of a run, in turns. */
    private record Turns(double warm, double measured) {}

    DaemonRuns(ErailsSetting given, ErailsShown shown, Bounds bounds) {
        this.k = shown.clusterWidth();
        this.code = RingPlans.code(k, k);
        this.bounds = bounds;
        boolean quick = given.quick();
        int rotations = quick ? 1 : 2;
        this.load = load(given, new Turns(quick ? 1 : code.chunks(), rotations * code.chunks()), bounds.writes);
        long wanted = RingPlans.array(given, code, load, Windows.FIXED).journalBytes();
        this.setting = given.withJournal(Math.max(JournalDirectory.LEAST_BYTES, Math.min(bounds.journalBytes, wanted)));
        this.plan = RingPlans.array(setting, code, load, Windows.FIXED);
    }

    /** @throws IllegalArgumentException for a setting that only the model knows */
    static void requireReal(ErailsSetting given) {
        if (given.failed() > 0
                || !given.skew().isZero()
                || given.alwaysDecodes()
                || given.guard().isPresent()) {
            throw new IllegalArgumentException(
                    "--failed, --skew, --guard and --always-decode are of --bed sim alone: leave them out");
        }
    }

    /** @throws IllegalArgumentException for a figure that exists only in the model */
    static void requireReal(ErailsShown shown) {
        if (shown.clusterWidth() == 0) {
            throw new IllegalArgumentException(
                    shown.word() + " is of --bed sim alone: on real daemons there are fig9 and fig10");
        }
    }

    /** Of an object on a volume. */
    static long chunkBytes(ErailsSetting setting, ErailsShown shown) {
        CodeSpec code = RingPlans.code(shown.clusterWidth(), shown.clusterWidth());
        return RingPlan.chunkBytes(RingPlans.objectBytes(setting, code), code);
    }

    /** With the journals of the runs. */
    ErailsSetting setting() {
        return setting;
    }

    CodeSpec code() {
        return code;
    }

    /** Of the run with the ring. */
    Load load() {
        return load;
    }

    RingPlan plan() {
        return plan;
    }

    /** @param objects that are read */
    RingClusterBed.Runs runs(int objects) {
        Load shorter = load(setting, setting.quick() ? new Turns(0.5, 2) : new Turns(1, 3), bounds.writes / 2);
        return new RingClusterBed.Runs(
                Policy.parse("rs-van-" + k + "-" + k + "-64k"),
                plan,
                plan.with(shorter.readOnly()),
                plan.with(shorter),
                objects);
    }

    private Load load(ErailsSetting of, Turns turns, long writes) {
        long objectBytes = RingPlans.objectBytes(of, code);
        double turn = RingPlans.turn(of, code, objectBytes).toNanos();
        return new Load(
                objectBytes,
                Load.ENDLESS,
                writes,
                RingPlans.READS_PER_WRITE,
                of.mix(),
                bounds.readDepth,
                bounds.readDepth / 2,
                Math.round((turns.warm + turns.measured) * turn),
                Math.round(turns.warm * turn));
    }

    /** What a run with the ring did besides, in a line. */
    String note(RingMeasurement ring) {
        List<String> parts = List.of(
                "T " + plan.turn().toMillis() + " ms, " + Cells.number((load.mostNanos() - load.warmNanos()) / SECOND)
                        + " s measured",
                "accepted " + Cells.number(ring.acceptedRate() / FigureRow.MEBI) + " MB/s, "
                        + Cells.number(ring.staged() / FigureRow.MEBI)
                        + " MiB of a volume staged at the end, of "
                        + Cells.number(plan.journalBytes() / FigureRow.MEBI),
                "of the chunks read " + Cells.number(100 * ring.disturbed()) + " % beside writes",
                "spills " + (ring.spills().isEmpty() ? "none" : ring.spills()) + ", late windows " + ring.late(),
                "processors " + Math.round(ring.processorsBusy()) + " % busy");
        return String.join("; ", parts) + ".";
    }
}
