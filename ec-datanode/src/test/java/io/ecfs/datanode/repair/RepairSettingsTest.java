package io.ecfs.datanode.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.datanode.repair.RepairSettings.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Bounds of the settings, and which limit applies when. */
class RepairSettingsTest {
    private static RepairSettings settings(int atOnce, int threads, long buffer, int slice, int slices, int sample) {
        return new RepairSettings(atOnce, threads, buffer, slice, slices, sample, Duration.ofNanos(1), Limit.NONE);
    }

    @Test
    void theLeastValuesAreTaken() {
        assertThatCode(() -> settings(1, 1, 1, 4096, 1, 0)).doesNotThrowAnyException();
        assertThatCode(() -> new Limit(0, 0, 0, 0)).doesNotThrowAnyException();
    }

    @Test
    void lessThanTheLeastIsRefused() {
        for (int bad = 0; bad < 5; bad++) {
            int[] values = {1, 1, 1, 4096, 1};
            values[bad]--;
            assertThatThrownBy(() -> settings(values[0], values[1], values[2], values[3], values[4], 0))
                    .hasMessageContaining("got " + values[0] + ", " + values[1]);
        }
        assertThatThrownBy(() -> settings(1, 1, 1, 4096, 1, -1)).hasMessageContaining("crossCheckOneSliceIn");
        for (int bad = 0; bad < 4; bad++) {
            long[] values = new long[4];
            values[bad] = -1;
            assertThatThrownBy(() -> new Limit(values[0], values[1], values[2], values[3]))
                    .hasMessageContaining("must not be negative");
        }
    }

    @Test
    void whileUsersAreBusyTheLowerLimitApplies() {
        assertThat(new Limit(100, 40, 1, 0).rate(true)).isEqualTo(40);
        assertThat(new Limit(100, 40, 1, 0).rate(false)).isEqualTo(100);
        assertThat(new Limit(30, 40, 1, 0).rate(true)).isEqualTo(30);
        assertThat(new Limit(0, 40, 1, 0).rate(true)).isEqualTo(40);
        assertThat(new Limit(100, 0, 1, 0).rate(true)).isEqualTo(100);
        assertThat(new Limit(1, 40, 1, 0).atMost(70).rate(false)).isEqualTo(70);
    }
}
