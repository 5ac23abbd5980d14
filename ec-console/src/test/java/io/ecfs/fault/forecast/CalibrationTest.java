package io.ecfs.fault.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.advise.Bottleneck;
import io.ecfs.advise.Machines;
import io.ecfs.advise.RecoveryForecast;
import io.ecfs.advise.RecoveryTuning;
import io.ecfs.advise.RepairCpu;
import io.ecfs.console.command.option.DiskOption;
import io.ecfs.console.command.option.NetworkOption;
import io.ecfs.console.command.option.TimeSpan;
import io.ecfs.fault.lab.ClientCounts;
import io.ecfs.fault.lab.ExperimentResult;
import io.ecfs.fault.record.Phase;
import io.ecfs.fault.record.PhaseTimes;
import io.ecfs.layout.Policy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CalibrationTest {
    private static final MachineSpeed SPEED = new MachineSpeed(300e6, 900e6, 80e-6, 2.5e9, true);
    private static final RecoveryTuning TUNING =
            new RecoveryTuning(Duration.ofSeconds(10), Duration.ofMinutes(10), 200, 4);

    /** Rebuilt in three seconds from dead to healed. */
    private static ExperimentResult result(String policy, long rebuilt, long read, double cpuSeconds) {
        return new ExperimentResult(
                Policy.parse(policy),
                1,
                Map.of(),
                Map.of(),
                List.of(),
                new PhaseTimes(
                        0,
                        Map.of(
                                Phase.NOTICE, 1000L,
                                Phase.GRACE, 5000L,
                                Phase.CHECKING, 100L,
                                Phase.RECOVERY, 2700L,
                                Phase.SETTLING, 200L)),
                1,
                1,
                rebuilt,
                read,
                100,
                0,
                0,
                cpuSeconds,
                0,
                0,
                new ClientCounts(0, 0, 0, 0, List.of()),
                List.of(),
                Map.of(),
                List.of());
    }

    /** RS(6,3) takes so many times the usual 14.7 processor seconds a GB, and {@code once} beside that. */
    private static Calibration calibrated(double scale, double once) {
        return Calibration.of(
                SPEED,
                2,
                result("rs-6-3-1024k", 100_000_000, 600_000_000, scale * 1.47 + once),
                result("rs-6-3-1024k", 1_000_000_000, 6_000_000_000L, scale * 14.7 + once),
                10);
    }

    @Test
    void processorsThatTookTwiceAsLongAreHalfAsManyUsualOnes() {
        Calibration calibration = calibrated(2, 5);
        assertThat(calibration.cpu().scale()).isCloseTo(2, within(1e-9));
        assertThat(calibration.freshSeconds()).isCloseTo(0.5, within(1e-9));
        assertThat(calibration.cpuSecondsPerGigabyte()).isCloseTo(29.4, within(1e-6));
        assertThat(calibration.options()).isEqualTo("--disk 300MB/s --access 80us --net 20.0Gbit --cores 1.00");
    }

    @Test
    void fewerSecondsThanNoneOnceAreNone() {
        Calibration calibration = calibrated(2, -1);
        assertThat(calibration.freshSeconds()).isZero();
        assertThat(calibration.cpuSecondsPerGigabyte()).isCloseTo(28.4, within(1e-6));
    }

    /** Both forecasts are bound by processors. */
    @Test
    void theOptionsForecastWhatTheCalibrationDoes() {
        Calibration calibration = calibrated(20, 0);
        String[] words = calibration.options().split(" ", -1);
        assertThat(new DiskOption().convert(words[1])).isEqualTo(300e6);
        assertThat(new TimeSpan().convert(words[3])).isEqualTo(Duration.ofNanos(80_000));
        assertThat(new NetworkOption().convert(words[5])).isEqualTo(20);
        Policy policy = Policy.parse("rs-6-3-1024k");
        RecoveryForecast measured = RecoveryForecast.of(policy, 100e9, 10_000, calibration.machines(30), TUNING);
        RecoveryForecast given = RecoveryForecast.of(
                policy, 100e9, 10_000, new Machines(30, 300e6, 2.5e9, Double.parseDouble(words[7]), 80e-6), TUNING);
        assertThat(measured.bottleneck()).isEqualTo(Bottleneck.CPU);
        assertThat(given.seconds()).isCloseTo(measured.seconds(), within(1e-6));
    }

    @Test
    void recoveriesThatDoNotDifferCalibrateNothing() {
        ExperimentResult one = result("rs-6-3-1024k", 1, 6, 1);
        assertThatThrownBy(() -> Calibration.of(SPEED, 2, one, one, 10)).hasMessageContaining("of 1 and 1 bytes");
        ExperimentResult more = result("rs-6-3-1024k", 1_000_000_000, 6_000_000_000L, 0.5);
        assertThatThrownBy(() -> Calibration.of(SPEED, 2, one, more, 10))
                .hasMessageContaining("took 1.0 and 0.5 processor seconds");
        assertThatThrownBy(() -> new RepairCpu(Double.NaN)).hasMessageContaining("NaN times");
    }

    @Test
    void aRecoveryIsComparedFromDeadToHealed() {
        OneLoss one = OneLoss.HELD_OUT.get(0);
        Calibration calibration = new Calibration(SPEED, 2, RepairCpu.USUAL, 0);
        ExperimentResult result = result("rs-3-2-1024k", 100_000_000, 300_000_000, 1);
        CheckedRecovery checked = ForecastCheck.compare(one, result, calibration, TUNING);
        assertThat(checked.configuration()).isEqualTo("rs-3-2-1024k, 7 datanodes, 96x6m");
        assertThat(checked.measuredSeconds()).isEqualTo(3);
        // The one disk reads 300 MB, writes 100 MB and reads them back, 500 accesses; noticed and awaited for no time.
        assertThat(checked.bottleneck()).isEqualTo(Bottleneck.DISK);
        assertThat(checked.predictedSeconds()).isCloseTo(0.2 + 500e6 / 300e6 + 500 * 80e-6, within(1e-9));
        assertThat(checked.difference()).isCloseTo(checked.predictedSeconds() / 3 - 1, within(1e-12));
        assertThat(checked.holds()).isFalse();
        // Two cores compile six datanodes' code.
        CheckedRecovery fresh =
                ForecastCheck.compare(one, result, new Calibration(SPEED, 2, RepairCpu.USUAL, 1), TUNING);
        assertThat(fresh.bottleneck()).isEqualTo(Bottleneck.CPU);
        assertThat(fresh.predictedSeconds())
                .isCloseTo(0.2 + 3 + RepairCpu.USUAL.seconds(one.policy().code(), 300e6, 100e6) / 2, within(1e-9));
    }

    @Test
    void aThirdIsNearEnoughAndWhatWasNotMeasuredIsNot() {
        assertThat(checked(1, 1.34).holds()).isTrue();
        assertThat(checked(1, 0.66).holds()).isTrue();
        assertThat(checked(1, 1.36).holds()).isFalse();
        assertThat(checked(1, 0.64).holds()).isFalse();
        assertThat(checked(0, 1).holds()).isFalse();
    }

    private static CheckedRecovery checked(double measured, double predicted) {
        return new CheckedRecovery(
                "a", 1, 1, 1, measured, predicted, CheckedRecovery.difference(measured, predicted), Bottleneck.CPU);
    }

    @Test
    void noConfigurationThatCalibratesIsChecked() {
        assertThat(OneLoss.HELD_OUT).hasSizeGreaterThanOrEqualTo(6);
        assertThat(OneLoss.HELD_OUT.stream().map(OneLoss::policy))
                .doesNotHaveDuplicates()
                .doesNotContainAnyElementsOf(
                        OneLoss.TRAINING.stream().map(OneLoss::policy).toList());
    }

    @Test
    void theRepetitionInTheMiddleCounts() {
        List<ExperimentResult> results = List.of(
                result("rs-6-3-1024k", 1, 6, 3), result("rs-6-3-1024k", 1, 6, 1), result("rs-6-3-1024k", 1, 6, 2));
        assertThat(ForecastCheck.median(results, ExperimentResult::cpuSeconds).cpuSeconds())
                .isEqualTo(2);
        OneLoss.HELD_OUT.forEach(
                one -> assertThat(one.profile(false).repetitions()).isOdd().isGreaterThan(1));
    }
}
