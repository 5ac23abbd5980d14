package io.ecfs.client.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.ChunkSet;
import io.ecfs.plan.BlockNeed;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** How long a plan for a block of volumes 0 to 3, which reads 0 and 1, is as good as it was. */
class PlanWorkTest {
    private static final double CHANGE = 1.5;
    private static final double MILLI = 1e6;

    private final BlockNeed block = PlanCacheTest.need(0);
    private final PlanWork work = new PlanWork(List.of(block), List.of(ChunkSet.of(0, 1)), costs(1, v -> 1));

    private static CostSnapshot costs(double usualMillis, DoubleUnaryOperator millis) {
        IntObjectMap<CostSnapshot.Cost> byVolume = new IntObjectHashMap<>();
        for (int volume = 0; volume < 4; volume++) {
            byVolume.put(volume, new CostSnapshot.Cost(millis.applyAsDouble(volume) * MILLI, 4));
        }
        CostSnapshot.Cost usual = new CostSnapshot.Cost(usualMillis * MILLI, 4);
        return new CostSnapshot(byVolume, usual, usual, false);
    }

    @Test
    void whatAllSitesSufferAlikeChangesNothing() {
        assertThat(work.asGood(costs(10, v -> 10), CHANGE)).isTrue();
        assertThat(work.asGood(costs(0.1, v -> 0.1), CHANGE)).isTrue();
    }

    @Test
    void itFallsWhenASiteThatItUsesBecomesDear() {
        assertThat(work.asGood(costs(1, v -> v == 0 ? 1.8 : 1), CHANGE)).isTrue();
        assertThat(work.asGood(costs(1, v -> v == 0 ? 4 : 1), CHANGE)).isFalse();
        assertThat(work.asGood(costs(1, v -> v == 2 ? 100 : 1), CHANGE))
                .as("one that it does not use")
                .isTrue();
    }

    @Test
    void itFallsWhenTheOthersBecomeCheap() {
        PlanWork busy = new PlanWork(List.of(block), List.of(ChunkSet.of(0, 1)), costs(5, v -> 5));
        assertThat(busy.asGood(costs(1, v -> v < 2 ? 5 : 1), CHANGE)).isFalse();
    }
}
