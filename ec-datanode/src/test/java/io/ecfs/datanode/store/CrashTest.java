package io.ecfs.datanode.store;

import static io.ecfs.datanode.store.Chunks.CELL;
import static io.ecfs.datanode.store.Chunks.POLICY;
import static io.ecfs.datanode.store.Chunks.append;
import static io.ecfs.datanode.store.Chunks.id;
import static io.ecfs.datanode.store.Chunks.payload;
import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.datanode.store.ring.StagedMachine;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.transfer.ReadRange;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Random lives of chunks with a crash at every operation of the disk, compared with what the callers were told.
 *
 * <p>A crash of the process loses nothing that was acknowledged; a loss of power loses nothing that was acknowledged as
 * on disk. What is there afterwards is a first part of what the writer sent, and verifies.
 */
class CrashTest {
    private static final int CHUNKS = 8;

    /** What the callers know of a chunk. */
    private static final class Expected {
        long acknowledged;
        long sent;
        boolean open;
        boolean finalised;
        boolean durable;
        boolean fenced;
        long fencedBytes;
        boolean over;
        boolean mayBeGone;
        boolean mayBeFinalised;
    }

    @Test
    void everyCrashOfTheProcessKeepsWhatWasAcknowledged() throws IOException {
        crashEverywhere(Loss.NOTHING, 3);
    }

    @Test
    void everyLossOfPowerKeepsWhatWasSynced() throws IOException {
        crashEverywhere(Loss.UNSYNCED, 4);
    }

    @Test
    void aCrashOfAStagedVolumeKeepsWhatWasAcknowledged() throws IOException {
        crashStaged(Loss.NOTHING, true, 4);
    }

    @Test
    void aLossOfPowerOfAStagedVolumeKeepsWhatWasSynced() throws IOException {
        crashStaged(Loss.UNSYNCED, true, 6);
    }

    /** A journal in memory is gone with the power; what was synced must be on the device. */
    @Test
    void aLossOfPowerOfAVolumeStagedInMemoryKeepsWhatWasSynced() throws IOException {
        crashStaged(Loss.UNSYNCED, false, 6);
    }

    /** As {@link #crashEverywhere}, with a journal, and turns of the volume's roles between all steps. */
    private void crashStaged(Loss loss, boolean journalOutlivesPower, int seeds) throws IOException {
        int crashes = 0;
        for (int seed = 0; seed < seeds; seed++) {
            for (long at = 0; ; at++) {
                StagedMachine machine = new StagedMachine(seed * 1000L + at, journalOutlivesPower, seed % 2 == 0);
                Chunks.open(machine.device(), new Random(seed)).close();
                machine.restart(Loss.NOTHING);
                Map<ChunkId, Expected> expected = new TreeMap<>();
                Volume volume = Chunks.open(machine.open(), new Random(seed));
                MemoryVolumeIo disk = machine.disk(seed % 3 > 0);
                disk.crashAtMutation(disk.mutations() + at);
                String replay = "seed " + seed + ", crash at mutation " + at + " of a staged volume, loss " + loss;
                liveStaged(machine, volume, new Random(seed), expected);
                if (!machine.crashed()) {
                    break;
                }
                crashes++;
                machine.restart(loss);
                check(Chunks.open(machine.open(), new Random(seed)), expected, loss, replay);
                machine.restart(Loss.NOTHING);
                Volume again = Chunks.open(machine.open(), new Random(seed));
                machine.drainAll();
                check(again, expected, loss, replay + ", second start");
                machine.restart(Loss.NOTHING);
                check(
                        Chunks.open(machine.device(), new Random(seed)),
                        expected,
                        loss,
                        replay + ", without its journal");
            }
        }
        assertThat(crashes).isGreaterThan(seeds * 50);
    }

    private static void liveStaged(
            StagedMachine machine, Volume volume, Random random, Map<ChunkId, Expected> expected) {
        try {
            for (int step = 0; step < 40; step++) {
                if (random.nextInt(3) == 0) {
                    machine.turn(random);
                }
                ChunkId chunk = id(1 + random.nextInt(2) * 256L, random.nextInt(CHUNKS / 2));
                step(volume, random, chunk, expected.computeIfAbsent(chunk, c -> new Expected()));
            }
        } catch (IOException e) {
            assertThat(machine.crashed()).as(e.getMessage()).isTrue();
        }
    }

    private void crashEverywhere(Loss loss, int seeds) throws IOException {
        int crashes = 0;
        for (int seed = 0; seed < seeds; seed++) {
            for (long at = 12; ; at++) {
                MemoryVolumeIo disk = new MemoryVolumeIo("disk", 1 << 20, new SplittableRandom(seed * 1000L + at));
                Map<ChunkId, Expected> expected = new TreeMap<>();
                Volume volume = Chunks.open(disk, new Random(seed));
                disk.crashAtMutation(at);
                live(volume, new Random(seed), expected);
                if (!disk.crashed()) {
                    break;
                }
                crashes++;
                String replay = "seed " + seed + ", crash at mutation " + at + ", loss " + loss;
                disk.restart(loss);
                check(Chunks.open(disk, new Random(seed)), expected, loss, replay);
                disk.restart(Loss.NOTHING);
                check(Chunks.open(disk, new Random(seed)), expected, loss, replay + ", second start");
            }
        }
        assertThat(crashes).isGreaterThan(seeds * 50);
    }

