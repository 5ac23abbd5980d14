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
import io.ecfs.sim.cluster.SimClient;
import io.ecfs.sim.cluster.SimTuning;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Machines lose power, with all that is not on their disks, while a writer is idle, and are back before it goes on.
 * What it is told from then on is true: bytes that an hsync acknowledged are there without m datanodes, and without any
 * loss beside the power no flush succeeds over bytes that are gone.
 */
@LosesBuffers
@ExtendWith(NothingMayWait.class)
class LostPowerTest {
    private static final FilePath FILE = FilePath.ROOT.child("log");
    private static final Duration MOMENT = Duration.ofSeconds(1);
    private static final Duration SUSPECTED = Duration.ofMillis(4500);
    private static final int SEEDS = 2;
    private static final int TAG = 7;

    /** How the bytes lie on the datanodes that are not on their disks when the power goes. */
    private enum Unsynced {
        /** A record on m + 1 chunks. */
        MIRRORED(1000, true),
        /** A record of which each chunk has a cell. */
        CODED(7000, true),
        /** Full stripes; nobody asked for an acknowledgement of them. */
        STRIPES(50_152, false);

        private final int bytes;
        private final boolean flushed;

        Unsynced(int bytes, boolean flushed) {
            this.bytes = bytes;
            this.flushed = flushed;
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsSyncedAfterOneMachineLostPowerSurvivesTheLossOfMOthers(Unsynced unsynced) throws IOException {
        for (long seed = 0; seed < SEEDS; seed++) {
            Scene scene = new Scene(seed);
            EcfsOutputStream log = scene.writeFirst(unsynced);
            scene.losePower(List.of(0));
            scene.write(log, 1000);
            scene.await(log.acknowledgeLater(true));
            scene.repair(); // the lost power was a loss, too
            scene.stopFor(List.of(1, 2));
            assertThat(scene.recovered()).as("%s, seed %d", unsynced, seed).isEqualTo(scene.written());
        }
    }

    @ParameterizedTest
    @EnumSource
    void noFlushSucceedsOverBytesThatAllMachinesLost(Unsynced unsynced) throws IOException {
        for (boolean sync : new boolean[] {false, true}) {
            for (long seed = 0; seed < SEEDS; seed++) {
                Scene scene = new Scene(seed);
                EcfsOutputStream log = scene.writeFirst(unsynced);
                int onDisk = 1000;
                scene.losePower(List.of(0, 1, 2, 3, 4));
                int acknowledged = onDisk;
                try {
                    scene.await(log.acknowledgeLater(sync));
                    acknowledged = scene.written();
                } catch (EcfsException e) {
                    assertThat(e.getMessage()).as("%s, seed %d", unsynced, seed).contains("lost");
                }
                assertThat(scene.recovered())
                        .as("%s, sync %s, seed %d", unsynced, sync, seed)
                        .isGreaterThanOrEqualTo(acknowledged);
            }
        }
    }

    /**
     * As many machines as the group survives lose power, and one more is away while the file of a writer that vanished
     * is recovered.
     */
    @ParameterizedTest
    @EnumSource(
            value = Unsynced.class,
            names = {"MIRRORED", "CODED"})
    void flushedBytesAreAwaitedAfterALossOfPower(Unsynced unsynced) throws IOException {
        for (long seed = 0; seed < SEEDS; seed++) {
            for (int away = 2; away < PowerScene.POLICY.chunks(); away++) {
                Scene scene = new Scene(seed);
                scene.writeFirst(unsynced);
                scene.losePower(List.of(0, 1));
                scene.vanish();
                scene.isolateWhileRecovering(away);
                assertThat(scene.recovered())
                        .as("%s, seed %d, chunk %d away", unsynced, seed, away)
                        .isEqualTo(scene.written());
            }
        }
    }

    /**
     * Its last chunks are published with what was never synced: header and name alone would be a chunk that is too
     * short.
     */
    @Test
    void whatWasSyncedSurvivesAPlainCloseAndTheLossOfAllPower() throws IOException {
        for (long seed = 0; seed < SEEDS; seed++) {
            Scene scene = new Scene(seed);
            EcfsOutputStream log = scene.create();
            scene.write(log, (int) PowerScene.POLICY.stripeBytes());
            scene.await(log.acknowledgeLater(true));
            scene.write(log, (int) PowerScene.POLICY.stripeBytes() + 100);
            scene.await(log.closeLater());
            scene.losePower(List.of(0, 1, 2, 3, 4));
            assertThat(scene.recovered()).as("seed %d", seed).isEqualTo(scene.written());
        }
    }

    /** Six datanodes, a file whose first bytes are on disk, and more of it that is not. */
    private static final class Scene extends PowerScene {
        private int written;

        Scene(long seed) {
            super(seed);
        }

        EcfsOutputStream create() throws IOException {
            return await(writer.client().create(FILE, CreateOptions.defaults().withPolicy(POLICY)));
        }

        EcfsOutputStream writeFirst(Unsynced unsynced) throws IOException {
            EcfsOutputStream log = create();
            write(log, 1000);
            await(log.acknowledgeLater(true));
            write(log, unsynced.bytes);
            if (unsynced.flushed) {
                await(log.acknowledgeLater(false));
            }
            world.time().pass(BOOT); // stripes are on their way
            return log;
        }

        void write(EcfsOutputStream log, int bytes) throws IOException {
            log.write(Contents.of(TAG, written, written + bytes));
            written += bytes;
        }

        int written() {
            return written;
        }

        /** The machines with these chunks of the file. */
        private List<DatanodeHost> machines(List<Integer> indexes) {
            return cluster.datanodes().stream()
                    .filter(datanode -> datanode.chunks().values().stream()
                            .flatMap(List::stream)
                            .anyMatch(record -> indexes.contains(record.chunk().index())))
                    .toList();
        }

        void losePower(List<Integer> indexes) {
            List<DatanodeHost> machines = machines(indexes);
            assertThat(machines).hasSameSizeAs(indexes);
            machines.forEach(machine -> machine.crash(Loss.UNSYNCED));
            world.time().pass(BOOT);
            machines.forEach(DatanodeHost::start);
            world.time().pass(BOOT);
        }

        /** A group that goes on without the chunk that it lost gets another. */
        void repair() {
            world.time().pass(Duration.ofMinutes(1));
        }

        /** Machines with these chunks go for good, and the writer with them. */
        void stopFor(List<Integer> indexes) {
            machines(indexes).stream().limit(indexes.size()).forEach(machine -> machine.crash(Loss.NOTHING));
        }

        void vanish() {
            cluster.vanish(writer, SimClient.Exit.NOW, () -> {});
        }

        /** A machine is away from before the lease ends until it is suspected, and not so long that it is dead. */
        void isolateWhileRecovering(int index) {
            world.time().pass(SimTuning.LEASE_HARD_LIMIT.minus(MOMENT));
            List<DatanodeHost> machine = machines(List.of(index));
            assertThat(machine).hasSize(1);
            machine.get(0).isolate();
            world.time().pass(SUSPECTED.plus(MOMENT));
            machine.get(0).heal();
        }

        /**
         * The length of the file when it was recovered from the writer that vanished; its bytes are what was written.
         */
        int recovered() throws EcfsException {
            if (writer.alive()) {
                vanish();
            }
            world.time().pass(SimTuning.LEASE_HARD_LIMIT.multipliedBy(3));
            SimClient reader = cluster.lastClient(1);
            byte[] bytes = await(reader.deeds().read(FILE, Integer.MAX_VALUE));
            assertThat(Contents.firstDifference(TAG, bytes))
                    .as("first byte that differs")
                    .isEqualTo(-1);
            return bytes.length;
        }
    }
}
