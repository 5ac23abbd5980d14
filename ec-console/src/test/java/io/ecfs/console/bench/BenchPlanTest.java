package io.ecfs.console.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BenchPlanTest {
    @Test
    void anUnknownWorkloadIsAnsweredWithTheNearest() {
        assertThatThrownBy(() -> WorkloadKind.parse(List.of("seqwrit")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("no workload 'seqwrit', did you mean 'seqwrite'?");
    }

    @Test
    void allMeansEveryWorkloadOnce() {
        assertThat(WorkloadKind.parse(List.of("meta", "all")))
                .hasSize(WorkloadKind.values().length)
                .startsWith(WorkloadKind.META);
    }

    @Test
    void slicesLieInThePoolAndDifferBetweenFilesAndPlaces() {
        Content content = new Content(64L << 20);
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 10_000; i++) {
            int at = content.offset(random.nextInt(100), random.nextInt(100_000));
            assertThat(at).isBetween(0, content.pool().length - Content.SLICE);
        }
        int at = content.offset(3, 5);
        byte[] slice = Arrays.copyOfRange(content.pool(), at, at + Content.SLICE);
        assertThat(content.holds(slice, slice.length, 3, 5)).isTrue();
        assertThat(content.holds(slice, slice.length, 3, 6)).isFalse();
        assertThat(content.holds(slice, slice.length, 4, 5)).isFalse();
        slice[Content.SLICE - 1] ^= 1;
        assertThat(content.holds(slice, slice.length, 3, 5)).isFalse();
    }

    @Test
    void percentilesAreThoseOfAllThreads() {
        Latencies latencies = new Latencies(2);
        for (int i = 1; i <= 1000; i++) {
            latencies.record(i % 2, i * 1000L);
        }
        assertThat(latencies.count()).isEqualTo(1000);
        assertThat((double) latencies.params().get("p50_us")).isBetween(499.0, 501.5);
        assertThat((double) latencies.params().get("p99_us")).isBetween(989.0, 992.0);
        assertThat((double) latencies.params().get("max_us")).isBetween(999.0, 1001.0);
    }
}
