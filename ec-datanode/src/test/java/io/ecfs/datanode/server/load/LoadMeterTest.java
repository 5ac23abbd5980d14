package io.ecfs.datanode.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.datanode.store.queue.TaskBatchTimes;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoadMeterTest {
    private static final TaskBatchTimes MANY = new TaskBatchTimes(99, 99_000_000, 10, 5_000_000);

    private final LoadMeter meter = new LoadMeter(new ServedBytes(), () -> Double.NaN, 0);

    @Test
    void allBatchesBetweenTwoSamplesCountForSeveralNamenodes() {
        meter.took(MANY);
        meter.took(TaskBatchTimes.waited(0)); // another namenode's heartbeat, a moment later
        var load = meter.sample(Duration.ofSeconds(3).toNanos()).orElseThrow();
        assertThat(load.waitMicros()).isEqualTo(990);
        assertThat(load.serviceMicros()).isEqualTo(500);

        meter.took(TaskBatchTimes.waited(2_000_000));
        assertThat(meter.sample(Duration.ofMillis(3_100).toNanos())).contains(load);
        assertThat(meter.sample(Duration.ofSeconds(6).toNanos()).orElseThrow().waitMicros())
                .as("since the last sample")
                .isEqualTo(2_000);
    }
}
