package io.ecfs.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.buffer.LosesBuffers;
import io.ecfs.client.CreateOptions;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.error.EcfsException;
import io.ecfs.message.FilePath;
import io.ecfs.sim.cluster.Contents;
import io.ecfs.sim.cluster.DatanodeHost;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A new version of a file is written, closed without a sync and takes the old one's name; then all datanodes lose
 * power. One of both versions is there: the new one once datanodes have put on disk what was closed, and until then the
 * chunks of the old one.
 */
@LosesBuffers
@ExtendWith(NothingMayWait.class)
class ReplacedFileTest {
    private static final FilePath FILE = FilePath.ROOT.child("file");
    private static final FilePath NEW = FilePath.ROOT.child("file.new");

    /** In which a datanode puts on disk what was closed. */
    private static final Duration WRITE_BACK = Duration.ofSeconds(5);

    private static final int SEEDS = 8;
    private static final int BYTES = 20_000;
    private static final int OLD = 7;
    private static final int YOUNG = 8;

    /** How the new version takes the name. */
    private enum Replacement {
        RENAME_OVER,
        DELETE_AND_RENAME,
        OVERWRITE
    }

    @ParameterizedTest
    @EnumSource
    void closedFilesSurviveALossOfPowerAfterWriteBack(Replacement replacement) throws IOException {
        for (long seed = 0; seed < SEEDS; seed++) {
            Scene scene = new Scene(seed);
            scene.write(FILE, OLD, true);
            scene.replace(replacement);
            scene.pass(WRITE_BACK);
            scene.losePower();
            assertThat(scene.version(FILE)).as("%s, seed %d", replacement, seed).isEqualTo(YOUNG);
        }
    }

    @Test
    void theChunksOfTheOldVersionStayUntilTheNewOneIsOnDisk() throws IOException {
        for (long seed = 0; seed < SEEDS; seed++) {
            Scene scene = new Scene(seed);
            scene.write(FILE, OLD, true);
            long chunks = scene.chunks();
            scene.replace(Replacement.RENAME_OVER);
            scene.pass(WRITE_BACK);
            assertThat(scene.chunks()).as("both versions, seed %d", seed).isEqualTo(2 * chunks);
            scene.pass(PowerScene.PATIENCE);
            assertThat(scene.chunks()).as("the new one alone, seed %d", seed).isEqualTo(chunks);
        }
    }

    /** Six datanodes and one client. */
    private static final class Scene extends PowerScene {

        Scene(long seed) {
            super(seed);
        }

        void write(FilePath path, int tag, boolean sync) throws IOException {
            CreateOptions options = CreateOptions.defaults()
                    .withPolicy(POLICY)
                    .withOverwrite(true)
                    .withSync(sync);
            EcfsOutputStream out = await(writer.client().create(path, options));
            out.write(Contents.of(tag, 0, BYTES));
            await(out.closeLater());
        }

        void replace(Replacement replacement) throws IOException {
            switch (replacement) {
                case RENAME_OVER -> {
                    write(NEW, YOUNG, false);
                    await(writer.client().rename(NEW, FILE, true));
                }
                case DELETE_AND_RENAME -> {
                    write(NEW, YOUNG, false);
                    await(writer.client().delete(FILE, false));
                    await(writer.client().rename(NEW, FILE, false));
                }
                case OVERWRITE -> write(FILE, YOUNG, false);
            }
        }

        void pass(Duration time) {
            world.time().pass(time);
        }

        /** All datanodes at once; the log is synced and has everything. */
        void losePower() {
            cluster.datanodes().forEach(datanode -> datanode.crash(Loss.UNSYNCED));
            pass(BOOT);
            cluster.datanodes().forEach(DatanodeHost::start);
            pass(BOOT);
        }

        long chunks() {
            return cluster.datanodes().stream()
                    .flatMap(datanode -> datanode.chunks().values().stream())
                    .mapToLong(List::size)
                    .sum();
        }

        int version(FilePath path) throws EcfsException {
            byte[] bytes = await(cluster.lastClient(1).deeds().read(path, Integer.MAX_VALUE));
            assertThat(bytes).hasSize(BYTES);
            return Contents.firstDifference(YOUNG, bytes) == -1
                    ? YOUNG
                    : Contents.firstDifference(OLD, bytes) == -1 ? OLD : -1;
        }
    }
}
