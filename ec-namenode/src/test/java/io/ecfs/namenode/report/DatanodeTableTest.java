package io.ecfs.namenode.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.datanode.DatanodeReport.VolumeStatus;
import io.ecfs.namenode.report.DatanodeTable.Silence;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DatanodeTableTest {
    private static final DatanodeId DATANODE = new DatanodeId("dn1");
    private static final VolumeId VOLUME = new VolumeId(1);
    private static final int SECOND = 1000;

    private final DatanodeTable table = new DatanodeTable(new Silence(Duration.ofSeconds(10)), Duration.ZERO, 0);

    private void beat(int second) {
        table.beat(
                DATANODE,
                "uuid",
                List.of(new VolumeStatus(VOLUME, VolumeState.HEALTHY, 1L << 40, 0, 1L << 40, 0, 0, 0)),
                List.of(VOLUME),
                (long) second * SECOND,
                (long) second * SECOND);
    }

    /**
     * Otherwise whoever has just sent a heartbeat gets chunks of all groups until it caught up with the others, and
     * groups lie on datanodes whose heartbeats come at about the same moment.
     */
    @Test
    void aHeartbeatDoesNotMakeABusyVolumeLookIdle() {
        table.registered(DATANODE, "uuid", 1, 0, 0);
        beat(0);
        for (int second = 1; second <= 20; second++) {
            for (int i = 0; i < 40; i++) {
                table.placed(VOLUME);
            }
            int before = table.placedLately(VOLUME);
            beat(second);
            assertThat(table.placedLately(VOLUME)).as("second " + second).isGreaterThanOrEqualTo(before * 3 / 4 - 1);
        }
        assertThat(table.placedLately(VOLUME)).isBetween(110, 120);
    }

    @Test
    void whatWasPlacedIsForgottenWithinTwentyHeartbeats() {
        table.registered(DATANODE, "uuid", 1, 0, 0);
        beat(0);
        for (int i = 0; i < 100; i++) {
            table.placed(VOLUME);
        }
        for (int second = 1; second <= 20; second++) {
            beat(second);
        }
        assertThat(table.placedLately(VOLUME)).isZero();
    }
}
