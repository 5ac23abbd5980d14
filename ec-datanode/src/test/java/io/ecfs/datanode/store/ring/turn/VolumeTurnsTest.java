package io.ecfs.datanode.store.ring.turn;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.datanode.store.ring.StagedRoles.Wanted;
import io.ecfs.layout.RingId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.ring.RingClock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Turns of volumes between the clocks that a leader sends. */
class VolumeTurnsTest {
    private static final long MILLI = 1_000_000;
    private static final int COLOURS = 4;
    private static final int WRITERS = 2;
    private static final long PERIOD = 1000;
    private static final RingId RING = new RingId(1);

    private static RingClock clock(long epoch, int position, long toMove) {
        return clock(epoch, position, toMove, false);
    }

    private static RingClock paused(long epoch, int position) {
        return clock(epoch, position, PERIOD, true);
    }

    private static RingClock clock(long epoch, int position, long toMove, boolean paused) {
        List<RingClock.Coloured> volumes =
                List.of(new RingClock.Coloured(new VolumeId(1), 0), new RingClock.Coloured(new VolumeId(2), 2));
        return new RingClock(RING, epoch, COLOURS, WRITERS, PERIOD, position, toMove, paused, volumes);
    }

    private static VolumeTurns.Turn turn(VolumeTurns turns, int volume, long millis) {
        return turns.of(new VolumeId(volume), millis * MILLI).orElseThrow();
    }

    @Test
    void theNextReaderIsAtRestBeforeTheOldOneWrites() {
        VolumeTurns turns = new VolumeTurns();
        turns.follow(1, List.of(clock(1, 0, PERIOD)), 0);
        for (long at = 0; at < 20 * PERIOD; at += 10) {
            VolumeTurns.Turn one = turn(turns, 1, at);
            VolumeTurns.Turn two = turn(turns, 2, at);
            assertThat(one.wanted() == Wanted.READ || two.wanted() == Wanted.READ)
                    .as("one reads at %d", at)
                    .isTrue();
            boolean soon =
                    turn(turns, 1, at + VolumeTurns.GUARD.toMillis() - 10).wanted() == Wanted.READ;
            if (soon && one.wanted() != Wanted.READ) {
                assertThat(one.wanted()).as("before it reads, at %d", at).isEqualTo(Wanted.SETTLE);
            }
        }
        assertThat(turns.of(new VolumeId(3), 0)).as("in no ring").isEmpty();
    }

    @Test
    void aClockThatIsOffIsFollowedWithoutGoingBack() {
        VolumeTurns turns = new VolumeTurns();
        turns.follow(1, List.of(clock(1, 2, 500)), 0);
        turns.follow(1, List.of(clock(1, 2, 800)), 0); // 300 ms behind
        assertThat(turn(turns, 1, 0).skewed()).isTrue();
        long before = Long.MIN_VALUE;
        for (long at = 0; at < 5000; at += 10) {
            VolumeTurns.Turn turn = turn(turns, 1, at);
            long phase = Math.floorMod(turn.position() - 2, COLOURS) * PERIOD + PERIOD - turn.millisToMove();
            if (at < 2 * PERIOD) {
                assertThat(phase).isGreaterThanOrEqualTo(before);
                before = phase;
            }
        }
        assertThat(turn(turns, 1, 4000).skewed()).isFalse();
        assertThat(turn(turns, 1, 4000).position()).isEqualTo(2); // 4200 ms after position 2 began
        assertThat(turn(turns, 1, 4000).millisToMove()).isEqualTo(800);
    }

    @Test
    void aPausedRingStandsStillAndIsNotSkewed() {
        VolumeTurns turns = new VolumeTurns();
        turns.follow(1, List.of(clock(1, 1, 400)), 0);
        for (long at = 0; at < 5 * PERIOD; at += 500) {
            turns.follow(1, List.of(paused(2, 1)), at * MILLI);
            VolumeTurns.Turn turn = turn(turns, 1, at + 499);
            assertThat(turn.skewed()).as("at %d", at).isFalse();
            assertThat(turn.position()).isEqualTo(1);
            assertThat(turn.wanted()).isEqualTo(Wanted.OUTSIDE);
        }
        turns.follow(1, List.of(clock(3, 1, PERIOD)), 5 * PERIOD * MILLI);
        assertThat(turn(turns, 1, 6 * PERIOD + 1).position()).isEqualTo(2);
    }

    @Test
    void earlierEpochsAndEarlierLeadersAreRefusedAndLostOnesAreNotMissed() {
        VolumeTurns turns = new VolumeTurns();
        turns.follow(5, List.of(clock(3, 0, PERIOD)), 0);
        turns.follow(5, List.of(clock(2, 2, PERIOD)), 0);
        assertThat(turn(turns, 1, 0).epoch()).isEqualTo(3);
        turns.follow(4, List.of(), 0);
        assertThat(turn(turns, 1, 10 * PERIOD).position())
                .as("goes on by itself")
                .isEqualTo(2);
        turns.follow(6, List.of(), 0);
        assertThat(turns.of(new VolumeId(1), 0)).as("left the ring").isEmpty();
    }
}
