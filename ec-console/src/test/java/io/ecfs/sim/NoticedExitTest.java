package io.ecfs.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.buffer.LosesBuffers;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.error.EcfsException;
import io.ecfs.message.report.ClusterReport.Datanode;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import io.ecfs.sim.cluster.DatanodeHost;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A process that dies is suspected within a second, one behind a cut network after its silence. */
@LosesBuffers
@ExtendWith(NothingMayWait.class)
class NoticedExitTest {
    private static final Duration BEGIN = Duration.ofSeconds(20);
    private static final Duration MOMENT = Duration.ofMillis(900);
    private static final Duration SILENCE = Duration.ofSeconds(5);
    private static final int SEEDS = 20;

    @Test
    void aDeadProcessIsSuspectedWithinASecond() throws EcfsException {
        for (long seed = 0; seed < SEEDS; seed++) {
            Scene scene = new Scene(seed);
            scene.datanode().crash(Loss.NOTHING);
            scene.world.time().pass(MOMENT);
            assertThat(scene.state()).as("seed %d", seed).isEqualTo(DatanodeState.SUSPECTED);
            scene.datanode().start();
            scene.world.time().pass(PowerScene.BOOT);
            assertThat(scene.state()).as("seed %d", seed).isEqualTo(DatanodeState.HEALTHY);
        }
    }

    @Test
    void aDatanodeBehindACutNetworkIsSuspectedOnlyByItsSilence() throws EcfsException {
        for (long seed = 0; seed < SEEDS; seed++) {
            Scene scene = new Scene(seed);
            scene.datanode().isolate();
            scene.world.time().pass(MOMENT);
            assertThat(scene.state()).as("seed %d", seed).isEqualTo(DatanodeState.HEALTHY);
            scene.world.time().pass(SILENCE);
            assertThat(scene.state()).as("seed %d", seed).isEqualTo(DatanodeState.SUSPECTED);
            scene.datanode().heal();
            scene.world.time().pass(BEGIN);
            assertThat(scene.state()).as("seed %d", seed).isEqualTo(DatanodeState.HEALTHY);
        }
    }

    private static final class Scene extends PowerScene {
        Scene(long seed) throws EcfsException {
            super(seed);
            world.time().pass(BEGIN);
            assertThat(state()).isEqualTo(DatanodeState.HEALTHY);
        }

        DatanodeHost datanode() {
            return cluster.datanodes().get(0);
        }

        DatanodeState state() throws EcfsException {
            return await(writer.client().admin().report()).datanodes().stream()
                    .filter(line -> line.id().name().equals(datanode().host()))
                    .map(Datanode::state)
                    .findFirst()
                    .orElseThrow();
        }
    }
}
