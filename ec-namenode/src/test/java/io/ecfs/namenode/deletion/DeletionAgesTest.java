package io.ecfs.namenode.deletion;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeletionAgesTest {
    private static final long DELAY = 1600;
    private static final long START = 7_000_000;

    private final DeletionAges ages = new DeletionAges(Duration.ofMillis(DELAY));

    @Test
    void aDeletionIsDueAfterTheDelayAndNotBefore() {
        assertThat(ages.due(3, START)).isZero();
        assertThat(ages.due(3, START + DELAY - 1)).isZero();
        assertThat(ages.due(3, START + DELAY)).isEqualTo(3);
    }

    /** What was deleted while nobody led, or under another leader, waits as if it were deleted when this one began. */
    @Test
    void whatALeaderFindsIsYoungToIt() {
        assertThat(ages.due(1_000_000, START)).isZero();
        assertThat(ages.due(1_000_000, START + DELAY)).isEqualTo(1_000_000);
    }

    @Test
    void noDeletionIsDueEarlyAndEachAtMostASixteenthLate() {
        long step = 10;
        long last = 0;
        for (long now = 0; now < 5 * DELAY; now += step) {
            last++; // one deletion a step: number n came at (n - 1) * step
            long due = ages.due(last, START + now);
            long oldEnough = Math.max(0, (now - DELAY) / step + 1);
            assertThat(due).as("at %d", now).isLessThanOrEqualTo(now < DELAY ? 0 : oldEnough);
            assertThat(due).as("at %d", now).isGreaterThanOrEqualTo(Math.max(0, (now - DELAY - DELAY / 16) / step));
        }
    }

    @Test
    void withoutADelayAllAreDueAtOnce() {
        assertThat(new DeletionAges(Duration.ZERO).due(9, START)).isEqualTo(9);
    }
}
