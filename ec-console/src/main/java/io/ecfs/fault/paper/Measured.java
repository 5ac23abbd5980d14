package io.ecfs.fault.paper;

import io.ecfs.fault.lab.ExperimentResult;
import io.ecfs.fault.lab.Sensitivity;
import io.ecfs.fault.record.Phase;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Repetitions of one setting; numbers are medians. */
record Measured(List<ExperimentResult> results) {
    Measured {
        results = List.copyOf(results);
    }

    /** From dead to healed: the part that the setting can change. */
    double recoverySeconds() {
        return median(result -> result.phases().healingSeconds());
    }

    /** Of chunks that were rebuilt. */
    double repairedBytes() {
        return median(ExperimentResult::repairedBytes);
    }

    /** From dead to healed, for each rebuilt byte: the victims of two settings do not store the same. */
    double secondsPerByte() {
        return recoverySeconds() / Math.max(1, repairedBytes());
    }

    double seconds(Phase phase) {
        return median(result -> result.phases().seconds(phase).orElse(0));
    }

    double checkingShare() {
        return median(result -> result.phases().checkingShare());
    }

    double checkingShareOfThePaper() {
        return median(result -> result.phases().checkingShareOfThePaper());
    }

    double readPerByte() {
        return median(ExperimentResult::readPerByte);
    }

    private double median(ToDoubleFunction<ExperimentResult> of) {
        return Sensitivity.median(results.stream().map(of::applyAsDouble).toList());
    }
}
