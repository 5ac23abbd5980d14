package io.ecfs.datanode.store.ring.turn;

import io.ecfs.datanode.store.ring.StagedRoles.Wanted;
import io.ecfs.layout.Ring;
import io.ecfs.layout.RingId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.ring.RingClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the rings of a datanode want of its volumes at each moment, from the clocks that the leader sends. For one
 * thread.
 */
public final class VolumeTurns {
    /** Time before a turn in which a volume that will read comes to rest, and most that a clock may be off. */
    public static final Duration GUARD = Duration.ofMillis(RingClock.GUARD_MILLIS);

    private static final Logger LOG = LoggerFactory.getLogger(VolumeTurns.class);
    private static final long MILLI = 1_000_000;

    private final Map<RingId, RingPhase> rings = new TreeMap<>();
    private boolean known;
    private long term;

    /**
     * A volume's place in its ring now.
     *
     * @param skewed whether the clock is off by more than the guard: then it does not say who reads
     */
    public record Turn(
            RingId ring,
            long epoch,
            int position,
            long millisToMove,
            Wanted wanted,
            Duration rotation,
            boolean skewed) {}

    /**
     * Follows the clocks of a leader; a ring that is not among them has none of this datanode's volumes any more.
     *
     * @param leaderTerm an earlier leader's clocks are not followed
     */
    public void follow(long leaderTerm, List<RingClock> clocks, long nowNanos) {
        if (leaderTerm < term) {
            return;
        }
        term = leaderTerm;
        known = true;
        Set<RingId> there = clocks.stream().map(RingClock::ring).collect(Collectors.toSet());
        rings.keySet().retainAll(there);
        for (RingClock clock : clocks) {
            RingPhase phase = rings.get(clock.ring());
            if (phase == null) {
                rings.put(clock.ring(), new RingPhase(clock, nowNanos));
            } else if (!phase.follow(clock, nowNanos)) {
                LOG.warn(
                        "event=ring_clock_refused ring={} epoch={} following={}",
                        clock.ring(),
                        clock.epoch(),
                        phase.clock().epoch());
            } else if (phase.skewNanos(nowNanos) > GUARD.toNanos()) {
                LOG.warn("event=ring_clock_off ring={} millis={}", clock.ring(), phase.skewNanos(nowNanos) / MILLI);
            }
        }
    }

    /** Returns whether a leader has said which rings there are. */
    public boolean known() {
        return known;
    }

    /** The turn of a volume; empty for one that is in no ring, or a spare. */
    public Optional<Turn> of(VolumeId volume, long nowNanos) {
        for (RingPhase phase : rings.values()) {
            Optional<Integer> colour = phase.colourOf(volume);
            if (colour.isPresent()) {
                return Optional.of(turn(phase, colour.get(), nowNanos));
            }
        }
        return Optional.empty();
    }

    private static Turn turn(RingPhase phase, int colour, long now) {
        RingClock clock = phase.clock();
        int position = phase.position(now);
        long toMove = phase.nanosToMove(now);
        return new Turn(
                clock.ring(),
                clock.epoch(),
                position,
                Math.min(clock.periodMillis(), toMove / MILLI),
                wanted(clock, colour, position, toMove),
                Duration.ofNanos(phase.cycle()),
                phase.skewNanos(now) > GUARD.toNanos());
    }

    private static Wanted wanted(RingClock clock, int colour, int position, long toMove) {
        if (clock.paused()) {
            return Wanted.OUTSIDE;
        }
        Ring ring = clock.shape();
        if (!ring.writes(colour, position)) {
            return Wanted.READ;
        }
        return ring.turnsUntilReading(colour, position) == 1 && toMove <= GUARD.toNanos()
                ? Wanted.SETTLE
                : Wanted.WRITE;
    }
}
