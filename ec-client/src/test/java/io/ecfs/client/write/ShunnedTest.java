package io.ecfs.client.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.env.Clock;
import io.ecfs.message.DatanodeId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ShunnedTest {
    private static final DatanodeId REFUSES = new DatanodeId("refuses");
    private static final DatanodeId SILENT = new DatanodeId("silent");

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // differences count, even where the clock wraps
    private final Shunned shunned = new Shunned(
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
        shunned.add(List.of(REFUSES), false);
        now.addAndGet(50);
        shunned.add(List.of(SILENT), true);
        assertThat(shunned.all()).containsExactly(REFUSES, SILENT);
        assertThat(shunned.silent()).containsExactly(SILENT);
        now.addAndGet(50);
        assertThat(shunned.all()).containsExactly(SILENT);
        now.addAndGet(49);
        assertThat(shunned.silent()).containsExactly(SILENT);
        now.addAndGet(1);
        assertThat(shunned.all()).isEmpty();
        assertThat(shunned.silent()).isEmpty();
    }

    @Test
    void anotherFailureBeginsTheWhileAnew() {
        shunned.add(List.of(SILENT), false);
        now.addAndGet(99);
        shunned.add(List.of(SILENT), true);
        now.addAndGet(99);
        assertThat(shunned.silent()).containsExactly(SILENT);
    }
}
