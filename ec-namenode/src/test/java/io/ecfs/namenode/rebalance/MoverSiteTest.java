package io.ecfs.namenode.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.datanode.DatanodeLoad;
import io.ecfs.namenode.stats.SiteLoads;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MoverSiteTest {
    private static final DatanodeId USUAL = new DatanodeId("usual");
    private static final DatanodeId LARGER = new DatanodeId("larger");
    private static final DatanodeId SLOW = new DatanodeId("slow");
    private static final DatanodeId UNREAD = new DatanodeId("unread");

    private final SiteLoads loads = new SiteLoads(
            Map.of(USUAL, load(1_000, 400), LARGER, load(1_000, 800), SLOW, load(0, 5_000), UNREAD, load(0, 0)));

    private static DatanodeLoad load(long waitMicros, long serviceMicros) {
        return new DatanodeLoad(DatanodeLoad.CPU_UNKNOWN, 1, 0, waitMicros, serviceMicros);
    }

    private double overheadNanos(DatanodeId datanode) {
        return MoverSite.of(datanode, "/r", true, loads, 200_000).orElseThrow().overheadNanos();
    }

    @Test
    void turningToADatanodeCostsItsOverheadAndItsWait() {
        assertThat(overheadNanos(USUAL)).isEqualTo(1_200_000);
        assertThat(overheadNanos(LARGER)).as("reads differ in size").isEqualTo(1_200_000);
        assertThat(overheadNanos(UNREAD)).isEqualTo(200_000);
    }

    @Test
    void aSlowVolumeThatReadersAvoidIsNotCheap() {
        assertThat(overheadNanos(SLOW)).isEqualTo(200_000 + (5_000 - 2 * 800) * 1_000.0);
    }
}
