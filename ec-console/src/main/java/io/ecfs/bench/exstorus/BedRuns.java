package io.ecfs.bench.exstorus;

import io.ecfs.bench.bed.write.MasterChoice;
import io.ecfs.bench.bed.write.WriteBed;
import io.ecfs.bench.bed.write.WriteBedPlan;
import io.ecfs.bench.bed.write.WriteBedResult;
import io.ecfs.console.forecast.ForecastDefaults;
import io.ecfs.layout.Policy;
import io.ecfs.layout.WriteSide;
import io.ecfs.plan.write.Network;
import io.ecfs.plan.write.WriteConstants;
import io.ecfs.plan.write.WriteCost;
import io.ecfs.plan.write.WriteShape;
import io.ecfs.plan.write.WriteStep;
import io.ecfs.plan.write.WriteSystem;
import java.util.EnumMap;
import java.util.Map;

/**
 * The paper's experiment on the bed in virtual time: one client, one datanode for each chunk, the master fixed, records
 * of one size written to one file by {@code dd}. All records take the same time there, so some are run and the sums are
 * scaled to the paper's 50,000.
 *
 * <p>The paper's stripe of 6 K has cells of 1 K, ours have 4 K at least. A record of up to 16 K shares or fills a
 * stripe of such cells; for longer ones the policy's cells are R/k: a record is one stripe and each slave gets R/k.
 */
public final class BedRuns {
    /** k of the paper. */
    public static final int DATA = 4;

    /** m of the paper. */
    public static final int PARITY = 2;

    private static final int LEAST_CELL = 4096;
    private static final int QUICK_STRIPES = 200;
    private static final int STRIPES = 2000;

    private static final double NANOS = 1e9;

    /** The paper's ten disks in each server. */
    private static final double DISK_BYTES = 1.5e9;

    private final ExstorusPlan plan;

    BedRuns(ExstorusPlan plan) {
        this.plan = plan;
    }

    /** A cell for the record, so that a slave gets R/k where that is a cell. */
    public static long cellBytes(int dataChunks, long recordBytes) {
        return Math.max(LEAST_CELL, recordBytes / dataChunks);
    }

    WriteCost cost(WriteConstants constants, WriteSide side, double gigabits, int k, int m, long cell, long record) {
        return new WriteCost(
                constants,
                new WriteShape(side, k, m, cell, record, PaperRow.RECORDS * record, Policy.MAX_CHUNK_BYTES * k),
                Network.ofGigabits(gigabits, plan.latencyNanos()));
    }

    /** Of the paper's code with our constants. */
    WriteCost cost(WriteSide side, double gigabits, long record) {
        return cost(plan.constants(), side, gigabits, DATA, PARITY, cellBytes(DATA, record), record);
    }

    /** One client and a datanode for each chunk. */
    public static WriteSystem system(WriteCost cost, int window) {
        return system(1, cost.shape().chunks(), window);
    }

    /** The paper's servers. */
    static WriteSystem system(int clients, int datanodes, int window) {
        return new WriteSystem(clients, datanodes, window, ForecastDefaults.CORES, DISK_BYTES);
    }

    /** @param window stripes under way */
    WriteBedResult run(WriteCost cost, int window) {
        long stripe = cost.shape().dataChunks() * cost.shape().cellBytes();
        return WriteBed.run(new WriteBedPlan(
                cost,
                system(cost, window),
                (plan.quick() ? QUICK_STRIPES : STRIPES) * stripe,
                MasterChoice.FIXED,
                plan.torus(),
                plan.seed()));
    }

    /**
     * Seconds of 50,000 records, one stripe at a time.
     *
     * @param steps the five
     * @param elapsed from the first record to the last answer
     */
    record Serial(Map<WriteStep, Double> steps, double elapsed) {
        double sum() {
            return steps.values().stream().mapToDouble(Double::doubleValue).sum();
        }
    }

    Serial serial(WriteCost cost) {
        WriteBedResult result = run(cost, 1);
        double scale = (double) PaperRow.RECORDS * cost.shape().recordBytes() / result.bytes();
        Map<WriteStep, Double> seconds = new EnumMap<>(WriteStep.class);
        result.stepSeconds().forEach((step, sum) -> seconds.put(step, sum * scale));
        return new Serial(seconds, result.seconds() * scale);
    }

    /** Seconds of 50,000 records in which a master distributes under other steps. */
    static double hiddenSeconds(WriteCost cost) {
        return PaperRow.RECORDS * cost.hiddenNanos() / NANOS;
    }
}
