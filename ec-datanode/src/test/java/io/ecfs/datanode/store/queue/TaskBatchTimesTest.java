package io.ecfs.datanode.store.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TaskBatchTimesTest {
    @Test
    void visitsAddUpToTheirMeans() {
        assertThat(TaskBatchTimes.NONE.meanWaitNanos()).isZero();
        assertThat(TaskBatchTimes.NONE.meanServiceNanos()).isZero();
        TaskBatchTimes times = TaskBatchTimes.waited(10)
                .and(TaskBatchTimes.waited(20))
                .and(TaskBatchTimes.waited(60))
                .and(TaskBatchTimes.served(8))
                .and(TaskBatchTimes.served(4));
        assertThat(times).isEqualTo(new TaskBatchTimes(3, 90, 2, 12));
        assertThat(times.meanWaitNanos()).isEqualTo(30);
        assertThat(times.meanServiceNanos()).isEqualTo(6);
    }
}
