package io.ecfs.datanode.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.code.construction.Codes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.datanode.repair.StoredGroup.Mood;
import io.ecfs.datanode.store.Chunks;
import io.ecfs.datanode.store.DatanodeHome;
import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.env.Environment;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.transfer.ChunkPayload;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Open chunks that end before others of their group do, brought up to them. */
class StripeFillTest {
    private static final String POLICY = "rs-3-2-64k";
    private static final long WRITER = 9;
    private static final long FENCE = 5;
    private static final int STRIPES = 3;
    private static final int BEHIND = 1;

    private final Environment environment = RealEnvironment.open();
    private final List<BadChunk> bad = new CopyOnWriteArrayList<>();
    private Volume volume;
    private VolumeQueue queue;

    @BeforeEach
    void open() throws IOException {
        DatanodeHome home = DatanodeHome.open(
                new MemoryVolumeIo("home", 1 << 20, new Random(1)),
                new DatanodeId("dn100"),
                environment.randomness()::uuid);
        volume = Volume.open(
                new MemoryVolumeIo("disk", 64 << 20, new Random(2)),
                home.identity(),
                Chunks.terms(0),
                environment.randomness()::uuid);
        queue = new VolumeQueue(environment.threads().workers("volume", 1, 1000), 1, 900, environment.clock());
    }

    @AfterEach
    void close() {
        queue.close();
        volume.close();
    }

    private static StoredGroup group(String policy) {
        long stripe = new StoredGroup(policy, 1, 1).policy.stripeBytes();
        return new StoredGroup(policy, STRIPES * stripe + 100, 7);
    }

    /** A chunk that its writer has left with its first bytes. */
    private DatanodeOrder.FillStripes left(StoredGroup group, int index, long bytes) throws EcfsException {
        DatanodeOrder.Rebuild order = group.order(index);
        ChunkId chunk = new ChunkId(order.chunk().group(), index, 0);
        volume.create(chunk, Stamp.NONE, group.policy, WRITER);
        for (int at = 0; at < bytes; at += group.policy.cellBytes()) {
            int count = (int) Math.min(group.policy.cellBytes(), bytes - at);
            ByteBuf payload = Unpooled.directBuffer(ChunkPayload.payloadBytes(count));
            payload.writeZero(ChunkPayload.checksumBytes(count)).writeBytes(group.chunks[index], at, count);
            ChunkPayload.seal(payload, count);
            volume.append(chunk, WRITER, at, count, 0, payload);
            payload.release();
        }
        volume.fence(chunk, FENCE);
        return new DatanodeOrder.FillStripes(
                order.volume(), chunk, FENCE, group.policy, group.layout.length(), order.sources(), order.token());
    }

    private Repairer repairer(StoredGroup group, RepairSettings settings) {
        return new Repairer(
                "dn100",
                group,
                new Codes(Kernels.java()),
                environment.clock(),
                environment.threads(),
                settings,
                () -> 0,
                () -> Double.NaN);
    }

    private ChunkRecord filled(StoredGroup group, DatanodeOrder.FillStripes order) {
        try (Repairer repairer = repairer(group, RepairSettings.defaults())) {
            try {
                return repairer.fillStripes(order, volume, queue, bad::add).join();
            } finally {
                assertThat(repairer.loans()).isZero();
                assertThat(repairer.usedBytes()).isZero();
                assertThat(group.bytesOut.get()).isZero();
            }
        }
    }

    private byte[] bytes(ChunkId chunk) throws EcfsException {
        assertThat(volume.verify(chunk).orElseThrow().state()).isEqualTo(ChunkState.BEING_WRITTEN);
        int bytes = Math.toIntExact(volume.find(chunk).orElseThrow().bytes());
        byte[] content = new byte[bytes];
        ByteBuf payload = Unpooled.directBuffer(ChunkPayload.payloadBytes(bytes));
        volume.read(chunk, 0, bytes, payload);
        ChunkPayload.data(payload, bytes).getBytes(0, content);
        payload.release();
        return content;
    }

