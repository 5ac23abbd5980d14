package io.ecfs.client.write.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.env.ManualTime;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkLocation;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MasterLoadsTest {
    private static final ChunkLocation FIRST = chunk(0);
    private static final ChunkLocation SECOND = chunk(1);

    private final ManualTime time = new ManualTime(1);
    private final MasterLoads loads = new MasterLoads(time);

    private static ChunkLocation chunk(int index) {
        return new ChunkLocation(
                new ChunkId(new GroupId(7), index, 0),
                new VolumeId(index + 1),
                new DatanodeId("dn" + index),
                new Address("127.0.0.1", 1000 + index),
                "/rack",
                ChunkLocation.State.LIVE);
    }

    private void took(ChunkLocation chunk, int micros, int cells) {
        for (int i = 0; i < cells; i++) {
            loads.took(chunk.datanode(), micros, 1000);
        }
    }

    @Test
    void theFirstIsTakenWhileNothingIsKnown() {
        assertThat(loads.lessLoaded(FIRST, SECOND)).isEqualTo(FIRST);
        assertThat(loads.lessLoaded(SECOND, FIRST)).isEqualTo(SECOND);
    }

    @Test
    void theLessLoadedIsTakenWhicheverComesFirst() {
        took(FIRST, 500, 10);
        took(SECOND, 100, 10);
        assertThat(loads.lessLoaded(FIRST, SECOND)).isEqualTo(SECOND);
        assertThat(loads.lessLoaded(SECOND, FIRST)).isEqualTo(SECOND);
    }

    @Test
    void oneThatWasBusyIsAskedAgain() {
        took(FIRST, 500, 30);
        time.advance(Duration.ofSeconds(30)); // six half-lives
        took(SECOND, 100, 30);
        assertThat(loads.lessLoaded(FIRST, SECOND)).isEqualTo(FIRST);
    }

    @Test
    void aLargeStripeMayTakeLonger() {
        for (int i = 0; i < 10; i++) {
            loads.took(FIRST.datanode(), 500, 10_000);
        }
        took(SECOND, 100, 10);
        assertThat(loads.lessLoaded(SECOND, FIRST)).isEqualTo(FIRST);
    }
}
