package io.ecfs.bench.bed.erails;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.code.CodeSpec;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Ring;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RingBedTest {
    private static final CodeSpec CODE = Policy.parse("rs-van-3-3-64k").code();
    private static final long MIB = 1 << 20;
    private static final long SECOND = 1_000_000_000L;

    /** Turns of a second: a rotation of six. */
    private static final Duration TURN = Duration.ofSeconds(1);

    private static Load load(double readsPerWrite, Load.Mix mix, long seconds) {
        return new Load(128 << 10, Load.ENDLESS, Load.ENDLESS, readsPerWrite, mix, 32, 32, seconds * SECOND, 0);
    }

    private static RingPlan plan(Load load, Windows windows, Duration guard, int writers, int failed, long skew) {
        return plan(load, windows, guard, writers, failed, skew, 160 * MIB);
    }

    private static RingPlan plan(
            Load load, Windows windows, Duration guard, int writers, int failed, long skew, long journal) {
        List<RingGroup> groups = IntStream.range(0, 6)
                .mapToObj(shift -> new RingGroup(IntStream.range(0, 6)
                        .map(index -> (index + shift) % 6)
                        .boxed()
                        .toList()))
                .toList();
        return new RingPlan(
                CODE,
                IntStream.range(0, 6).boxed().toList(),
                groups,
                new Ring(6, writers),
                windows,
                TURN,
                guard,
                Medium.SSD.device(OptionalDouble.empty(), RingPlan.chunkBytes(load.objectBytes(), CODE)),
                load,
                journal,
                failed,
                skew,
                CodingTimes.constant(8e9),
                1,
                4,
                false,
                1);
    }

    private static final Load OPEN = load(3, Load.Mix.DISPATCH, 7);
    private static final Duration GUARD = Duration.ofMillis(250);

    private static final RingOutcome READ_ONLY = RingBed.run(plan(OPEN.readOnly(), Windows.FIXED, GUARD, 3, 0, 0));

    private static double bytesAtTurns(RingOutcome outcome) {
        assertThat(outcome.atTurns().over()).hasMillis(100);
        return OPEN.objectBytes() * outcome.atTurns().rate();
    }

    /** With few reads a tenth of a second says nothing: as long as a hundred of them take is compared. */
    @Test
    void dipsAreThoseOfAHundredReads() {
        RateLog log = new RateLog();
        for (long at = 0; at < 10 * SECOND; at += SECOND / 200) { // two hundred a second, but for a tenth after a turn
            if (at < 5 * SECOND || at >= 5 * SECOND + SECOND / 10) {
                log.add(at);
            }
        }
        RateLog.Dip dip = log.dipAtTurns(5 * SECOND, Duration.ofSeconds(5), 0, 10 * SECOND);
        assertThat(dip.over().toMillis()).isBetween(500L, 525L);
        assertThat(dip.rate()).isCloseTo(160, within(5.0));
        assertThat(log.dipAtTurns(20 * SECOND, TURN, 0, 10 * SECOND).isKnown()).isFalse();
    }

    @Test
    void readsBesideWritesAreAsFastAsAloneWithFixedWindows() {
        RingOutcome ring = RingBed.run(plan(OPEN, Windows.FIXED, GUARD, 3, 0, 0));
        assertThat(READ_ONLY.readRate() / MIB).isCloseTo(816, within(4.0));
        assertThat(ring.readRate()).isGreaterThan(0.99 * READ_ONLY.readRate());
        assertThat(ring.readNanos().p99())
                .isLessThan(1.05 * READ_ONLY.readNanos().p99());
        assertThat(ring.readNanos().p999())
                .isLessThan(1.2 * READ_ONLY.readNanos().p999());
        assertThat(bytesAtTurns(ring)).isGreaterThan(0.97 * READ_ONLY.readRate());
        double unguarded = 1 - 0.5 / 3;
        assertThat(ring.writeRate() / MIB).isBetween(0.95 * 78 * unguarded, 78.0);
        assertThat(ring.late()).isZero();
        assertThat(ring.spilledBytes()).isZero();
        assertThat(ring.besideWriters()).isZero();
        assertThat(ring.decoded()).isCloseTo(0.5, within(0.01));
    }

    @Test
    void withoutAGuardReadsDipAtTurns() {
        RingOutcome ring = RingBed.run(plan(OPEN, Windows.FIXED, Duration.ZERO, 3, 0, 0));
        assertThat(bytesAtTurns(ring)).isLessThan(0.5 * READ_ONLY.readRate());
        assertThat(ring.late()).isPositive();
    }

    @Test
    void withoutRolesReadsSufferFromWrites() {
        RingOutcome mixed = RingBed.run(plan(OPEN, Windows.NONE, GUARD, 3, 0, 0));
        assertThat(mixed.readRate()).isLessThan(0.5 * READ_ONLY.readRate());
        assertThat(mixed.readNanos().p99())
                .isGreaterThan(5 * READ_ONLY.readNanos().p99());
    }

    @Test
    void clocksMayDifferByLessThanTheGuard() {
        RingOutcome ring = RingBed.run(plan(OPEN, Windows.FIXED, GUARD, 3, 0, SECOND / 10));
        assertThat(ring.readRate()).isGreaterThan(0.99 * READ_ONLY.readRate());
        RingOutcome far = RingBed.run(plan(OPEN, Windows.FIXED, GUARD, 3, 0, SECOND * 6 / 10));
        assertThat(far.readRate()).isLessThan(0.95 * READ_ONLY.readRate());
    }

    @Test
    void aFailedVolumeCostsNoSeparationWhereThereIsSlack() {
        RingOutcome alone = RingBed.run(plan(OPEN.readOnly(), Windows.FIXED, GUARD, 2, 1, 0));
        RingOutcome slack = RingBed.run(plan(OPEN, Windows.FIXED, GUARD, 2, 1, 0));
        assertThat(slack.readRate()).isGreaterThan(0.99 * alone.readRate());
        assertThat(slack.besideWriters()).isZero();
        RingOutcome none = RingBed.run(plan(OPEN, Windows.FIXED, GUARD, 3, 1, 0));
        assertThat(none.besideWriters()).isPositive();
        assertThat(none.readRate()).isLessThan(0.8 * READ_ONLY.readRate());
    }

    @Test
    void aFullJournalDelaysAndSpillsAtATenthOfTheDevice() {
        RingOutcome small = RingBed.run(plan(OPEN, Windows.FIXED, GUARD, 3, 0, 0, 64 << 10));
        assertThat(small.mostStaged()).isLessThanOrEqualTo(64 << 10);
        assertThat(small.spilledBytes()).isPositive().isLessThan((long) (7 * 6 * 0.1 * 52 * MIB));
        assertThat(small.writeNanos().p99()).isGreaterThan(50e6);
    }

    @Test
    void heldMixesKeepTheirProportion() {
        RingOutcome held = RingBed.run(plan(load(3, Load.Mix.COMPLETED, 12), Windows.FIXED, GUARD, 3, 0, 0));
        assertThat(held.readRate() / held.acceptedRate()).isCloseTo(3, within(0.1));
    }

    @Test
    void volumesThatReturnEarlyReachTheLimit() {
        Load load = new Load(
                128 << 10, Load.ENDLESS, Load.ENDLESS, 19, Load.Mix.COMPLETED, 64, 64, 24 * SECOND, 12 * SECOND);
        double limit = 6 * 272 / (1 + 2 * 272 / (19.0 * 52));
        RingOutcome returning = RingBed.run(plan(load, Windows.RETURNING, GUARD, 3, 0, 0));
        assertThat(returning.readRate() / MIB).isBetween(0.95 * limit, limit * 1.01);
        RingOutcome chosen = RingBed.run(plan(load, Windows.CHOSEN, GUARD, 3, 0, 0));
        assertThat(chosen.readRate() / MIB).isLessThan(0.9 * limit);
    }

    @Test
    void writersFollowTheDemandAfterThreeRotations() {
        AdaptiveWriters adaptive = new AdaptiveWriters(new Ring(6, 3), 3, 52, 10_000);
        adaptive.rotated(5);
        adaptive.rotated(5);
        assertThat(adaptive.ring().writers()).isEqualTo(3);
        adaptive.rotated(5); // 1.15 * 5/52 + 0.05 = 0.161 <= 1/6
        assertThat(adaptive.ring().writers()).isEqualTo(1);
        adaptive.rotated(12); // 0.315 <= 2/6
        assertThat(adaptive.ring().writers()).isEqualTo(2);
        adaptive.rotated(100);
        assertThat(adaptive.ring().writers()).isEqualTo(3);
    }

    @Test
    void theSamePlanHasTheSameOutcome() {
        RingPlan plan = plan(load(3, Load.Mix.DISPATCH, 3), Windows.NONE, GUARD, 3, 0, 0);
        RingOutcome one = RingBed.run(plan);
        RingOutcome two = RingBed.run(plan);
        assertThat(two.events()).isEqualTo(one.events());
        assertThat(two.readRate()).isEqualTo(one.readRate());
        assertThat(two.readNanos()).isEqualTo(one.readNanos());
        assertThat(two.reads().points(50)).isEqualTo(one.reads().points(50));
    }

    @Test
    void impossiblePlansAreRefused() {
        assertThatThrownBy(() -> plan(OPEN, Windows.FIXED, Duration.ofMillis(300), 3, 0, 0))
                .hasMessageContaining("at least four guards of 300 ms, got 1000 ms; nearest is 1200 ms");
        assertThatThrownBy(() -> plan(OPEN, Windows.FIXED, GUARD, 3, 4, 0))
                .hasMessageContaining("0 to 3 volumes fail, got 4; nearest is 3");
        assertThatThrownBy(() -> plan(OPEN, Windows.FIXED, GUARD, 3, 0, 0, 100))
                .hasMessageContaining("room for a chunk");
        assertThatThrownBy(() -> new Load(1, 0, 0, 3, Load.Mix.DISPATCH, 1, 1, 1, 0))
                .hasMessageContaining("a byte at least, got 0 reads and 0 writes");
    }
}
