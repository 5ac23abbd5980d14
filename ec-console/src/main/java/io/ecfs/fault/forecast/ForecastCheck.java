package io.ecfs.fault.forecast;

import io.ecfs.advise.Bottleneck;
import io.ecfs.advise.RecoveryForecast;
import io.ecfs.advise.RecoveryTuning;
import io.ecfs.console.local.Readiness;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.fault.lab.ExperimentResult;
import io.ecfs.fault.lab.FaultLab;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/** Measures this machine, and checks forecasts of recoveries against clusters on it. For one thread. */
public final class ForecastCheck {
    private final Optional<Path> parent;
    private final Consumer<String> doing;
    private final Readiness.Progress progress;

    /**
     * @param parent of the clusters' directories, on the disk that is measured; empty: where the system has temporary
     *     files
     * @param doing notified of the current step
     */
    public ForecastCheck(Optional<Path> parent, Consumer<String> doing, Readiness.Progress progress) {
        this.parent = parent;
        this.doing = doing;
        this.progress = progress;
    }

    /** Disk and loopback alone, then the processors by recoveries of two clusters. */
    public Calibration calibrate() throws Exception {
        doing.accept("measuring the disk and the loopback");
        MachineSpeed speed = MachineSpeed.measure(parent);
        int cores = Runtime.getRuntime().availableProcessors();
        List<ExperimentResult> training = new ArrayList<>();
        for (OneLoss one : OneLoss.TRAINING) {
            training.add(median(run(one, speed.cold()), ExperimentResult::cpuSeconds));
        }
        return Calibration.of(
                speed,
                cores,
                training.get(0),
                training.get(1),
                OneLoss.TRAINING.get(0).datanodes() - 1);
    }

    /**
     * Runs all held-out configurations.
     *
     * @param tuning of a namenode
     * @param checked notified of each as soon as it was measured
     */
    public void check(Calibration calibration, RecoveryTuning tuning, Consumer<CheckedRecovery> checked)
            throws Exception {
        for (OneLoss one : OneLoss.HELD_OUT) {
            ExperimentResult result = median(run(one, calibration.speed().cold()), ForecastCheck::healingSeconds);
            checked.accept(compare(one, result, calibration, tuning));
        }
    }

    /** The forecast is that of what the victim had: how full the fullest is, is not the model's. */
    static CheckedRecovery compare(
            OneLoss one, ExperimentResult result, Calibration calibration, RecoveryTuning tuning) {
        int left = one.datanodes() - 1;
        RecoveryForecast forecast = RecoveryForecast.of(
                        one.policy(),
                        (double) result.repairedBytes(),
                        (double) result.repaired(),
                        calibration.shared(),
                        Calibration.shared(tuning, left))
                .plus(Bottleneck.CPU, left * calibration.freshSeconds() / calibration.cores());
        double measured = healingSeconds(result);
        return new CheckedRecovery(
                one.words(),
                result.repairedBytes(),
                result.cpuSeconds(),
                forecast.workSeconds().get(Bottleneck.CPU) * calibration.cores(),
                measured,
                forecast.seconds(),
                CheckedRecovery.difference(measured, forecast.seconds()),
                forecast.bottleneck());
    }

    private List<ExperimentResult> run(OneLoss one, boolean cold) throws Exception {
        List<ExperimentResult> results = new ArrayList<>();
        new FaultLab(one.profile(cold), parent, doing, progress).run(results::add);
        for (ExperimentResult result : results) {
            if (!result.problems().isEmpty() || result.repaired() == 0) {
                throw new EcfsException(
                        ErrorCode.INTERNAL,
                        one.words() + ": "
                                + (result.problems().isEmpty()
                                        ? "nothing was rebuilt"
                                        : String.join("; ", result.problems())));
            }
        }
        return results;
    }

    /** A recovery of some seconds differs by a third from the next one: background work of a few JVMs is beside it. */
    static ExperimentResult median(List<ExperimentResult> repetitions, ToDoubleFunction<ExperimentResult> of) {
        return repetitions.stream()
                .sorted(Comparator.comparingDouble(of))
                .toList()
                .get(repetitions.size() / 2);
    }

    private static double healingSeconds(ExperimentResult result) {
        return result.phases().healingSeconds();
    }
}
