package io.ecfs.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.bench.bed.Device;
import io.ecfs.bench.bed.recovery.DatanodeHardware;
import io.ecfs.bench.bed.recovery.DatanodeHardware.Visits;
import io.ecfs.bench.bed.recovery.RecoveryBed;
import io.ecfs.bench.bed.recovery.RecoveryPlan;
import io.ecfs.bench.bed.recovery.RecoveryResult;
import io.ecfs.bench.bed.recovery.RepairLimits;
import io.ecfs.bench.bed.recovery.StoredData;
import io.ecfs.bench.bed.recovery.Victims;
import io.ecfs.fault.record.Phase;
import io.ecfs.layout.Policy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvSource;

/** The model beside the bed: the death of one datanode, on clusters that the model was not made with. */
class RecoveryModelBedTest {
    private static final double TOLERANCE = 0.25;

    /** Policy, datanodes, files of so many MiB; disk MB/s, microseconds of an access, link MB/s, cores; limits. */
    @ParameterizedTest
    @CsvSource({
        "clay-6-3-8-1024k, 18, 600, 64, 400, 100, 1250, 4, 200, 4, DISK",
        "replication-3, 16, 1500, 16, 150, 200, 1250, 4, 200, 4, TARGET"
    })
    void forecastsARecoveryOfTheBed(ArgumentsAccessor row) {
        forecast(row);
    }

    /** Of other bottlenecks and more files. */
    @Tag("soak")
    @ParameterizedTest
    @CsvSource({
        "rs-10-4-1024k, 25, 800, 100, 180, 4000, 1250, 8, 200, 4, DISK",
        "clay-9-3-11-324k, 24, 600, 48, 125, 333, 1562, 2, 200, 4, DISK",
        "lrc-12-2-2-1024k, 40, 800, 48, 300, 150, 125, 4, 200, 4, NET",
        "rs-3-2-1024k, 12, 1200, 24, 1500, 30, 3000, 1, 200, 4, CPU",
        "rs-6-3-1024k, 30, 900, 40, 500, 80, 1250, 4, 12, 1, SLOTS"
    })
    void forecastsOtherRecoveriesOfTheBed(ArgumentsAccessor row) {
        forecast(row);
    }

    private static void forecast(ArgumentsAccessor row) {
        Policy policy = Policy.parse(row.getString(0));
        int datanodes = row.getInteger(1);
        int files = row.getInteger(2);
        long fileMib = row.getLong(3);
        long diskMegabytes = row.getLong(4);
        long accessMicros = row.getLong(5);
        long linkMegabytes = row.getLong(6);
        int cores = row.getInteger(7);
        int atOnce = row.getInteger(8);
        int perDatanode = row.getInteger(9);
        Bottleneck bottleneck = row.get(10, Bottleneck.class);
        RecoveryResult bed = RecoveryBed.run(new RecoveryPlan(
                new StoredData(datanodes, 1, true, files, fileMib << 20, policy, 0),
                new DatanodeHardware(
                        new Device(accessMicros * 1000, diskMegabytes * 1_000_000),
                        linkMegabytes * 1_000_000,
                        cores,
                        Visits.ONE_WHERE_FASTER),
                new Victims(Victims.Where.SAME_RACK, 1),
                RepairLimits.usual(Duration.ZERO).with(atOnce, perDatanode),
                11));
        RecoveryForecast forecast = new Prospect(
                        policy,
                        StoredFiles.of(policy, List.of(new FileSet(files, fileMib << 20)), 0),
                        RepairReading.of(policy.code()),
                        new Machines(datanodes, diskMegabytes * 1e6, linkMegabytes * 1e6, cores, accessMicros / 1e6),
                        new RecoveryModel(
                                new RecoveryTuning(Duration.ofSeconds(10), Duration.ZERO, atOnce, perDatanode)))
                .recovery()
                .orElseThrow();
        double measured = bed.seconds(Phase.RECOVERY);
        double work = forecast.workSeconds().get(forecast.bottleneck());
        assertThat(forecast.bottleneck()).isEqualTo(bottleneck);
        assertThat(work).as("%s", forecast.workSeconds()).isCloseTo(measured, within(TOLERANCE * measured));
        // Noticed on average half a heartbeat before the silence is complete; the bed's namenode plans at once.
        assertThat(forecast.waitSeconds())
                .isCloseTo(bed.seconds(Phase.NOTICE) + bed.seconds(Phase.CHECKING), within(1.3));
    }
}
