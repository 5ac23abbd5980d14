package io.ecfs.client.read;

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
            Duration.ofNanos(100));

    @Test
    void datanodeThatFailedIsForgivenAfterAWhile() {
        excluded.add(List.of(REFUSES), false);
        now.addAndGet(50);
        excluded.add(List.of(SILENT), true);
        assertThat(excluded.all()).containsExactly(REFUSES, SILENT);
        assertThat(excluded.silent()).containsExactly(SILENT);
        now.addAndGet(50);
        assertThat(excluded.all()).containsExactly(SILENT);
        now.addAndGet(49);
        assertThat(excluded.silent()).containsExactly(SILENT);
        now.addAndGet(1);
        assertThat(excluded.all()).isEmpty();
        assertThat(excluded.silent()).isEmpty();
    }

    @Test
    void anotherFailureBeginsTheWhileAnew() {
        excluded.add(List.of(SILENT), false);
        now.addAndGet(99);
        excluded.add(List.of(SILENT), true);
        now.addAndGet(99);
        assertThat(excluded.silent()).containsExactly(SILENT);
    }
}
