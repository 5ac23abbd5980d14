package io.ecfs.client.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.client.base.ClientConfig;
import io.ecfs.env.Clock;
import io.ecfs.message.DatanodeId;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HedgingTest {
    private static final int BYTES = 4096;
    private static final Duration USUAL = Duration.ofNanos(300_000);
    private static final List<DatanodeId> DATANODES =
            IntStream.range(0, 5).mapToObj(i -> new DatanodeId("dn" + i)).toList();
    private static final DatanodeId SICK = DATANODES.get(3);

    private long now;
    private final Clock clock = new Clock() {
        @Override
        public long nanos() {
            return now;
        }

        @Override
        public long epochMillis() {
            return 0;
        }
    };
    private final ClientConfig config = ClientConfig.defaults();
    private final Hedging hedging = new Hedging(clock, config);

    private void answers(DatanodeId datanode, Duration after) {
        hedging.countRequest();
        hedging.addCredit();
        long began = now;
        now += after.toNanos();
        hedging.answered(datanode, BYTES, began, clock.nanos());
    }

    private void allAnswer(int rounds, Duration after) {
        for (int i = 0; i < rounds; i++) {
            DATANODES.forEach(datanode -> answers(datanode, after));
        }
    }

    private Duration lateAfter() {
        return Duration.ofNanos(hedging.lateAfterNanos(BYTES));
    }

    @Test
    void nothingIsLateBeforeTheConfiguredTimeWhileNothingIsKnown() {
        assertThat(lateAfter()).isEqualTo(config.lateAfter());
        answers(SICK, Duration.ofMillis(500));
        answers(SICK, Duration.ofMillis(500));
        answers(SICK, Duration.ofMillis(500));
        assertThat(hedging.slow(SICK)).isFalse();
    }

    @Test
    void lateIsTwiceWhatIsUsualForTheSizeButNotSoonerThanTheLeast() {
        allAnswer(10, USUAL);
        assertThat(lateAfter()).isEqualTo(config.hedge().least());
        assertThat(Duration.ofNanos(hedging.lateAfterNanos(1 << 20)))
                .as("large reads, of which nothing is known but this")
                .isBetween(Duration.ofMillis(150), Duration.ofMillis(200));
        allAnswer(600, Duration.ofMillis(20));
        assertThat(lateAfter()).isBetween(Duration.ofMillis(40), Duration.ofMillis(50));
    }

    @Test
    void aRepeatedlyLateDatanodeIsSlowUntilItAnswersInTime() {
        allAnswer(10, USUAL);
        answers(SICK, Duration.ofMillis(100));
        answers(SICK, Duration.ofMillis(100));
        assertThat(hedging.slow(SICK)).isFalse();
        answers(SICK, Duration.ofMillis(100));
        assertThat(DATANODES).filteredOn(hedging::slow).containsExactly(SICK);
        assertThat(lateAfter())
                .as("slowness does not become usual")
                .isEqualTo(config.hedge().least());
        answers(SICK, USUAL);
        assertThat(DATANODES).noneMatch(hedging::slow);
    }

    @Test
    void onlyRequestsCancelledLateCountAsSlow() {
        allAnswer(10, USUAL);
        for (int i = 0; i < 10; i++) {
            long began = now;
            now += 2 * USUAL.toNanos();
            hedging.gaveUp(SICK, BYTES, began, clock.nanos());
        }
        assertThat(hedging.slow(SICK)).isFalse();
        for (int i = 0; i < 3; i++) {
            long began = now;
            now += Duration.ofMillis(11).toNanos();
            hedging.gaveUp(SICK, BYTES, began, clock.nanos());
        }
        assertThat(hedging.slow(SICK)).isTrue();
    }

    @Test
    void onePauseUnderWhichManyRequestsSufferIsOneLapse() {
        allAnswer(10, USUAL);
        long began = now;
        now += Duration.ofMillis(80).toNanos();
        for (int i = 0; i < 50; i++) {
            hedging.answered(SICK, BYTES, began, clock.nanos());
        }
        assertThat(hedging.slow(SICK)).isFalse();
    }

    @Test
    void slowDatanodeIsTriedOneRequestAtATimeWithPausesThatDouble() {
        allAnswer(10, USUAL);
        for (int i = 0; i < 3; i++) {
            answers(SICK, Duration.ofMillis(100));
        }
        Duration pause = config.hedge().firstTrial();
        for (int trial = 0; trial < 10; trial++) {
            now += pause.toNanos() - 1;
            assertThat(hedging.takeTrial(SICK)).as("before trial %d", trial).isFalse();
            now += 1;
            assertThat(hedging.takeTrial(SICK)).as("trial %d", trial).isTrue();
            assertThat(hedging.takeTrial(SICK)).as("beside trial %d", trial).isFalse();
            hedging.tried(SICK);
            pause = pause.multipliedBy(2);
            pause = pause.compareTo(config.suspicion()) < 0 ? pause : config.suspicion();
        }
        assertThat(hedging.counts().trials()).isEqualTo(10);
    }

    @Test
    void whereAllBecomeSlowNoneStaysSlow() {
        allAnswer(10, USUAL);
        allAnswer(40, Duration.ofMillis(60));
        assertThat(DATANODES).noneMatch(hedging::slow);
    }

    @Test
    void hedgesAreAShareOfTheReadsInTheLongRun() {
        int reads = 10_000;
        int hedged = 0;
        for (int i = 0; i < reads; i++) {
            hedging.countRequest();
            hedging.addCredit();
            hedged += hedging.takeHedge() ? 1 : 0;
        }
        assertThat(hedged)
                .isBetween(
                        (int) (reads * config.hedge().share()) - 1,
                        (int) (reads * config.hedge().share()) + 64);
        assertThat(hedging.counts()).isEqualTo(new Hedging.Counts(reads, hedged, 0));
    }

    @Test
    void switchedOffItNeverCallsAnythingSlow() {
        Hedging off = new Hedging(clock, config.with("hedge.adaptive=off"));
        for (int i = 0; i < 100; i++) {
            for (DatanodeId datanode : DATANODES) {
                long began = now;
                now += datanode.equals(SICK) ? 1_000_000_000 : 1000;
                off.answered(datanode, BYTES, began, clock.nanos());
            }
        }
        assertThat(off.slow(SICK)).isFalse();
        assertThat(off.lateAfterNanos(BYTES)).isEqualTo(config.lateAfter().toNanos());
    }

    @Test
    void whatIsKnownStaysBounded() {
        allAnswer(10, USUAL);
        for (int i = 0; i < 3; i++) {
            answers(SICK, Duration.ofMillis(100));
        }
        for (int i = 0; i < 1000; i++) {
            answers(new DatanodeId("passing" + i), USUAL);
        }
        assertThat(hedging.slow(SICK)).isTrue();
        for (int i = 1000; i < 3000; i++) {
            answers(new DatanodeId("passing" + i), USUAL);
        }
        answers(DATANODES.get(0), USUAL);
        assertThat(hedging.slow(SICK)).as("forgotten among thousands").isFalse();
    }
}
