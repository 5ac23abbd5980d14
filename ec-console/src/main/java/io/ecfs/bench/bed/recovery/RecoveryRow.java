package io.ecfs.bench.bed.recovery;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One setting of a figure. Times are compared as ratios, since the study's bars have no numbers.
 *
 * @param setting for people
 * @param params that tell it from the others of its figure
 * @param paper ratio that the study names; empty where it names none
 * @param ours the same ratio of RECOVERY alone
 * @param withGrace the same of all from the suspicion on, with a grace of ten minutes
 * @param limitSeconds of RECOVERY if all disks that are left had equal parts of the fewest bytes, in one run each
 * @param target verdict; empty where there is no target
 */
public record RecoveryRow(
        ShownFigure shown,
        String setting,
        Map<String, Object> params,
        RecoveryPlan plan,
        RecoveryResult result,
        OptionalDouble paper,
        OptionalDouble ours,
        OptionalDouble withGrace,
        double limitSeconds,
        Optional<Verdict> target) {
    /** @param text {@code <= 1.20} */
    public record Verdict(String text, boolean met) {
        /** At most so much. */
        static Optional<Verdict> atMost(String what, double value, double bound) {
            return Optional.of(
                    new Verdict(String.format(Locale.ROOT, "%s %.3g <= %.3g", what, value, bound), value <= bound));
        }

        @Override
        public String toString() {
            return text + (met ? ": met" : ": SHORT");
        }
    }

    RecoveryRow with(Optional<Verdict> verdict) {
        return new RecoveryRow(shown, setting, params, plan, result, paper, ours, withGrace, limitSeconds, verdict);
    }
}
