package io.ecfs.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.bench.load.Content;
import io.ecfs.bench.load.FileSizes;
import io.ecfs.bench.load.Latencies;
import io.ecfs.layout.Policy;
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

    /** LRC(12, 2, 2) has four parity chunks and does not survive every loss of four. */
    @Test
    void stopsNoMoreDatanodesThanAnyLossThatThePolicySurvives() {
        assertThat(degraded("lrc-12-2-2-1024k").stopped(Policy.parse("lrc-12-2-2-1024k")))
                .containsExactly(1, 3);
        assertThat(degraded("shec-6-3-2-1024k").stopped(Policy.parse("shec-6-3-2-1024k")))
                .containsExactly(1, 2);
        assertThat(degraded("rs-6-3-1024k").stopped(Policy.parse("rs-6-3-1024k")))
                .containsExactly(1, 3);
        assertThatThrownBy(() -> degraded("lrc-12-2-2-1024k", 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("survives the loss of 1 to 3 datanodes");
    }

    private static BenchPlan degraded(String policy, Integer... stopped) {
        return new BenchPlan(
                List.of(WorkloadKind.DEGRADED),
                List.of(Policy.parse(policy)),
                List.of(),
                1,
                64L << 20,
                0,
                List.of(),
                new FileSizes(4096, 4096),
                1,
                1,
                1,
                List.of(stopped),
                100,
                false,
                true);
    }

    @Test
    void allMeansEveryWorkloadOnceButThoseThatAreNotPartOfIt() {
        assertThat(WorkloadKind.parse(List.of("meta", "all")))
                .hasSize(WorkloadKind.values().length - 3)
                .doesNotContain(WorkloadKind.RECOVERY, WorkloadKind.CONVERT, WorkloadKind.APPEND)
                .startsWith(WorkloadKind.META);
        assertThat(WorkloadKind.parse(List.of("recovery"))).containsExactly(WorkloadKind.RECOVERY);
        assertThatThrownBy(() -> WorkloadKind.parse(List.of("recovery", "meta")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("measured alone");
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

    @Test
    void aWriteTakesAsManyBytesOnDiskAsItsPolicyHasChunks() {
        assertThat(BenchPlan.onDisk(Policy.parse("rs-6-3-1024k"), 1000)).isEqualTo(1500);
        assertThat(BenchPlan.onDisk(Policy.parse("replication-3"), 1000)).isEqualTo(3000);
    }
}
