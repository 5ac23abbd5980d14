package io.ecfs.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.code.CodeSpec;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecoveryModelTest {
    private static final Machines MACHINES = new Machines(31, 250e6, 1.25e9, 4);
    private static final RecoveryTuning TUNING = new RecoveryTuning(Duration.ofSeconds(10), Duration.ZERO, 200, 4);
    private static final Loss LOSS = new Loss(30e9, 3000, 6, 60, 6, 10e-9);

    private static RecoveryForecast forecast(Loss loss, Machines machines) {
        return new RecoveryModel(TUNING).forecast(loss, machines);
    }

    /** Whole chunks of so many sources, each in one run. */
    private static Loss loss(double bytes, double chunks, double read, double cpu) {
        return new Loss(bytes, chunks, read, read, read, cpu);
    }

    /**
     * 30 GB in 3000 chunks, 30 datanodes left. Sources read 180 GB at 7.5 GB/s in 180,000 runs of 0.1 ms: 24 s and 0.6;
     * the bytes pass links of 37.5 GB/s: 4.8 s; 300 s of 120 cores: 2.5 s; targets write and read back 60 GB, and sync
     * with 6000 accesses: 8 s and 0.02; 25 rounds of 120 chunks: computed for 0.1 s, read back in 0.04 s and 0.2 ms,
     * 0.01 s for the rest. 18000 chunks are read from 30 datanodes: sqrt(2 ln 30 / 600) = 0.1065 more.
     */
    @Test
    void theTermsOfACaseComputedByHand() {
        RecoveryForecast forecast = forecast(LOSS, MACHINES);
        assertThat(forecast.skew()).isCloseTo(1.1065, within(1e-4));
        assertThat(forecast.workSeconds().get(Bottleneck.DISK)).isCloseTo(24.6 * 1.1065 + 8.02, within(0.002));
        assertThat(forecast.workSeconds().get(Bottleneck.NET)).isCloseTo(4.8 * 1.1065, within(0.001));
        assertThat(forecast.workSeconds().get(Bottleneck.CPU)).isCloseTo(2.5, within(1e-9));
        assertThat(forecast.workSeconds().get(Bottleneck.TARGET)).isCloseTo(8.02, within(1e-9));
        assertThat(forecast.workSeconds().get(Bottleneck.SLOTS)).isCloseTo(25 * 0.1502, within(1e-9));
        assertThat(forecast.bottleneck()).isEqualTo(Bottleneck.DISK);
        assertThat(forecast.seconds()).isCloseTo(10.2 + 24.6 * 1.1065 + 8.02, within(0.002));
    }

    /** Uncapped, of two datanodes: 1 + sqrt(2 ln 2) = 2.18; of 30 that are read six times: 1 + sqrt(2 ln 30). */
    @Test
    void theSkewOfFewReadsIsBounded() {
        assertThat(forecast(loss(1e6, 0.5, 1, 0), MACHINES.withDatanodes(3)).skew())
                .isEqualTo(2);
        assertThat(forecast(loss(1e6, 1, 6, 0), MACHINES).skew()).isCloseTo(3.608, within(1e-3));
    }

    /** bytes, chunks, read a byte, CPU seconds a GB; disk MB/s, net MB/s, cores. */
    @ParameterizedTest
    @CsvSource({
        "30e9, 3000, 6, 10, 250, 1250, 4, DISK",
        "30e9, 3000, 6, 10, 250, 125, 4, NET",
        "30e9, 3000, 6, 100, 2500, 12500, 1, CPU",
        "30e9, 3000, 1, 4, 250, 1250, 16, TARGET",
        "30e6, 3000, 6, 10, 250, 1250, 4, SLOTS"
    })
    void eachPartCanBeTheBottleneck(
            double bytes, double chunks, double read, double cpu, double disk, double net, int cores, Bottleneck is) {
        RecoveryForecast forecast =
                forecast(loss(bytes, chunks, read, cpu / 1e9), new Machines(31, disk * 1e6, net * 1e6, cores));
        assertThat(forecast.bottleneck()).isEqualTo(is);
    }

    /** RS(6,3) took 14.7 processor seconds a GB: docs/benchmarks.md. */
    @Test
    void theProcessorTimeOfTheMeasuredCodeIsTheMeasuredOne() {
        assertThat(RepairCpu.secondsPerByte(CodeSpec.rs(6, 3), 6)).isCloseTo(14.7e-9, within(1e-12));
        assertThat(RepairCpu.secondsPerByte(CodeSpec.parse("clay-6-3-8"), 8 / 3.0))
                .isBetween(7e-9, 9e-9);
    }

    /** The same files on one datanode more, on faster machines, with more slots; and more files. */
    @Test
    void whatIsBetterIsNeverSlower() {
        Random random = new Random(25);
        for (int i = 0; i < 20_000; i++) {
            int datanodes = 2 + random.nextInt(i % 2 == 0 ? 40 : 5000);
            double bytes = Math.pow(10, 6 + 9 * random.nextDouble());
            double chunks = Math.pow(10, 1 + 7 * random.nextDouble());
            double read = 1 + 20 * random.nextDouble();
            double cpu = 30e-9 * random.nextDouble();
            Machines machines = new Machines(
                    datanodes,
                    Math.pow(10, 7 + 3 * random.nextDouble()),
                    Math.pow(10, 8 + 2 * random.nextDouble()),
                    1 + random.nextInt(64));
            RecoveryTuning tuning = new RecoveryTuning(
                    Duration.ofSeconds(10), Duration.ZERO, 1 + random.nextInt(400), 1 + random.nextInt(8));
            double seconds = seconds(tuning, machines, bytes, chunks, read, cpu);
            String what = machines + " " + tuning + " bytes=" + bytes + " chunks=" + chunks + " read=" + read;
            double slack = 1e-9 * seconds;
            assertThat(seconds(tuning, machines.withDatanodes(datanodes + 1), bytes, chunks, read, cpu))
                    .as(what)
                    .isLessThanOrEqualTo(seconds + slack);
            Machines faster = new Machines(
                    datanodes,
                    2 * machines.diskBytesPerSecond(),
                    2 * machines.netBytesPerSecond(),
                    machines.cores() + 1);
            assertThat(seconds(tuning, faster, bytes, chunks, read, cpu))
                    .as(what)
                    .isLessThanOrEqualTo(seconds + slack);
            RecoveryTuning wider =
                    new RecoveryTuning(tuning.notice(), tuning.grace(), tuning.atOnce() + 1, tuning.perDatanode() + 1);
            assertThat(seconds(wider, machines, bytes, chunks, read, cpu))
                    .as(what)
                    .isLessThanOrEqualTo(seconds + slack);
            assertThat(seconds(tuning, machines, 2 * bytes, chunks, read, cpu))
                    .as(what)
                    .isGreaterThanOrEqualTo(seconds - slack);
        }
    }

    private static double seconds(
            RecoveryTuning tuning, Machines machines, double bytes, double chunks, double read, double cpu) {
        int datanodes = machines.datanodes();
        return new RecoveryModel(tuning)
                .forecast(loss(bytes / datanodes, chunks / datanodes, read, cpu), machines)
                .seconds();
    }

    @Test
    void graceAndNoticeAreInTheTime() {
        RecoveryTuning patient = new RecoveryTuning(Duration.ofSeconds(10), Duration.ofMinutes(10), 200, 4);
        assertThat(new RecoveryModel(patient).forecast(LOSS, MACHINES).seconds())
                .isCloseTo(600 + forecast(LOSS, MACHINES).seconds(), within(1e-9));
    }

    @Test
    void refusesWhatCannotBe() {
        assertThatThrownBy(() -> forecast(LOSS, MACHINES.withDatanodes(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nothing is rebuilt");
        for (double[] bad :
                new double[][] {{0, 1, 1, 0}, {1, 0, 1, 0}, {1, 1, 0, 0}, {1, 1, 1, -1}, {Double.NaN, 1, 1, 0}}) {
            assertThatThrownBy(() -> loss(bad[0], bad[1], bad[2], bad[3])).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> new RecoveryTuning(Duration.ZERO, Duration.ofSeconds(-1), 1, 1))
                .hasMessageContaining("--grace 10m");
        assertThatThrownBy(() -> new RecoveryTuning(Duration.ZERO, Duration.ZERO, 0, 1))
                .hasMessageContaining("at least 1");
    }
}
