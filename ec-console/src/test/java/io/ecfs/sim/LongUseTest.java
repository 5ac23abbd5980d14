package io.ecfs.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.ecfs.buffer.LosesBuffers;
import io.ecfs.client.CreateOptions;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.layout.WriteSide;
import io.ecfs.message.FilePath;
import io.ecfs.message.report.WriteShare;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.sim.cluster.Contents;
import io.ecfs.sim.cluster.SimClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Files that are open for longer than a block token lives. */
@LosesBuffers
@ExtendWith(NothingMayWait.class)
class LongUseTest {
    private static final FilePath FILE = FilePath.ROOT.child("log");
    private static final Duration LONGER_THAN_A_TOKEN = Duration.ofMinutes(65);
    private static final int PART = 20_000;
    private static final int TAG = 7;
    private static final int STRIPE = (int) PowerScene.POLICY.stripeBytes();
    private static final Duration WITHIN_RELAY_IDLE = Duration.ofSeconds(4);

    private final PowerScene scene = new PowerScene(1);

    private EcfsOutputStream create() throws IOException {
        return scene.await(
                scene.writer.client().create(FILE, CreateOptions.defaults().withPolicy(PowerScene.POLICY)));
    }

    private void part(EcfsOutputStream out, int number) throws IOException {
        out.write(Contents.of(TAG, number * PART, (number + 1) * PART));
    }

    private byte[] read() throws IOException {
        return scene.await(scene.cluster.lastClient(1).deeds().read(FILE, Integer.MAX_VALUE));
    }

    @Test
    void aWriterGoesOnInTheGroupThatItHas() throws IOException {
        EcfsOutputStream out = create();
        scene.world.time().pass(LONGER_THAN_A_TOKEN); // before its chunks are begun
        part(out, 0);
        scene.await(out.acknowledgeLater(true));
        scene.world.time().pass(LONGER_THAN_A_TOKEN);
        part(out, 1);
        scene.await(out.acknowledgeLater(true));
        part(out, 2);
        scene.await(out.closeLater());
        assertThat(read()).isEqualTo(Contents.of(TAG, 0, 3 * PART));
        try (MetadataView facts = scene.cluster.newest().orElseThrow().state().view()) {
            assertThat(facts.lastNumber(0)).as("groups").isEqualTo(1);
        }
    }

    @Tag("soak") // a thousand stripes
    @Test
    void aRelayedWriterGoesOnThroughItsRelay() throws IOException {
        SimClient relayed = new SimClient(
                scene.world,
                "relayed",
                0, // its datanodes encode
                scene.cluster.addresses(),
                scene.cluster.ledger(),
                false,
                new SplittableRandom(2));
        EcfsOutputStream out = scene.await(
                relayed.client().create(FILE, CreateOptions.defaults().withPolicy(PowerScene.POLICY)));
        scene.world.time().pass(LONGER_THAN_A_TOKEN); // before its relay begins
        int parts = 0;
        for (Duration left = LONGER_THAN_A_TOKEN; !left.isNegative(); left = left.minus(WITHIN_RELAY_IDLE)) {
            out.write(Contents.of(TAG, parts * STRIPE, ++parts * STRIPE));
            scene.await(out.acknowledgeLater(false));
            scene.world.time().pass(WITHIN_RELAY_IDLE);
        }
        scene.await(out.closeLater());
        assertThat(read()).isEqualTo(Contents.of(TAG, 0, parts * STRIPE));
        assertThat(relayed.client().relayFallbacks()).isEmpty();
        assertThat(relayed.client().writeTimes())
                .filteredOn(share -> share.stripes() > 0)
                .extracting(WriteShare::side, WriteShare::stripes)
                .containsExactly(tuple(WriteSide.MASTER, (long) parts));
    }

    @Test
    void whatWasPublishedBeforeIsPutOnDisk() throws IOException {
        EcfsOutputStream out = create();
        part(out, 0);
        scene.await(out.acknowledgeLater(false));
        scene.cluster.datanodes().get(0).crash(Loss.NOTHING);
        part(out, 1); // ends the group, whose chunks were not synced
        scene.await(out.acknowledgeLater(false));
        scene.cluster.datanodes().get(0).start();
        scene.world.time().pass(LONGER_THAN_A_TOKEN);
        scene.await(out.acknowledgeLater(true));
        scene.await(out.closeLater());
        assertThat(read()).isEqualTo(Contents.of(TAG, 0, 2 * PART));
    }

    @Tag("soak")
    @Test
    void aReaderGoesOnReading() throws IOException {
        EcfsOutputStream out = create();
        part(out, 0);
        scene.await(out.closeLater());
        FileReader reader = scene.await(scene.writer.client().open(FILE));
        for (int half = 0; half < 2; half++) {
            ByteBuffer bytes = ByteBuffer.allocate(PART / 2);
            scene.await(reader.readLater((long) half * PART / 2, bytes));
            assertThat(bytes.array()).isEqualTo(Contents.of(TAG, half * PART / 2, (half + 1) * PART / 2));
            scene.world.time().pass(LONGER_THAN_A_TOKEN);
        }
    }
}