    /** One random life; ends at the crash. */
    private static void live(Volume volume, Random random, Map<ChunkId, Expected> expected) {
        try {
            for (int step = 0; step < 40; step++) {
                ChunkId chunk = id(1 + random.nextInt(2) * 256L, random.nextInt(CHUNKS / 2));
                step(volume, random, chunk, expected.computeIfAbsent(chunk, c -> new Expected()));
            }
        } catch (EcfsException e) {
            assertThat(volume.state()).as(e.getMessage()).isEqualTo(io.ecfs.message.VolumeState.FAILED);
        }
    }

    private static void step(Volume volume, Random random, ChunkId chunk, Expected known) throws EcfsException {
        if (known.over) {
            return; // a chunk's name is used once
        }
        if (!known.open && !known.finalised) {
            known.mayBeGone = true;
            if (random.nextInt(3) == 0) {
                put(volume, random.nextBoolean(), chunk, known);
                return;
            }
            volume.create(chunk, Stamp.NONE, POLICY, 7);
            known.open = true;
            known.mayBeGone = false;
            return;
        }
        if (known.finalised) {
            if (random.nextInt(3) == 0) {
                known.mayBeGone = true;
                volume.delete(chunk, Stamp.NONE);
                known.over = true;
            }
            return;
        }
        switch (random.nextInt(8)) {
            case 0 -> {
                known.mayBeGone = !known.fenced;
                if (!known.fenced) {
                    volume.abort(chunk, 7);
                    known.over = true;
                }
            }
            case 1 -> {
                volume.fence(chunk, 3);
                known.fenced = true;
                known.fencedBytes = known.acknowledged;
            }
            case 2, 3 -> {
                boolean sync = known.fenced || random.nextBoolean();
                known.mayBeFinalised = true;
                if (known.fenced) {
                    volume.finalise(chunk, known.acknowledged, 3 * known.acknowledged);
                } else {
                    volume.finish(chunk, 7, known.acknowledged, 3 * known.acknowledged, sync);
                }
                known.open = false;
                known.finalised = true;
                known.durable = sync;
            }
            default -> {
                if (!known.fenced) {
                    known.sent = known.acknowledged + CELL;
                    append(volume, chunk, 7, known.acknowledged, CELL, false);
                    known.acknowledged = known.sent;
                }
            }
        }
    }

    private static void put(Volume volume, boolean sync, ChunkId chunk, Expected known) throws EcfsException {
        known.sent = CELL;
        known.mayBeFinalised = true;
        volume.put(chunk, Stamp.NONE, POLICY, 7, CELL, 3L * CELL, sync, payload(chunk, 0, CELL));
        known.mayBeGone = false;
        known.finalised = true;
        known.acknowledged = CELL;
        known.durable = sync;
    }

    private static void check(Volume volume, Map<ChunkId, Expected> expected, Loss loss, String replay)
            throws IOException {
        assertThat(volume.records(Optional.empty(), 100))
                .as(replay)
                .allSatisfy(record -> assertThat(expected).containsKey(record.chunk()));
        for (Map.Entry<ChunkId, Expected> entry : expected.entrySet()) {
            checkOne(volume, entry.getKey(), entry.getValue(), loss, replay + ", " + entry.getKey());
        }
        volume.close();
    }

    private static void checkOne(Volume volume, ChunkId chunk, Expected known, Loss loss, String what)
            throws IOException {
        Optional<ChunkRecord> record = volume.find(chunk);
        boolean power = loss == Loss.UNSYNCED;
        if (known.finalised && !known.mayBeGone && (!power || known.durable)) {
            assertThat(record).as(what).isPresent();
            assertThat(record.get().state()).as(what).isEqualTo(ChunkState.FINALISED);
            assertThat(record.get().bytes()).as(what).isEqualTo(known.acknowledged);
            assertThat(volume.verify(chunk)).as(what).isEqualTo(record);
        }
        if (known.over && !power) {
            assertThat(record).as(what).isEmpty();
        }
        if (known.open && !known.mayBeGone && !power) {
            assertThat(record).as(what).isPresent();
        }
        if (known.fenced && !known.mayBeGone) {
            assertThat(record).as(what).isPresent();
            assertThat(record.get().bytes()).as(what).isGreaterThanOrEqualTo(known.fencedBytes);
        }
        if (record.isEmpty() || record.get().state() == ChunkState.CORRUPT) {
            assertThat(power || record.isEmpty() || known.mayBeGone)
                    .as(what + " " + record)
                    .isTrue();
            return;
        }
        long bytes = record.get().bytes();
        if (!power && known.open && !known.mayBeGone) {
            assertThat(bytes).as(what).isBetween(known.acknowledged, known.sent);
        }
        assertThat(bytes).as(what).isLessThanOrEqualTo(Math.max(known.sent, known.acknowledged));
        if (record.get().state() == ChunkState.FINALISED) {
            assertThat(known.finalised || known.mayBeFinalised || known.mayBeGone)
                    .as(what + " was never published")
                    .isTrue();
        }
        if (bytes > 0 && (!power || record.get().state() == ChunkState.BEING_WRITTEN)) {
            ByteBuf into = Unpooled.buffer(ReadRange.payloadBytesFor(0, (int) bytes));
            volume.read(chunk, 0, (int) bytes, into);
            assertThat(into).as(what).isEqualTo(payload(chunk, 0, (int) bytes));
        }
    }
}
