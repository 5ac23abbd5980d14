package io.ecfs.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.bench.meter.MemoryWatch;
import io.ecfs.layout.Policy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SoakMemoryTest {
    private static final long MIB = 1 << 20;

    private static SoakMemory of(long resident, long heap, long direct) {
        return SoakMemory.of(
                "dn3", new MemoryWatch.Worst(resident * MIB, heap * MIB, 256 * MIB, direct * MIB, 128 * MIB), 32 * MIB);
    }

    @Test
    void theBoundOfAProcessCoversHeapDirectMemoryAndStore() {
        assertThat(of(256 + 128 + 32 + 192, 256, 128).problems()).isEmpty();
    }

    @Test
    void whatIsMoreIsToldWithItsBound() {
        assertThat(of(256 + 128 + 32 + 193, 256, 128).problems())
                .containsExactly("dn3 took 609 MiB of resident memory, configured are 608 MiB");
        assertThat(of(1, 1, 129).problems())
                .containsExactly("dn3 took 129 MiB of direct memory, configured are 128 MiB");
    }

    @Test
    void aProcessThatNeverAnsweredIsAProblem() {
        assertThat(SoakMemory.of("nn0", new MemoryWatch.Worst(MIB, 0, 0, 0, 0), 0)
                        .problems())
                .containsExactly("nn0 never reported its memory");
    }

    @Test
    void aSoakThatCannotRunIsRefused() {
        Policy policy = Policy.parse("rs-3-2-64k");
        Duration second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> new SoakPlan(policy, Duration.ZERO, second, 8, 1))
                .hasMessageContaining("--minutes");
        assertThatThrownBy(() -> new SoakPlan(policy, second, second, 0, 1)).hasMessageContaining("--threads");
    }

    @Test
    void theSmallMemoryOfAClientIsOneThatTheClientTakes() throws Exception {
        SoakPlan plan = new SoakPlan(Policy.parse("rs-3-2-64k"), Duration.ofMinutes(1), Duration.ofSeconds(1), 8, 1);
        assertThat(plan.client().writeBudgetBytes()).isEqualTo(32 * MIB);
    }
}
