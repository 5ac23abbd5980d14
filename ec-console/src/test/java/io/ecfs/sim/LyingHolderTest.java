package io.ecfs.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.buffer.LosesBuffers;
import io.ecfs.client.CreateOptions;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.layout.GroupId;
import io.ecfs.message.FilePath;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.sim.cluster.Contents;
import io.ecfs.sim.cluster.DatanodeHost;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A chunk is rebuilt on a datanode that holds other bytes than it says, while the datanode of the good one is away. */
@LosesBuffers
@ExtendWith(NothingMayWait.class)
class LyingHolderTest {
    private static final FilePath FILE = FilePath.ROOT.child("file");
    private static final Duration STEP = Duration.ofMillis(200);
    private static final Duration REPAIR = Duration.ofMinutes(2);
    private static final int INDEX = 1;

    private final PowerScene scene = new PowerScene(3);

    private ChunkOnVolume placed() {
        try (MetadataView facts = scene.cluster.newest().orElseThrow().state().view()) {
            GroupFacts group = facts.group(new GroupId(1)).orElseThrow();
            return group.stored(INDEX).orElseThrow();
        }
    }

    private DatanodeHost holder(ChunkOnVolume chunk) {
        return scene.cluster.datanodes().stream()
                .filter(datanode -> datanode.has(chunk.volume()))
                .findFirst()
                .orElseThrow();
    }

    /** @return the old chunk, whose datanode is back */
    private ChunkOnVolume replaced(boolean lying) throws IOException {
        CreateOptions options =
                CreateOptions.defaults().withPolicy(PowerScene.POLICY).withSync(true);
        EcfsOutputStream out = scene.await(scene.writer.client().create(FILE, options));
        out.write(Contents.of(7, 0, 20_000));
        scene.await(out.closeLater());
        scene.world.time().pass(PowerScene.BOOT);
        ChunkOnVolume old = placed();
        DatanodeHost its = holder(old);
        its.crash(Loss.NOTHING);
        scene.world.time().pass(REPAIR);
        ChunkOnVolume fresh = placed();
        assertThat(fresh.chunk().generation()).isPositive();
        if (lying) {
            holder(fresh).falsify(fresh.volume(), fresh.chunk());
        }
        its.start();
        return old;
    }

    @Test
    void theGoodChunkStaysAsLongAsTheWrongOneStandsInForIt() throws IOException {
        ChunkOnVolume old = replaced(true);
        ChunkOnVolume wrong = placed();
        for (Duration passed = Duration.ZERO; passed.compareTo(REPAIR) < 0; passed = passed.plus(STEP)) {
            scene.world.time().pass(STEP);
            if (placed().equals(wrong)) {
                assertThat(holder(old).find(old.volume(), old.chunk()))
                        .as("%s after %s", old, passed)
                        .isPresent();
            }
        }
    }

    @Test
    void withoutALieItGoes() throws IOException {
        ChunkOnVolume old = replaced(false);
        scene.world.time().pass(REPAIR);
        assertThat(holder(old).find(old.volume(), old.chunk())).isEmpty();
    }
}
