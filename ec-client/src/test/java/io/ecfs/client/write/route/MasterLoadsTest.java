package io.ecfs.client.write.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.env.ManualTime;
import io.ecfs.message.DatanodeId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MasterLoadsTest {
    private static final DatanodeId ONE = new DatanodeId("dn0");
    private static final DatanodeId OTHER = new DatanodeId("dn1");

    private final ManualTime time = new ManualTime(1);
    private final MasterLoads loads = new MasterLoads(time);

    private void took(DatanodeId datanode, int micros, int cells) {
        for (int i = 0; i < cells; i++) {
            loads.took(datanode, micros, 1000);
        }
    }

    @Test
    void theFirstIsTakenWhileNothingIsKnown() {
        assertThat(loads.lessLoaded(ONE, OTHER)).isEqualTo(ONE);
        assertThat(loads.lessLoaded(OTHER, ONE)).isEqualTo(OTHER);
    }

    @Test
    void theLessLoadedIsTakenWhicheverComesFirst() {
        took(ONE, 500, 10);
        took(OTHER, 100, 10);
        assertThat(loads.lessLoaded(ONE, OTHER)).isEqualTo(OTHER);
        assertThat(loads.lessLoaded(OTHER, ONE)).isEqualTo(OTHER);
    }

    @Test
    void oneThatWasBusyIsAskedAgain() {
        took(ONE, 500, 30);
        time.advance(Duration.ofSeconds(30)); // six half-lives
        took(OTHER, 100, 30);
        assertThat(loads.lessLoaded(ONE, OTHER)).isEqualTo(ONE);
    }

    @Test
    void aLargeStripeMayTakeLonger() {
        for (int i = 0; i < 10; i++) {
            loads.took(ONE, 500, 10_000);
        }
        took(OTHER, 100, 10);
        assertThat(loads.lessLoaded(OTHER, ONE)).isEqualTo(ONE);
    }
}