    private void assertBroughtUp(StoredGroup group, DatanodeOrder.FillStripes order) throws EcfsException {
        ChunkRecord record = filled(group, order);
        int full = (int) group.layout.fullStripeChunkBytes();
        assertThat(record.state()).isEqualTo(ChunkState.BEING_WRITTEN);
        assertThat(record.fullStripeBytes()).isEqualTo(full);
        assertThat(record.bytes()).isEqualTo(full);
        assertThat(bytes(order.chunk()))
                .isEqualTo(Arrays.copyOf(group.chunks[order.chunk().index()], full));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rs-6-3-64k",
                "xor-2-1-64k",
                "replication-3-64k",
                "lrc-4-2-2-64k",
                "clay-4-2-5-64k",
                "crs-4-2-64k",
                "shec-4-3-2-64k"
            })
    void everyChunkOfEveryFamilyGetsTheBytesThatItLacks(String policy) throws EcfsException {
        StoredGroup group = group(policy);
        int cell = group.policy.cellBytes();
        for (int index = 0; index < group.policy.chunks(); index++) {
            for (long has : new long[] {0, cell - 512, cell, 2L * cell + 512, 3L * cell}) {
                DatanodeOrder.FillStripes order = left(group, index, has);
                assertBroughtUp(group, order);
                volume.delete(order.chunk(), Stamp.NONE);
            }
        }
        assertThat(bad).isEmpty();
    }

    @Test
    void onlyWhatItLacksIsRead() throws EcfsException {
        StoredGroup group = group(POLICY);
        int cell = group.policy.cellBytes();
        DatanodeOrder.FillStripes order = left(group, BEHIND, 2L * cell);
        assertBroughtUp(group, order);
        assertThat(group.bytesAsked.get())
                .as("of k chunks, and of one more to check it with")
                .isEqualTo(4L * cell);
        group.bytesAsked.set(0);
        assertBroughtUp(group, order);
        assertThat(group.bytesAsked.get()).as("asked again").isZero();
    }

    @Test
    void whatItReadsIsCounted() throws EcfsException {
        StoredGroup group = group(POLICY);
        try (Repairer repairer = repairer(group, RepairSettings.defaults())) {
            assertThat(repairer.fillStripes(left(group, BEHIND, 0), volume, queue, bad::add))
                    .succeedsWithin(Duration.ofSeconds(30));
            assertThat(repairer.totals().bytesRead())
                    .isEqualTo(group.bytesAsked.get())
                    .isPositive();
        }
    }

    /** Users wait for the lease, and for nothing else that this datanode reads. */
    @Test
    void itWaitsForNoPaceButOthersWaitForWhatItReads() throws EcfsException {
        StoredGroup group = group(POLICY);
        RepairSettings defaults = RepairSettings.defaults();
        RepairSettings slow = new RepairSettings(
                defaults.atOnce(),
                defaults.threads(),
                defaults.bufferBytes(),
                16 << 10,
                defaults.slicesAtOnce(),
                defaults.crossCheckOneSliceIn(),
                defaults.readTimeout(),
                new RepairSettings.Limit(1, 0, 0, 0));
        DatanodeOrder.FillStripes order = left(group, BEHIND, 0);
        try (Repairer repairer = repairer(group, slow)) {
            assertThat(repairer.fillStripes(order, volume, queue, bad::add)).succeedsWithin(Duration.ofSeconds(30));
            long filled = group.bytesAsked.get();
            assertThat(filled).isEqualTo(4L * STRIPES * group.policy.cellBytes());
            assertThat(repairer.check(group.check(), bad::add)).isNotDone();
            assertThat(group.bytesAsked.get()).as("without the check's").isEqualTo(filled);
        }
    }

    @Test
    void aSourceThatDiesMeanwhileIsDoneWithout() throws EcfsException {
        StoredGroup group = group(POLICY);
        group.moods[0] = Mood.DIES_LATER;
        assertBroughtUp(group, left(group, BEHIND, 0));
    }

    @Test
    void sourcesThatContradictEachOtherGiveNothing() throws EcfsException {
        StoredGroup group = group(POLICY);
        int cell = group.policy.cellBytes();
        group.moods[2] = Mood.WRONG_BYTE;
        group.wrongAt = cell + 1000L;
        DatanodeOrder.FillStripes order = left(group, BEHIND, cell);
        assertThatThrownBy(() -> filled(group, order)).hasMessageContaining("differ when they are computed");
        assertThat(bytes(order.chunk())).isEqualTo(Arrays.copyOf(group.chunks[BEHIND], cell));
    }

    @Test
    void tooFewSourcesLeaveTheChunkAsItIs() throws EcfsException {
        StoredGroup group = group(POLICY);
        int cell = group.policy.cellBytes();
        group.moods[0] = Mood.UNREACHABLE;
        group.moods[3] = Mood.UNREACHABLE;
        DatanodeOrder.FillStripes order = left(group, BEHIND, cell);
        assertThatThrownBy(() -> filled(group, order)).hasMessageContaining("cannot be rebuilt from the chunks [2, 4]");
        assertThat(bytes(order.chunk())).isEqualTo(Arrays.copyOf(group.chunks[BEHIND], cell));
    }

    @Test
    void aLaterRoundOfRecoveryIsNotCutShortByAnEarlierOne() throws EcfsException {
        StoredGroup group = group(POLICY);
        DatanodeOrder.FillStripes order = left(group, BEHIND, group.policy.cellBytes());
        volume.fence(order.chunk(), FENCE + 1);
        assertThatThrownBy(() -> filled(group, order)).hasMessageContaining("was followed by 6");
    }
}
