package io.ecfs.datanode.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.datanode.repair.RepairSettings.Limit;
import io.ecfs.env.ManualTime;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RepairPaceTest {
    private static final long MIB = 1 << 20;

    private final ManualTime time = new ManualTime(1);
    private final AtomicLong userBytes = new AtomicLong();
    private long taken;

    private RepairPace pace(Limit limit) {
        return new RepairPace(time, time.scheduler("pace"), new UserRate(limit, userBytes::get));
    }

    /** One that always wants more. */
    private void readOn(RepairPace pace, long bytes) {
        CompletableFuture<Void> turn = pace.take(bytes);
        turn.thenRun(() -> {
            taken += bytes;
            time.after(Duration.ofMillis(1), () -> readOn(pace, bytes));
        });
    }

    private double ratePerSecond(int seconds) {
        long before = taken;
        for (int i = 0; i < seconds * 10; i++) {
            time.advance(Duration.ofMillis(100));
        }
        return (taken - before) / (double) seconds;
    }

    @Test
    void severalReadersTogetherGetTheRateAndNoMore() {
        RepairPace pace = pace(new Limit(10 * MIB, 0, 0, 0));
        for (int reader = 0; reader < 4; reader++) {
            readOn(pace, 3 * MIB);
        }
        assertThat(ratePerSecond(60)).isCloseTo(10 * MIB, within(0.05 * 10 * MIB));
    }

    @Test
    void aReadLargerThanASecondsWorthPassesAndThoseBehindItPayForIt() {
        RepairPace pace = pace(new Limit(MIB, 0, 0, 0));
        assertThat(pace.take(5 * MIB)).isCompleted();
        CompletableFuture<Void> next = pace.take(1);
        time.advance(Duration.ofMillis(4800));
        assertThat(next).isNotCompleted();
        time.advance(Duration.ofMillis(200));
        assertThat(next).isCompleted();
    }

    @Test
    void anOperatorsRateReplacesTheConfiguredOne() {
        UserRate rate = new UserRate(new Limit(4 * MIB, MIB, 2 * MIB, 0), userBytes::get);
        RepairPace pace = new RepairPace(time, time.scheduler("pace"), rate);
        readOn(pace, MIB / 4);
        rate.setOperatorLimit(Optional.of(8L * MIB));
        ratePerSecond(2);
        assertThat(ratePerSecond(20)).isCloseTo(8 * MIB, within(0.1 * 8 * MIB));
        rate.setOperatorLimit(Optional.of(0L));
        ratePerSecond(2);
        assertThat(ratePerSecond(2)).isGreaterThan(50 * MIB);
        double atWork = 0;
        for (int second = 0; second < 20; second++) {
            userBytes.addAndGet(3 * MIB);
            atWork = ratePerSecond(1);
        }
        assertThat(atWork).isLessThan(3 * MIB);
        rate.setOperatorLimit(Optional.empty());
        ratePerSecond(10);
        assertThat(ratePerSecond(20)).isCloseTo(4 * MIB, within(0.1 * 4 * MIB));
    }

    @Test
    void usersAtWorkLowerTheRateAndGiveItBackWhenTheyStop() {
        RepairPace pace = pace(new Limit(0, 4 * MIB, MIB, 0));
        readOn(pace, MIB);
        assertThat(ratePerSecond(2)).isGreaterThan(100 * MIB);
        for (int second = 0; second < 20; second++) {
            userBytes.addAndGet(2 * MIB);
            ratePerSecond(1);
        }
        long before = taken;
        for (int second = 0; second < 20; second++) {
            userBytes.addAndGet(2 * MIB);
            ratePerSecond(1);
        }
        assertThat((taken - before) / 20.0).isCloseTo(4 * MIB, within(0.1 * 4 * MIB));
        ratePerSecond(3);
        assertThat(ratePerSecond(2)).isGreaterThan(100 * MIB);
    }

    @Test
    void yieldingWorkTakesTheLeastWhileProcessorsAreBusy() {
        double[] idle = {0.05};
        RepairPace pace = new RepairPace(time, time.scheduler("pace"), new YieldingRate(2 * MIB, () -> idle[0]));
        readOn(pace, MIB / 4);
        assertThat(ratePerSecond(20)).isCloseTo(2 * MIB, within(0.1 * 2 * MIB));
        idle[0] = 0.9;
        ratePerSecond(10);
        assertThat(ratePerSecond(5)).isGreaterThan(50 * MIB);
        idle[0] = 0.3;
        double then = ratePerSecond(5);
        assertThat(ratePerSecond(5)).isCloseTo(then, within(0.2 * then));
        idle[0] = 0.05;
        ratePerSecond(10);
        assertThat(ratePerSecond(20)).isCloseTo(2 * MIB, within(0.1 * 2 * MIB));
    }

    @Test
    void whereProcessorsCannotBeSeenNothingGivesWay() {
        RepairPace pace = new RepairPace(time, time.scheduler("pace"), new YieldingRate(2 * MIB, () -> Double.NaN));
        readOn(pace, MIB);
        ratePerSecond(1);
        assertThat(ratePerSecond(5)).isGreaterThan(50 * MIB);
    }

    @Test
    void whatIsChargedDoesNotWaitAndThoseBehindItPayForIt() {
        RepairPace pace = pace(new Limit(MIB, 0, 0, 0));
        pace.charge(3 * MIB);
        pace.charge(2 * MIB);
        CompletableFuture<Void> next = pace.take(1);
        time.advance(Duration.ofMillis(4800));
        assertThat(next).isNotCompleted();
        time.advance(Duration.ofMillis(200));
        assertThat(next).isCompleted();
    }

    @Test
    void withoutALimitNobodyWaits() {
        RepairPace none = pace(Limit.NONE);
        none.charge(1L << 40);
        assertThat(none.take(1)).isCompleted();
        RepairPace pace = pace(Limit.NONE);
        for (int i = 0; i < 1000; i++) {
            assertThat(pace.take(1L << 40)).isCompleted();
        }
    }
}
