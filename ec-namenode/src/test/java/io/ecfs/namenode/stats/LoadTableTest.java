package io.ecfs.namenode.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.datanode.DatanodeLoad;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Loads as datanodes tell them, and how they compare. */
class LoadTableTest {
    private static final DatanodeId ONE = new DatanodeId("dn1");
    private static final DatanodeId TWO = new DatanodeId("dn2");

    private static DatanodeLoad load(int cpu, long read) {
        return new DatanodeLoad(cpu, read, 0, read / 10, read / 20);
    }

    @Test
    void aChangeIsHalfSeenAfterTenSeconds() {
        LoadTable table = new LoadTable();
        table.onReport(ONE, load(100, 1000), 0);
        table.onReport(ONE, load(300, 3000), 10_000);
        assertThat(table.load(ONE, 10_000)).contains(new DatanodeLoad(200, 2000, 0, 200, 100));
    }

    @Test
    void whereNothingWasReadItIsNotKnownHowFastThatIs() {
        LoadTable table = new LoadTable();
        table.onReport(ONE, new DatanodeLoad(100, 0, 0, 0, 0), 0);
        table.onReport(ONE, new DatanodeLoad(100, 0, 0, 0, 400), 3_000);
        table.onReport(ONE, new DatanodeLoad(100, 0, 0, 0, 0), 6_000);
        assertThat(table.load(ONE, 6_000).orElseThrow().serviceMicros()).isEqualTo(400);
    }

    @Test
    void silenceIsNoLoad() {
        LoadTable table = new LoadTable();
        table.onReport(ONE, load(100, 1000), 0);
        assertThat(table.load(ONE, LoadTable.STALE_MILLIS)).isPresent();
        assertThat(table.load(ONE, LoadTable.STALE_MILLIS + 1)).isEmpty();
        table.onReport(ONE, load(100, 9000), LoadTable.STALE_MILLIS + 1);
        assertThat(table.load(ONE, LoadTable.STALE_MILLIS + 1).orElseThrow().readBytesPerSecond())
                .as("what was before counts no more")
                .isEqualTo(9000);
    }

    @Test
    void theShareIsHalfInputAndOutputAndHalfProcessor() {
        SiteLoads loads = new SiteLoads(Map.of(ONE, load(300, 1000), TWO, load(100, 3000)));
        assertThat(loads.share(ONE).orElseThrow()).isEqualTo((1.5 + 0.5) / 2, within(1e-9));
        assertThat(loads.imbalance()).isEqualTo(50, within(1e-9));
        assertThat(loads.share(new DatanodeId("dn3"))).isEmpty();
    }

    @Test
    void withoutProcessorsBytesDecideAndNothingReadIsBalanced() {
        SiteLoads loads = new SiteLoads(Map.of(ONE, load(DatanodeLoad.CPU_UNKNOWN, 1000), TWO, load(100, 3000)));
        assertThat(loads.share(TWO)).isEqualTo(Optional.of(1.5));
        assertThat(new SiteLoads(Map.of(ONE, load(0, 0), TWO, load(0, 0))).imbalance())
                .isZero();
        assertThat(new SiteLoads(Map.of()).imbalance()).isZero();
    }
}
