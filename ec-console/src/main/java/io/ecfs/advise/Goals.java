package io.ecfs.advise;

import io.ecfs.config.Sizes;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a policy should reach.
 *
 * @param losses any so many chunks of a group may be lost: from 1 to {@link #MOST_LOSSES}
 * @param recovery longest time from the death of a datanode until all that it had is rebuilt; empty: any
 * @param overhead most bytes on disks for each byte of the files, at least 1; empty: any
 */
public record Goals(int losses, Optional<Duration> recovery, OptionalDouble overhead) {
    public static final int MOST_LOSSES = 100;

    private static final double NANOS = 1e9;

    public Goals {
        Objects.requireNonNull(recovery, "recovery");
        Objects.requireNonNull(overhead, "overhead");
        if (losses < 1 || losses > MOST_LOSSES) {
            throw new IllegalArgumentException(
                    "losses to tolerate are 1 to " + MOST_LOSSES + ", got " + losses + ": use --tolerate 3");
        }
        if (recovery.isPresent() && recovery.get().toMillis() < 1) {
            throw new IllegalArgumentException(
                    "a recovery takes a millisecond or more, got " + recovery.get() + ": use --recover-in 15m");
        }
        if (overhead.isPresent() && !(overhead.getAsDouble() >= 1 && overhead.getAsDouble() <= MOST_LOSSES + 1)) {
            throw new IllegalArgumentException("an overhead is the bytes stored for each byte, from 1 to "
                    + (MOST_LOSSES + 1) + ", got " + overhead.getAsDouble() + ": use --overhead 1.5");
        }
    }

    /** Of the goal of recovery. */
    OptionalDouble recoverySeconds() {
        return recovery.map(time -> OptionalDouble.of(time.toNanos() / NANOS)).orElseGet(OptionalDouble::empty);
    }

    /** Those that a policy misses, by the names of the command's options, with its number and the goal's. */
    List<String> missed(Prospect prospect) {
        List<String> missed = new ArrayList<>();
        int survives = prospect.policy().code().survivedLosses();
        if (survives < losses) {
            missed.add("tolerate " + survives + " < " + losses);
        }
        int datanodes = prospect.machines().datanodes();
        if (datanodes < prospect.datanodesOfGroup()) {
            missed.add("datanodes " + datanodes + " < " + prospect.datanodesOfGroup());
        }
        double stored = prospect.stored().perByte();
        if (overhead.isPresent() && stored > overhead.getAsDouble()) {
            missed.add("overhead " + up(stored, 4) + " > " + overhead.getAsDouble());
        }
        if (recovery.isPresent()) {
            prospect.recovery()
                    .map(RecoveryForecast::seconds)
                    .filter(seconds -> seconds > recoverySeconds().orElseThrow())
                    .ifPresent(seconds ->
                            missed.add("recover-in " + up(seconds, 1) + "s > " + Sizes.text(recovery.get())));
        }
        return missed;
    }

    /** A number that misses a goal is not rounded to the goal. */
    private static String up(double value, int digits) {
        return BigDecimal.valueOf(value).setScale(digits, RoundingMode.CEILING).toPlainString();
    }
}
