package io.ecfs.namenode.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.datanode.RelayLoad;
import io.ecfs.message.report.WriteReport.Master;
import org.junit.jupiter.api.Test;

class RelayTableTest {
    private static final DatanodeId ONE = new DatanodeId("dn1");
    private static final DatanodeId TWO = new DatanodeId("dn2");

    private final RelayTable table = new RelayTable();

    @Test
    void theLatestReportOfEachDatanodeCounts() {
        table.onReport(TWO, new RelayLoad(1, 10, 0), 0);
        table.onReport(ONE, new RelayLoad(2, 20, 0), 0);
        table.onReport(TWO, new RelayLoad(3, 30, 4), 3_000);
        assertThat(table.masters(3_000))
                .containsExactly(new Master(ONE, new RelayLoad(2, 20, 0)), new Master(TWO, new RelayLoad(3, 30, 4)));
    }

    @Test
    void aDatanodeThatIsSilentIsLeftOut() {
        table.onReport(ONE, new RelayLoad(1, 10, 0), 0);
        assertThat(table.masters(LoadTable.STALE_MILLIS)).hasSize(1);
        assertThat(table.masters(LoadTable.STALE_MILLIS + 1)).isEmpty();
    }
}
