package io.ecfs.fault.profile;

import io.ecfs.config.Key;
import io.ecfs.config.Nearest;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * One fault of an experiment.
 *
 * @param at since the faults began: then the load is on the disks
 * @param on moment of a repair at which it is injected, instead of {@code at}; with neither it follows when all faults
 *     before it are undone and the cluster is whole
 * @param fault as {@link FaultKind#word} writes it
 * @param victims whom it hurts
 * @param lasts until it is undone; empty: until the cluster has healed it, or, with what heals only when it is undone,
 *     as when a namenode was killed, for {@link #USUAL}
 * @param delay of each message or call, of slow links and devices
 * @param loss share of segments that a lossy link loses, in (0, 1)
 */
public record FaultStep(
        Optional<Duration> at,
        Optional<Moment> on,
        FaultKind fault,
        VictimRule victims,
        @Key("for") Optional<Duration> lasts,
        Duration delay,
        double loss) {
    /** How long a fault lasts that heals only when it is undone. */
    public static final Duration USUAL = Duration.ofSeconds(20);

    private static final Duration MOST = Duration.ofHours(24);
    private static final Duration USUAL_DELAY = Duration.ofMillis(100);
    private static final double USUAL_LOSS = 0.01;

    /** Moments of the first repair after an earlier fault. */
    public enum Moment {
        /** It is in the log. */
        ORDERED,
        /** A part of the chunk is on its target. */
        HALF_WRITTEN,
        /** The first chunk took its place. */
        PUBLISHED
    }

    public FaultStep {
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(on, "on");
        Objects.requireNonNull(fault, "fault");
        Objects.requireNonNull(victims, "victims");
        Objects.requireNonNull(lasts, "lasts");
        Objects.requireNonNull(delay, "delay");
        if (at.isPresent() && on.isPresent()) {
            throw new IllegalArgumentException(
                    "a fault begins at a time or on a moment of a repair: give 'at' or 'on'");
        }
        at.ifPresent(time -> requireTime("at", time, Duration.ZERO));
        lasts.ifPresent(time -> requireTime("for", time, Duration.ofMillis(1)));
        requireTime("delay", delay, Duration.ofMillis(1));
        if (!(loss > 0 && loss < 1)) {
            throw new IllegalArgumentException("loss is a share between 0 and 1, got " + loss + "; nearest valid is "
                    + (loss <= 0 ? "0.001" : "0.999"));
        }
        if (!fault.levels().contains(victims.level())) {
            String nearest = Nearest.to(
                    victims.level().word(),
                    fault.levels().stream().map(Level::word).toList());
            throw new IllegalArgumentException(fault.word() + " is injected into "
                    + fault.levels().stream().map(Level::word).toList() + ", got level "
                    + victims.level().word()
                    + "; nearest valid is " + nearest);
        }
    }

    /** Whether it waits for the end of all faults before it. */
    public boolean follows() {
        return at.isEmpty() && on.isEmpty();
    }

    public static FaultStep defaults() {
        return new FaultStep(
                Optional.empty(),
                Optional.empty(),
                FaultKind.KILL,
                VictimRule.defaults(),
                Optional.empty(),
                USUAL_DELAY,
                USUAL_LOSS);
    }

    private static void requireTime(String key, Duration time, Duration least) {
        if (time.compareTo(least) < 0 || time.compareTo(MOST) > 0) {
            throw new IllegalArgumentException(key + " must be from " + least.toMillis() + "ms to 24h, got "
                    + time.toMillis() + "ms; nearest valid is "
                    + (time.compareTo(least) < 0 ? least.toMillis() + "ms" : "24h"));
        }
    }
}
