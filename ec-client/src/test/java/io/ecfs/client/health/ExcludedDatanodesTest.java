package io.ecfs.client.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.env.Clock;
import io.ecfs.message.DatanodeId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ExcludedDatanodesTest {
    private static final DatanodeId REFUSES = new DatanodeId("refuses");
    private static final DatanodeId SILENT = new DatanodeId("silent");

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // differences count, even where the clock wraps
    private final ExcludedDatanodes excluded = new ExcludedDatanodes(
            new Clock() {
                @Override
                public long nanos() {
                    return now.get();
                }

                @Override
                public long epochMillis() {
                    return 0;
                }
            },
            Duration.ofNanos(150));

    @Test
    void aSilentDatanodeIsExcludedForTheWholeTime() {
        excluded.add(List.of(SILENT), true);
        now.addAndGet(149);
        assertThat(excluded.silent()).containsExactly(SILENT);
        now.addAndGet(1);
        assertThat(excluded.silent()).isEmpty();
        assertThat(excluded.all()).isEmpty();
    }

    @Test
    void oneThatRefusesIsTriedSoonAndThenLater() {
        for (long lasts : List.of(10, 20, 40, 80, 150, 10)) {
            excluded.add(List.of(REFUSES), false);
            now.addAndGet(lasts - 1);
            assertThat(excluded.all()).as("excluded for %d", lasts).containsExactly(REFUSES);
            assertThat(excluded.silent()).isEmpty();
            now.addAndGet(1);
            assertThat(excluded.all()).as("tried after %d", lasts).isEmpty();
        }
    }

    @Test
    void failuresWhileItIsExcludedBeginTheTimeAnew() {
        excluded.add(List.of(REFUSES), false);
        now.addAndGet(9);
        excluded.add(List.of(REFUSES), false);
        now.addAndGet(9);
        assertThat(excluded.all()).containsExactly(REFUSES);
        excluded.add(List.of(REFUSES), true);
        now.addAndGet(149);
        assertThat(excluded.silent()).containsExactly(REFUSES);
    }
}
