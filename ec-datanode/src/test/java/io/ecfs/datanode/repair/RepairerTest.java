package io.ecfs.datanode.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.code.ParityCheck.Verdict;
import io.ecfs.code.construction.Codes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.datanode.repair.StoredGroup.Mood;
import io.ecfs.datanode.store.Chunks;
import io.ecfs.datanode.store.DatanodeHome;
import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.io.VolumeFullException;
import io.ecfs.datanode.store.memory.DiskFaults;
import io.ecfs.datanode.store.memory.DiskFaults.Operation;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.env.Environment;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.Message;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.transfer.ChunkPayload;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RepairerTest {
    private static final RepairSettings SETTINGS = settings(false, 8 << 20);

    private static RepairSettings settings(boolean crossCheck, long bufferBytes) {
        return settings(crossCheck ? 1 : 0, bufferBytes);
    }

    private static RepairSettings settings(int crossCheckOneSliceIn, long bufferBytes) {
        return new RepairSettings(
                2,
                1,
                bufferBytes,
                16 << 10,
                3,
                crossCheckOneSliceIn,
                Duration.ofSeconds(10),
                new RepairSettings.Limit(0, 1 << 20, 1 << 20, 1 << 20));
    }

    private final Environment environment = RealEnvironment.open();
    private final List<BadChunk> bad = Collections.synchronizedList(new ArrayList<>());
    private final MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, new Random(2));
    private DatanodeHome home;
    private Volume volume;
    private VolumeQueue queue;

    @BeforeEach
    void open() throws IOException {
        home = DatanodeHome.open(
                new MemoryVolumeIo("home", 1 << 20, new Random(1)),
                new DatanodeId("dn100"),
                environment.randomness()::uuid);
        volume = Volume.open(disk, home.identity(), Chunks.terms(0), environment.randomness()::uuid);
        queue = new VolumeQueue(environment.threads().workers("volume", 1, 1000), 1, 900, environment.clock());
    }

    @AfterEach
    void close() {
        queue.close();
        volume.close();
    }

    private void rebuild(StoredGroup group, DatanodeOrder.Rebuild order) {
        rebuild(group, order, SETTINGS);
    }

    private void rebuild(StoredGroup group, DatanodeOrder.Rebuild order, RepairSettings settings) {
        try (Repairer repairer = repairer(group, settings)) {
            try {
                repairer.rebuild(order, volume, queue, bad::add).done().join();
            } finally {
                assertThat(repairer.loans()).isZero();
                assertThat(repairer.usedBytes()).isZero();
                assertThat(group.bytesOut.get()).isZero();
            }
        }
    }

    private Repairer repairer(Caller network, RepairSettings settings) {
        return new Repairer(
                "dn100",
                network,
                new Codes(Kernels.java()),
                environment.clock(),
                environment.threads(),
                settings,
                () -> 0,
                () -> Double.NaN);
    }

    private byte[] published(ChunkId chunk) throws EcfsException {
        ChunkRecord record = volume.find(chunk).orElseThrow();
        assertThat(record.state()).isEqualTo(ChunkState.FINALISED);
        assertThat(volume.verify(chunk).orElseThrow().state()).isEqualTo(ChunkState.FINALISED);
        int bytes = Math.toIntExact(record.bytes());
        byte[] content = new byte[bytes];
        if (bytes > 0) {
            ByteBuf payload = Unpooled.directBuffer(ChunkPayload.payloadBytes(bytes));
            volume.read(chunk, 0, bytes, payload);
            ChunkPayload.data(payload, bytes).getBytes(0, content);
            payload.release();
        }
        return content;
    }

    private void assertRebuilt(StoredGroup group, int lost) throws EcfsException {
        DatanodeOrder.Rebuild order = group.order(lost);
        rebuild(group, order);
        assertThat(published(order.chunk()))
                .as("chunk %s of %s bytes under %s", lost, group.layout.length(), group.policy)
                .isEqualTo(group.chunks[lost]);
        assertThat(volume.find(order.chunk()).orElseThrow().groupLength()).isEqualTo(group.layout.length());
        volume.delete(order.chunk(), Stamp.NONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rs-6-3-64k",
                "rs-van-3-2-64k",
                "xor-2-1-64k",
                "replication-3-64k",
                "lrc-4-2-2-64k",
                "clay-4-2-5-64k",
                "clay-3-3-4-64k",
                "crs-4-2-64k",
                "liberation-4-2-84k",
                "shec-4-3-2-64k"
            })
    // HDDS-14763
    // SeaweedFS #9958, #9781
    void everyChunkOfEveryFamilyIsRebuiltByteForByte(String name) throws EcfsException {
        Policy policy = Policy.parse(name);
        long stripe = policy.stripeBytes();
        // One byte leaves all data chunks but the first empty; the others have full stripes, a short tail, a tail of a
        // cell.
        for (long length : new long[] {1, 5_000, 2 * stripe, stripe + 70_001, 2 * stripe - 1}) {
            StoredGroup group = new StoredGroup(name, length, length);
            for (int lost = 0; lost < policy.chunks(); lost++) {
                assertRebuilt(group, lost);
            }
        }
    }

    @Test
    void aTailCellLargerThanAllMemoryIsRebuiltAndItsParityChecked() throws EcfsException {
        StoredGroup group = new StoredGroup("rs-6-3-1024k", (6L << 20) - 5, 3);
        RepairSettings little = settings(false, 1 << 20);
        for (int lost : new int[] {0, 5, 7}) {
            rebuild(group, group.order(lost), little);
            assertThat(published(group.order(lost).chunk())).isEqualTo(group.chunks[lost]);
        }
        try (Repairer repairer = repairer(group, little)) {
            assertThat(repairer.check(group.check(), bad::add).join()).isEqualTo(Verdict.ALIKE);
        }
    }

    @Test
    void exactlyThePlansBytesAreReadForEveryLostChunk() throws EcfsException {
        Map<String, Double> chunksRead = Map.of("rs-6-3-64k", 6.0, "lrc-12-2-2-64k", 6.0, "clay-6-3-8-108k", 8 / 3.0);
        for (Map.Entry<String, Double> code : chunksRead.entrySet()) {
            Policy policy = Policy.parse(code.getKey());
            StoredGroup group = new StoredGroup(code.getKey(), 3L * policy.stripeBytes(), 1);
            assertRebuilt(group, 2);
            assertThat(group.bytesAsked.get())
                    .as(code.getKey())
                    .isEqualTo(Math.round(code.getValue() * 3 * policy.cellBytes()));
        }
    }

    /** Chunk 8 is in the last row of the grid: a helper gives nine runs of each cell. */
    @Test
    void theRunsOfASubChunkRepairGoInOneMessageToEachHelper() throws EcfsException {
        Policy policy = Policy.parse("clay-6-3-8-1024k");
        StoredGroup group = new StoredGroup(policy.name(), 2L * policy.stripeBytes(), 1);
        rebuild(group, group.order(8), settings(false, 64 << 20));
        assertThat(published(group.order(8).chunk())).isEqualTo(group.chunks[8]);
        assertThat(group.messages).as("eight helpers of two cells").hasSize(16).allMatch(runs -> runs == 9);
    }

    @Test
    void aSourceWhoseTailIsNotStoredIsNotAsked() throws EcfsException {
        for (String name : List.of("rs-6-3-64k", "clay-4-2-5-64k")) {
            StoredGroup group = new StoredGroup(name, 1, 1);
            rebuild(group, group.order(group.policy.dataChunks()), SETTINGS);
            assertThat(group.messages).as(name).containsExactly(1);
        }
    }

    /** Sub-chunks of 16 bytes, in 27 runs of 11 helpers, would be read with their windows: 297 times 4 KiB. */
    @Test
    void aSmallTailIsReadInKWholeCells() throws EcfsException {
        StoredGroup group = new StoredGroup("clay-9-3-11-1024k", 9 * 81 * 16, 1);
        rebuild(group, group.order(11), settings(false, 64 << 20));
        assertThat(published(group.order(11).chunk())).isEqualTo(group.chunks[11]);
        assertThat(group.bytesAsked.get()).isEqualTo(9 * 81 * 16);
        assertThat(group.messages).hasSize(9).allMatch(runs -> runs == 1);
    }

    @Test
    void withACrossCheckOneChunkMoreIsReadWhereThatIsEnough() throws EcfsException {
        StoredGroup rs = new StoredGroup("rs-6-3-64k", 3 * 6 * (64 << 10), 1);
        rebuild(rs, rs.order(2), settings(true, 8 << 20));
        assertThat(rs.bytesAsked.get()).isEqualTo(7 * 3 * (64 << 10));
    }

    /** The first of every eight, and the last: of twelve slices these are three. */
    @Test
    void aSampleOfTheSlicesIsCrossCheckedAndCostsNoMoreThanThat() throws EcfsException {
        StoredGroup rs = new StoredGroup("rs-6-3-64k", 3 * 6 * (64 << 10), 1);
        rebuild(rs, rs.order(2), settings(8, 8 << 20));
        assertThat(rs.bytesAsked.get()).isEqualTo(6 * 3 * (64 << 10) + 3 * (16 << 10));
        assertThat(RepairSettings.defaults().crossCheckOneSliceIn()).isEqualTo(8);
        for (long at : new long[] {0, 8 * (16 << 10), 3 * (64 << 10) - 1}) {
            StoredGroup group = new StoredGroup("rs-6-3-64k", 3 * 6 * (64 << 10), 5);
            group.moods[3] = Mood.WRONG_BYTE;
            group.wrongAt = at;
            assertThatThrownBy(() -> rebuild(group, group.order(0), settings(8, 8 << 20)))
                    .hasMessageContaining("holds other bytes than its group's");
        }
    }

    /** Where one chunk was found wrong another may be, in a slice of which no sample is taken. */
    @Test
    void everySliceThatReplacesAWrongChunkIsCrossChecked() throws EcfsException {
        StoredGroup sound = new StoredGroup("rs-3-2-64k", 3L * 3 * (64 << 10), 5);
        sound.moods[2] = Mood.UNREACHABLE; // nor is it read
        DatanodeOrder.Rebuild order = sound.condemned(2);
        rebuild(sound, order, settings(8, 8 << 20));
        assertThat(published(order.chunk())).isEqualTo(sound.chunks[2]);
        assertThat(sound.bytesAsked.get()).isEqualTo(4 * 3 * (64 << 10));
        assertThat(sound.checksumsAsked.get()).isZero();
        volume.delete(order.chunk(), Stamp.NONE);
        for (long at : new long[] {0, 5 * (16 << 10), 3 * (64 << 10) - 1}) {
            StoredGroup group = new StoredGroup("rs-3-2-64k", 3L * 3 * (64 << 10), 5);
            group.moods[3] = Mood.WRONG_BYTE;
            group.wrongAt = at;
            assertDisputed(group, order, settings(8, 8 << 20));
        }
    }

    @Test
    void bytesFromSourcesNeverExceedTheBudget() throws EcfsException {
        int budget = 1 << 20;
        StoredGroup group = new StoredGroup("rs-6-3-64k", 20 * 6 * (64 << 10) + 777, 8);
        List<CompletableFuture<Void>> all = new ArrayList<>();
        try (Repairer repairer = repairer(group, settings(false, budget))) {
            for (int lost = 0; lost < 9; lost++) {
                all.add(repairer.rebuild(group.order(lost), volume, queue, bad::add)
                        .done());
                assertThat(repairer.usedBytes()).isLessThanOrEqualTo(budget);
            }
            all.forEach(CompletableFuture::join);
            assertThat(repairer.usedBytes()).isZero();
        }
        assertThat(group.mostBytesOut.get()).isPositive().isLessThanOrEqualTo(budget);
        for (int lost = 0; lost < 9; lost++) {
            assertThat(published(group.order(lost).chunk())).isEqualTo(group.chunks[lost]);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rs-6-3-64k", "clay-4-2-5-64k", "replication-3-64k", "lrc-4-2-2-64k"})
    void aChunkThatIsOnlyMovedIsCopiedAndNoMoreThanItIsRead(String name) throws EcfsException {
        for (long length : new long[] {1, 2L * Policy.parse(name).stripeBytes() + 5_000}) {
            StoredGroup group = new StoredGroup(name, length, 8);
            for (int index = 0; index < group.policy.chunks(); index++) {
                long before = group.bytesAsked.get();
                DatanodeOrder.Rebuild order = group.move(index);
                rebuild(group, order);
                assertThat(published(order.chunk())).isEqualTo(group.chunks[index]);
                assertThat(group.bytesAsked.get() - before).isEqualTo(group.chunks[index].length);
                volume.delete(order.chunk(), Stamp.NONE);
            }
        }
    }

    @Test
    void aMoveWhoseHolderFailsGoesOnFromTheOtherChunks() throws EcfsException {
        for (Mood mood : List.of(Mood.DIES_LATER, Mood.DAMAGED)) {
            StoredGroup group = new StoredGroup("rs-6-3-64k", 4L * 6 * (64 << 10) + 1000, 9);
            group.moods[2] = mood;
            DatanodeOrder.Rebuild order = group.move(2);
            rebuild(group, order);
            assertThat(published(order.chunk())).as("%s", mood).isEqualTo(group.chunks[2]);
            volume.delete(order.chunk(), Stamp.NONE);
        }
        assertThat(bad).extracting(b -> b.chunk().index()).containsExactly(2);
    }

    @Test
    void sourcesThatFailAreReplacedAndTheCorruptOnesReported() throws EcfsException {
        StoredGroup group = new StoredGroup("rs-6-3-64k", 4 * 6 * (64 << 10) + 1000, 3);
        group.moods[1] = Mood.DAMAGED;
        group.moods[4] = Mood.DIES_LATER;
        assertRebuilt(group, 0);
        assertThat(bad).extracting(b -> b.chunk().index()).containsExactly(1);
        assertThat(bad.get(0).reason()).isEqualTo(BadChunk.Reason.CORRUPT);
    }

    @Test
    void withTooFewSourcesItSaysWhyAndLeavesNothing() {
        StoredGroup group = new StoredGroup("rs-6-3-64k", 6 * (64 << 10), 4);
        for (int i = 1; i <= 3; i++) {
            group.moods[i] = Mood.UNREACHABLE;
        }
        DatanodeOrder.Rebuild order = group.order(0);
        assertThatThrownBy(() -> rebuild(group, order))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(EcfsException.class)
                .hasMessageContaining("cannot be rebuilt from the chunks [4, 5, 6, 7, 8]")
                .hasMessageContaining("does not answer");
        assertThat(volume.find(order.chunk())).isEmpty();
        assertThat(bad).isEmpty();
    }

    /** A checksum says that bytes are as they were written, not that they are the right chunk's. */
    @Test
    void aCrossCheckFindsASourceOfWrongBytes() {
        StoredGroup group = new StoredGroup("rs-6-3-64k", 6 * (64 << 10), 5);
        group.moods[3] = Mood.SWAPPED;
        assertDisputed(group, group.order(0), settings(true, 8 << 20));
    }

    /** What different sources give differs: which of them is wrong the parity check may tell. */
    private void assertDisputed(StoredGroup group, DatanodeOrder.Rebuild order, RepairSettings settings) {
        try (Repairer repairer = repairer(group, settings)) {
            Repairer.Rebuilding rebuilding = repairer.rebuild(order, volume, queue, bad::add);
            assertThatThrownBy(() -> rebuilding.done().join())
                    .hasMessageContaining("holds other bytes than its group's");
            assertThat(rebuilding.disputed().get()).contains(order.chunk());
        }
        assertThat(volume.find(order.chunk())).isEmpty();
    }

    /**
     * A drain would otherwise put a chunk that agrees with the wrong one in the place of the only one that tells of it.
     */
    @Test
    void aComputedChunkThatDiffersFromItsOriginalIsNotPublished() throws EcfsException {
        for (int wrong : new int[] {0, 3}) {
            StoredGroup group = new StoredGroup("rs-6-3-64k", 3L * 6 * (64 << 10) + 5_000, 5);
            group.moods[wrong] = Mood.SWAPPED;
            DatanodeOrder.Rebuild order = group.computedMove(0);
            try (Repairer repairer = repairer(group, SETTINGS)) {
                Repairer.Rebuilding rebuilding = repairer.rebuild(order, volume, queue, bad::add);
                assertThatThrownBy(() -> rebuilding.done().join())
                        .hasMessageContaining(
                                "differs from " + order.original().orElseThrow().chunk());
                assertThat(rebuilding.disputed().get())
                        .isEqualTo(order.original().map(ChunkLocation::chunk));
            }
            assertThat(volume.find(order.chunk())).isEmpty();
        }
    }

    @Test
    void aComputedChunkEqualToItsOriginalIsPublished() throws EcfsException {
        for (String name : List.of("rs-6-3-64k", "clay-4-2-5-64k", "lrc-4-2-2-64k")) {
            for (long length : new long[] {1, 70_000, 2L * Policy.parse(name).stripeBytes() + 5_000}) {
                StoredGroup group = new StoredGroup(name, length, 5);
                for (int index = 0; index < group.policy.chunks(); index++) {
                    DatanodeOrder.Rebuild order = group.computedMove(index);
                    rebuild(group, order, settings(true, 8 << 20));
                    assertThat(published(order.chunk())).isEqualTo(group.chunks[index]);
                    volume.delete(order.chunk(), Stamp.NONE);
                }
                assertThat(group.checksumsAsked.get()).isPositive();
            }
        }
    }

    @Test
    void aComputedChunkWithoutAnOriginalCountsAsUnchecked() throws EcfsException {
        StoredGroup group = new StoredGroup("rs-6-3-64k", 3L * 6 * (64 << 10), 5);
        group.moods[2] = Mood.UNREACHABLE;
        try (Repairer repairer = repairer(group, SETTINGS)) {
            repairer.rebuild(group.lastResort(2), volume, queue, bad::add)
                    .done()
                    .join();
            assertThat(repairer.totals().unchecked()).isEqualTo(1);
            volume.delete(group.order(2).chunk(), Stamp.NONE);
        }
        try (Repairer repairer = repairer(group, settings(true, 8 << 20))) {
            repairer.rebuild(group.order(2), volume, queue, bad::add).done().join();
            assertThat(repairer.totals().unchecked()).isZero();
        }
    }

    @Test
    void rebuildsAreCountedByTheirEnd() throws EcfsException {
        StoredGroup group = new StoredGroup("rs-6-3-64k", 3L * 6 * (64 << 10), 5);
        long chunk = group.chunks[2].length;
        try (Repairer repairer = repairer(group, SETTINGS)) {
            repairer.rebuild(group.order(2), volume, queue, bad::add).done().join();
            assertThat(repairer.totals()).isEqualTo(new Repairer.Totals(0, 1, 1, 0, 6 * chunk, chunk));
            Arrays.fill(group.moods, 0, 4, Mood.UNREACHABLE);
            assertThatThrownBy(() -> repairer.rebuild(group.order(8), volume, queue, bad::add)
                            .done()
                            .join())
                    .hasMessageContaining("cannot be rebuilt");
            assertThat(repairer.totals())
                    .extracting(
                            Repairer.Totals::running,
                            Repairer.Totals::rebuilt,
                            Repairer.Totals::failed,
                            Repairer.Totals::bytesRepaired)
                    .containsExactly(0L, 1L, 1L, chunk);
        }
    }

    @Test
    void memoryIsTakenWhileSourcesAreRead() {
        StoredGroup group = new StoredGroup("rs-6-3-64k", 3L * 6 * (64 << 10), 5);
        List<Long> used = Collections.synchronizedList(new ArrayList<>());
        try (Repairer repairer = repairer(group, SETTINGS)) {
            group.onRead = offset -> used.add(repairer.usedBytes());
            assertThat(repairer.atOnce()).isEqualTo(SETTINGS.atOnce());
            repairer.rebuild(group.order(2), volume, queue, bad::add).done().join();
        }
        assertThat(used).isNotEmpty().allMatch(bytes -> bytes > 0 && bytes <= SETTINGS.bufferBytes());
    }

    /** Two wrong chunks would agree from then on, and the one that tells of them would be deleted. */
    @Test
    void aMovedChunkIsNotReplacedBeforeItIsCompared() throws EcfsException {
        for (ErrorCode failure :
                List.of(ErrorCode.BUSY, ErrorCode.TIMEOUT, ErrorCode.UNREACHABLE, ErrorCode.CONNECTION_LOST)) {
            StoredGroup group = new StoredGroup("rs-6-3-64k", 3L * 6 * (64 << 10) + 5_000, 5);
            group.moods[3] = Mood.SWAPPED;
            group.checksumsFail = Optional.of(failure);
            for (DatanodeOrder.Rebuild order : List.of(group.computedMove(0), group.move(0))) {
                assertThatThrownBy(() -> rebuild(group, order, settings(8, 8 << 20)))
                        .hasMessageContaining("cannot be compared with "
                                + order.original().orElseThrow().chunk());
                assertThat(volume.find(order.chunk())).isEmpty();
            }
        }
        assertThat(bad).isEmpty();
    }

    @Test
    void aChunkOfAFailedVolumeThatCannotBeComparedIsCrossChecked() throws EcfsException {
        for (ErrorCode failure : List.of(ErrorCode.BUSY, ErrorCode.CONNECTION_LOST, ErrorCode.CHUNK_MISSING)) {
            StoredGroup group = new StoredGroup("rs-6-3-64k", 3L * 6 * (64 << 10) + 5_000, 5);
            group.checksumsFail = Optional.of(failure);
            DatanodeOrder.Rebuild order = group.lastResort(0);
            try (Repairer repairer = repairer(group, settings(8, 8 << 20))) {
                repairer.rebuild(order, volume, queue, bad::add).done().join();
                assertThat(repairer.totals().unchecked()).isZero();
            }
            assertThat(published(order.chunk())).isEqualTo(group.chunks[0]);
            volume.delete(order.chunk(), Stamp.NONE);
            group.moods[3] = Mood.SWAPPED;
            assertDisputed(group, order, settings(8, 8 << 20));
        }
    }

    /** The checksums on disk may be what is wrong: they count only while the bytes beside them match. */
    @Test
    void rottenChecksumsDoNotStopThePublicationOfARebuiltChunk() throws EcfsException {
        int bytes = 3 * (64 << 10) + 5_000;
        for (long at : new long[] {0, 100_000, bytes - 1}) {
            StoredGroup group = new StoredGroup("rs-6-3-64k", 6L * bytes, 5);
            group.moods[0] = Mood.ROTTEN_SUM;
            group.wrongAt = at;
            for (DatanodeOrder.Rebuild order : List.of(group.computedMove(0), group.lastResort(0))) {
                bad.clear();
                try (Repairer repairer = repairer(group, settings(8, 8 << 20))) {
                    repairer.rebuild(order, volume, queue, bad::add).done().join();
                    assertThat(repairer.totals().unchecked()).isZero();
                }
                assertThat(published(order.chunk())).as("byte %s", at).isEqualTo(group.chunks[0]);
                volume.delete(order.chunk(), Stamp.NONE);
                assertThat(bad).extracting(b -> b.chunk().index()).containsExactly(0);
            }
        }
    }

    /**
     * A wrong source in the first slice, which is computed after the second one has found that the original's checksums
     * rotted.
     */
    @Test
    void aSliceThatWasBegunBeforeTheOriginalWasRejectedIsCrossChecked() throws EcfsException {
        StoredGroup group = new StoredGroup("rs-6-3-64k", 3L * 6 * (64 << 10), 5);
        group.chunks[3][100] ^= 1;
        group.moods[0] = Mood.ROTTEN_SUM;
        group.wrongAt = (16 << 10) + 100;
        CompletableFuture<Void> rejected = new CompletableFuture<>();
        Caller firstSliceLast = new Caller() {
            @Override
            public CompletableFuture<Envelope> call(Address to, Message request, ByteBuf payload, Duration timeout) {
                boolean late = request instanceof ChunkRequest.ReadChunk read
                        && read.chunk().index() == 3
                        && read.offset() == 0;
                CompletableFuture<Void> turn = late ? rejected : CompletableFuture.completedFuture(null);
                return turn.thenCompose(now -> group.call(to, request, payload, timeout));
            }

            @Override
            public void close() {}
        };
        DatanodeOrder.Rebuild order = group.lastResort(0);
        try (Repairer repairer = repairer(firstSliceLast, settings(8, 8 << 20))) {
            assertThatThrownBy(() -> repairer.rebuild(order, volume, queue, chunk -> rejected.complete(null))
                            .done()
                            .join())
                    .hasMessageContaining("holds other bytes than its group's");
        }
        assertThat(volume.find(order.chunk())).isEmpty();
    }

    @Test
    void aRepeatedOrderChangesNothing() throws EcfsException {
        StoredGroup group = new StoredGroup("rs-6-3-64k", 2 * 6 * (64 << 10), 6);
        DatanodeOrder.Rebuild order = group.order(7);
        volume.create(order.chunk(), Stamp.NONE, group.policy, StoredGroup.WRITER);
        rebuild(group, order);
        long asked = group.bytesAsked.get();
        rebuild(group, order);
        assertThat(group.bytesAsked.get()).isEqualTo(asked);
        assertThat(published(order.chunk())).isEqualTo(group.chunks[7]);
    }

    private Verdict check(StoredGroup group) {
        return check(group, group);
    }

    private Verdict check(StoredGroup group, Caller network, Integer... without) {
        try (Repairer repairer = repairer(network, SETTINGS)) {
            try {
                return repairer.check(group.check(without), bad::add).join();
            } finally {
                assertThat(repairer.loans()).isZero();
                assertThat(repairer.usedBytes()).isZero();
                assertThat(group.bytesOut.get()).isZero();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rs-3-2-8k", "rs-6-3-64k", "lrc-6-2-2-8k", "clay-4-2-5-8k", "replication-3-8k"})
    // SeaweedFS #9880, #9952, #9953
    void aChunkOfAnotherGroupsBytesIsFoundByTheOthers(String name) {
        for (long length : new long[] {1, 2L * Policy.parse(name).stripeBytes() + 5_000}) {
            StoredGroup group = new StoredGroup(name, length, 9);
            assertThat(check(group)).as("%s bytes", length).isEqualTo(Verdict.ALIKE);
            for (int index = 0; index < group.policy.chunks(); index++) {
                Arrays.fill(group.moods, Mood.WELL);
                group.moods[index] = Mood.SWAPPED;
                boolean stored = group.chunks[index].length > 0;
                assertThat(check(group).index()).isEqualTo(stored ? OptionalInt.of(index) : OptionalInt.empty());
            }
        }
    }

    /** One byte in any slice decides: the first, one in the middle, the last, the tail, a parity chunk's. */
    @ParameterizedTest
    @ValueSource(strings = {"rs-6-3-64k", "lrc-6-2-2-64k", "replication-3-64k"})
    void oneWrongByteIsFoundWhereverInTheGroupItIs(String name) {
        StoredGroup group = new StoredGroup(name, 2L * Policy.parse(name).stripeBytes() + 150_000, 9);
        for (int index = 0; index < group.policy.chunks(); index++) {
            int bytes = group.chunks[index].length;
            for (long at : new long[] {0, 64 << 10, (128 << 10) - 1, bytes - 1L}) {
                Arrays.fill(group.moods, Mood.WELL);
                group.moods[index] = Mood.WRONG_BYTE;
                group.wrongAt = at;
                assertThat(check(group).index())
                        .as("byte %s of chunk %s", at, index)
                        .isEqualTo(OptionalInt.of(index));
            }
        }
    }

    /**
     * Each slice alone would be explained by one chunk: the one of the first slice would be condemned, and rebuilt from
     * the other.
     */
    @Test
    void twoChunksThatAreWrongInDifferentSlicesAreBothLeftAlone() {
        StoredGroup group = new StoredGroup("rs-3-2-64k", 3L * 3 * (64 << 10), 9);
        group.chunks[2][100] ^= 1;
        assertThat(check(group).index()).isEqualTo(OptionalInt.of(2));
        group.chunks[2][5 * (16 << 10)] ^= 1;
        assertThat(check(group).index()).isEqualTo(OptionalInt.of(2));
        group.chunks[3][8 * (16 << 10)] ^= 1;
        assertThat(check(group)).isEqualTo(Verdict.UNCLEAR);
        group.chunks[2][100] ^= 1;
        group.chunks[2][5 * (16 << 10)] ^= 1;
        assertThat(check(group).index()).isEqualTo(OptionalInt.of(3));
    }

    /** A repair may wait for this check, so that the check must not wait for the repair. */
    @Test
    void aWrongChunkIsFoundWhileOthersAreMissing() {
        for (long length : new long[] {1, 70_000, 2L * 6 * (64 << 10) + 150_000}) {
            StoredGroup group = new StoredGroup("rs-6-3-64k", length, 9);
            assertThat(check(group, group, 1)).isEqualTo(Verdict.ALIKE);
            for (int index = 0; index < 9; index++) {
                Arrays.fill(group.moods, Mood.WELL);
                group.moods[index] = Mood.WRONG_BYTE;
                group.wrongAt = Math.max(0, group.chunks[index].length - 1);
                boolean read = index != 1 && group.chunks[index].length > 0;
                assertThat(check(group, group, 1).index())
                        .as("chunk %s of %s bytes", index, length)
                        .isEqualTo(read ? OptionalInt.of(index) : OptionalInt.empty());
                int further = index == 8 ? 7 : 8;
                if (length > 6 << 16) {
                    assertThat(check(group, group, 1, further)).isEqualTo(index == 1 ? Verdict.ALIKE : Verdict.UNCLEAR);
                }
            }
        }
    }

    // HDFS-15759: a rebuilt block was not verified.
    @Test
    void whatTheDiskMadeOfARebuiltChunkIsReadBackBeforeItIsPublished() throws EcfsException {
        for (String file : List.of("data", "sum")) {
            StoredGroup group = new StoredGroup("rs-6-3-64k", 3L * 6 * (64 << 10), 5);
            DatanodeOrder.Rebuild order = group.computedMove(2);
            group.onRead = offset -> { // of the last slice, when the first ones are appended
                try {
                    if (offset < group.chunks[2].length - (16 << 10)) {
                        return;
                    }
                    group.onRead = later -> {};
                    disk.flipBit("writing/11/17.2.1." + file, 5_000 % (file.equals("sum") ? 560 : 100_000), 3);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            };
            assertThatThrownBy(() -> rebuild(group, order)).hasMessageContaining("when it is read back");
            assertThat(volume.find(order.chunk()).map(ChunkRecord::state)).hasValue(ChunkState.CORRUPT);
            volume.delete(order.chunk(), Stamp.NONE);
        }
    }

    // SeaweedFS #7620, #7621: write errors on a move's target that nobody looked at, and the source was deleted.
    @Test
    void aMoveWhoseTargetCannotWriteFailsAndPublishesNothing() throws IOException {
        for (Operation failing : List.of(
                Operation.CREATE, Operation.WRITE, Operation.SYNC, Operation.RENAME, Operation.SYNC_DIRECTORY)) {
            for (boolean full : List.of(false, true)) {
                if (full && (failing == Operation.SYNC || failing == Operation.SYNC_DIRECTORY)) {
                    continue; // a failed sync is an I/O error, for want of room too
                }
                MemoryVolumeIo other = new MemoryVolumeIo("other", 64 << 20, new Random(3));
                StoredGroup group = new StoredGroup("rs-6-3-64k", 3L * 6 * (64 << 10), 5);
                DatanodeOrder.Rebuild order = group.move(2);
                try (Volume target =
                                Volume.open(other, home.identity(), Chunks.terms(0), environment.randomness()::uuid);
                        Repairer repairer = repairer(group, SETTINGS)) {
                    other.faults((operation, path, number) -> {
                        if (operation == failing && (path.contains("17.2.1") || failing == Operation.SYNC_DIRECTORY)) {
                            throw full ? new VolumeFullException("no room") : new IOException("Input/output error");
                        }
                    });
                    assertThatThrownBy(() -> repairer.rebuild(order, target, queue, bad::add)
                                    .done()
                                    .join())
                            .as("%s fails, full %s", failing, full)
                            .hasCauseInstanceOf(EcfsException.class);
                    assertThat(target.find(order.chunk()).filter(record -> record.state() == ChunkState.FINALISED))
                            .as("%s fails, full %s", failing, full)
                            .isEmpty();
                    other.restart(MemoryVolumeIo.Loss.NOTHING);
                    other.faults(DiskFaults.NONE);
                }
                try (Volume target =
                                Volume.open(other, home.identity(), Chunks.terms(0), environment.randomness()::uuid);
                        Repairer repairer = repairer(group, SETTINGS)) {
                    repairer.rebuild(order, target, queue, bad::add).done().join();
                    assertThat(target.verify(order.chunk()).orElseThrow().bytes())
                            .isEqualTo(group.chunks[2].length);
                }
            }
        }
    }

    // SeaweedFS #9938: a short read counted as a success, and nothing was synced before it was published.
    @Test
    void aRebuiltChunkIsOnDiskWhenItIsReported() throws IOException {
        StoredGroup group = new StoredGroup("rs-6-3-64k", 3L * 6 * (64 << 10) + 5_000, 5);
        group.moods[1] = Mood.SHORT;
        group.moods[4] = Mood.SHORT;
        rebuild(group, group.order(2));
        rebuild(group, group.move(3));
        disk.restart(MemoryVolumeIo.Loss.UNSYNCED);
        volume = Volume.open(disk, home.identity(), Chunks.terms(0), environment.randomness()::uuid);
        assertThat(published(group.order(2).chunk())).isEqualTo(group.chunks[2]);
        assertThat(published(group.order(3).chunk())).isEqualTo(group.chunks[3]);
    }

    @Test
    void aSoundGroupIsSoundHoweverManyAnswersArriveAtTheSameMoment() {
        StoredGroup group = new StoredGroup("rs-3-2-8k", 1000, 10);
        try (AtOnce network = new AtOnce(group)) {
            for (int i = 0; i < 2_000; i++) {
                assertThat(check(group, network)).isEqualTo(Verdict.ALIKE);
            }
        }
    }

    /** Answers for all chunks of a group come together, each on a thread of its own. */
    private static final class AtOnce implements Caller {
        private final StoredGroup group;
        private final CyclicBarrier moment;
        private final ExecutorService loops;

        AtOnce(StoredGroup group) {
            this.group = group;
            this.moment = new CyclicBarrier(group.policy.chunks());
            this.loops = Executors.newFixedThreadPool(group.policy.chunks());
        }

        @Override
        public CompletableFuture<Envelope> call(Address to, Message request, ByteBuf payload, Duration timeout) {
            CompletableFuture<Envelope> ready = group.call(to, request, payload, timeout);
            CompletableFuture<Envelope> answer = new CompletableFuture<>();
            loops.execute(() -> {
                try {
                    moment.await();
                    answer.complete(ready.join());
                } catch (InterruptedException | BrokenBarrierException e) {
                    answer.completeExceptionally(e);
                }
            });
            return answer;
        }

        @Override
        public void close() {
            loops.shutdownNow();
        }
    }

    @Test
    void aCheckThatCannotReadAChunkFailsAndReportsItWhenItIsCorrupt() {
        StoredGroup group = new StoredGroup("rs-3-2-8k", 100_000, 10);
        group.moods[4] = Mood.DIES_LATER;
        assertThatThrownBy(() -> check(group)).hasCauseInstanceOf(EcfsException.class);
        assertThat(bad).isEmpty();
        group.moods[4] = Mood.DAMAGED;
        assertThatThrownBy(() -> check(group)).hasCauseInstanceOf(EcfsException.class);
        assertThat(bad).extracting(b -> b.chunk().index()).containsExactly(4);
    }

    /** HDDS-7462: what another attempt writes is not this one's to touch. */
    @Test
    void aChunkOfAnotherWriterIsLeftAlone() throws EcfsException {
        StoredGroup group = new StoredGroup("rs-6-3-64k", 1000, 7);
        DatanodeOrder.Rebuild order = group.order(0);
        volume.create(order.chunk(), Stamp.NONE, group.policy, StoredGroup.WRITER + 1);
        assertThatThrownBy(() -> rebuild(group, order)).hasMessageContaining("not this writer's");
        assertThat(volume.find(order.chunk()).orElseThrow().state()).isEqualTo(ChunkState.BEING_WRITTEN);
    }
}
