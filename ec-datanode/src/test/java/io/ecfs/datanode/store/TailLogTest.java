package io.ecfs.datanode.store;

import static io.ecfs.datanode.store.Chunks.CELL;
import static io.ecfs.datanode.store.Chunks.POLICY;
import static io.ecfs.datanode.store.Chunks.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.datanode.store.io.VolumeFullException;
import io.ecfs.datanode.store.memory.DiskFaults;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Stamp;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.chunk.TailCoverage;
import io.ecfs.message.chunk.TailCoverage.Range;
import io.ecfs.message.chunk.TailForm;
import io.ecfs.message.chunk.TailRecord;
import io.ecfs.transfer.ChunkPayload;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Records of the open stripe: what was acknowledged is there after every crash, and nothing is that was not written.
 */
class TailLogTest {
    private static final ChunkId CHUNK = id(17, 1);
    private static final long WRITER = 7;
    private static final String LOG = "writing/11/17.1.0.tail";

    private final MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, new Random(1));

    /** Group bytes that tell their place, as those of a pretended chunk. */
    private static ByteBuf bytes(long offset, int length) {
        return Chunks.payload(id(99, 0), offset, length);
    }

    private static void mirror(Volume volume, long sequence, long offset, int length, boolean sync)
            throws EcfsException {
        mirror(volume, sequence - 1, sequence, offset, length, sync);
    }

    /** @param last number of the last record before; −1: none */
    private static void mirror(Volume volume, long last, long sequence, long offset, int length, boolean sync)
            throws EcfsException {
        TailRecord record = new TailRecord(sequence, offset, length, TailForm.MIRRORED);
        volume.tails().append(CHUNK, WRITER, record, 0, sync, Chunks.sent(volume, CHUNK, last), bytes(offset, length));
    }

    private static void assertGives(Volume volume, long from, int most, int expected) throws EcfsException {
        ByteBuf into = Unpooled.buffer(ChunkPayload.payloadBytes(most));
        ChunkReply.TailBytes given = volume.tails().read(CHUNK, from, most, into);
        assertThat(given).isEqualTo(new ChunkReply.TailBytes(CHUNK, TailForm.MIRRORED, from, expected, expected));
        assertThat(into).isEqualTo(bytes(from, expected));
    }

    private static List<Range> mirrored(Volume volume) {
        return volume.tails().coverage(CHUNK).mirrored();
    }

    @Test
    void givesTheBytesOfSeveralRecordsInOnePiece() throws IOException {
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
            mirror(volume, 0, 0, 100, false);
            mirror(volume, 1, 100, 5000, true);
            mirror(volume, 1, 4, 5100, 7, false);
            assertThat(mirrored(volume)).containsExactly(new Range(0, 5107));
            assertGives(volume, 0, 8192, 5107);
            assertGives(volume, 50, 8192, 5057);
            assertGives(volume, 90, 20, 20);
            assertGives(volume, 5106, 10, 1);
            assertGives(volume, 5107, 10, 0);
        }
    }

    @Test
    void aRecordWithoutASyncIsOnDiskAfterTheNextSyncOfAll() throws IOException {
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
            mirror(volume, 0, 0, 100, false);
            assertThat(volume.unsyncedChunks()).isOne();
            volume.syncUnsynced();
            assertThat(volume.unsyncedChunks()).isZero();
            mirror(volume, 1, 100, 50, true);
            assertThat(volume.unsyncedChunks()).as("synced already").isZero();
            volume.tails().check(CHUNK, WRITER, Chunks.sent(volume, CHUNK, 1));
            assertThat(volume.unsyncedChunks())
                    .as("cells may be acknowledged by it")
                    .isOne();
        }
        disk.restart(Loss.UNSYNCED);
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            assertGives(volume, 0, 8192, 150);
        }
    }

    @Test
    void joinsWhatLiesSideBySideAndKeepsTheTwoFormsApart() throws IOException {
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
            mirror(volume, 0, 0, 10, false);
            TailRecord coded = new TailRecord(1, 10, 9000, TailForm.CODED);
            int cell = coded.storedBytes(POLICY, CHUNK.index());
            volume.tails().append(CHUNK, WRITER, coded, 0, false, Chunks.sent(volume, CHUNK, 0), bytes(700, cell));
            mirror(volume, 2, 9010, 10, false);
            TailCoverage coverage = volume.tails().coverage(CHUNK);
            assertThat(coverage.mirrored()).containsExactly(new Range(0, 10), new Range(9010, 9020));
            assertThat(coverage.coded()).containsExactly(new Range(10, 9010));
            ByteBuf into = Unpooled.buffer(ChunkPayload.payloadBytes(cell));
            assertThat(volume.tails().read(CHUNK, 500, cell, into))
                    .isEqualTo(new ChunkReply.TailBytes(CHUNK, TailForm.CODED, 10, 9000, cell));
            assertThat(into).isEqualTo(bytes(700, cell));
        }
    }

    @ParameterizedTest
    @EnumSource(Loss.class)
    void keepsWhatWasAcknowledgedAfterACrashAtEveryOperation(Loss loss) throws IOException {
        int crashes = 0;
        for (int seed = 0; seed < 8; seed++) {
            for (long at = 12; ; at++) {
                String replay = "loss " + loss + ", seed " + seed + ", crash at " + at;
                MemoryVolumeIo crashing = new MemoryVolumeIo("disk", 64 << 20, new Random(seed * 1000L + at));
                crashing.crashAtMutation(at);
                long[] known = live(crashing, new Random(seed));
                if (!crashing.crashed()) {
                    break;
                }
                crashes++;
                crashing.restart(loss);
                try (Volume volume = Chunks.open(crashing, new Random(seed))) {
                    long promised = loss == Loss.NOTHING ? known[0] : known[1];
                    long end = volume.tails().coverage(CHUNK).mirroredUntil(0);
                    assertThat(end).as(replay).isBetween(promised, known[2]);
                    if (end > 0) {
                        assertGives(volume, 0, 1 << 16, (int) end);
                    }
                }
            }
        }
        assertThat(crashes).isGreaterThan(100);
    }

    /** @return bytes acknowledged, acknowledged as on disk, and sent */
    private static long[] live(MemoryVolumeIo disk, Random random) {
        long[] known = new long[3];
        try {
            Volume volume = Chunks.open(disk, random);
            volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
            for (int record = 0; record < 12; record++) {
                int length = 1 + random.nextInt(1500);
                boolean sync = random.nextBoolean();
                known[2] += length;
                mirror(volume, record, known[0], length, sync);
                known[0] = known[2];
                known[1] = sync ? known[0] : known[1];
            }
        } catch (IOException e) {
            assertThat(disk.crashed()).isTrue();
        }
        return known;
    }

    @Test
    void givesTheOtherRecordsWhenOneIsTornOrDamagedAtAnyByte() throws IOException {
        long first = TailRecordFormat.fileBytes(100);
        long whole = first + TailRecordFormat.fileBytes(60);
        for (long at = 0; at < whole; at++) {
            for (boolean torn : new boolean[] {false, true}) {
                MemoryVolumeIo damaged = new MemoryVolumeIo("disk", 64 << 20, new Random(1));
                try (Volume volume = Chunks.open(damaged, new Random(1))) {
                    volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
                    mirror(volume, 0, 0, 100, false);
                    mirror(volume, 1, 100, 60, false);
                }
                if (torn) {
                    damaged.truncate(LOG, at);
                } else {
                    damaged.flipBit(LOG, at, (int) (at % 8));
                }
                try (Volume volume = Chunks.open(damaged, new Random(1))) {
                    String what = "damage at " + at + ", torn " + torn;
                    TailCoverage coverage = volume.tails().coverage(CHUNK);
                    assertThat(coverage.mirroredUntil(0)).as(what).isEqualTo(at < first ? 0 : 100);
                    assertThat(coverage.mirroredUntil(100))
                            .as("%s: what is behind it stays", what)
                            .isEqualTo(at < first && !torn ? 160 : 100);
                    assertThat(damaged.length(LOG)).as(what).hasValue(torn ? at : whole);
                }
            }
        }
    }

    @Test
    void doesNotServeARecordThatRottedSinceItWasWritten() throws IOException {
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
            mirror(volume, 0, 0, 100, true);
            disk.flipBit(LOG, TailRecordFormat.HEAD_BYTES + 20, 3);
            ByteBuf into = Unpooled.buffer(4096);
            assertThatThrownBy(() -> volume.tails().read(CHUNK, 0, 100, into))
                    .isInstanceOfSatisfying(
                            EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CHUNK_CORRUPT));
        }
    }

    /** How a record that was written well is lost later. */
    private enum Damage {
        ROTTEN,
        UNREADABLE
    }

    private void damageFirstSector(Damage damage) throws IOException {
        if (damage == Damage.ROTTEN) {
            disk.flipBit(LOG, TailRecordFormat.HEAD_BYTES + 20, 3);
        } else {
            disk.failSector(LOG, 0);
        }
    }

    private static void assertCorrupt(Volume volume, long from, int most) {
        ByteBuf into = Unpooled.buffer(ChunkPayload.payloadBytes(most));
        assertThatThrownBy(() -> volume.tails().read(CHUNK, from, most, into))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CHUNK_CORRUPT));
    }

    @ParameterizedTest
    @EnumSource
    void aRecordThatIsLostLaterCostsNoMoreThanItself(Damage damage) throws IOException {
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
            mirror(volume, 0, 0, 5000, true);
            mirror(volume, 1, 5000, 100, true);
            damageFirstSector(damage);
            assertCorrupt(volume, 0, 8192);
            assertThat(mirrored(volume)).containsExactly(new Range(5000, 5100));
            assertGives(volume, 5000, 100, 100);
            assertThatThrownBy(() -> mirror(volume, 2, 5100, 100, true))
                    .isInstanceOfSatisfying(
                            EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CHUNK_INCOMPLETE));
            assertThat(volume.fence(CHUNK, 1)).map(ChunkRecord::state).hasValue(ChunkState.BEING_WRITTEN);
            GroupLayout layout = new GroupLayout(POLICY, 5100);
            int bytes = (int) layout.chunkBytes(1);
            assertThat(volume.tails()
                            .fill(CHUNK, 1, layout.length(), bytes(0, bytes))
                            .bytes())
                    .as("its cell of the tail, from the other logs")
                    .isEqualTo(bytes);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCodedRecordThatIsLostLaterCostsNoMoreThanItself(Damage damage) throws IOException {
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
            TailRecord coded = new TailRecord(0, 0, 9000, TailForm.CODED);
            int cell = coded.storedBytes(POLICY, CHUNK.index());
            volume.tails().append(CHUNK, WRITER, coded, 0, true, Chunks.sent(volume, CHUNK, -1), bytes(700, cell));
            damageFirstSector(damage);
            assertCorrupt(volume, 0, cell);
            assertThat(volume.tails().coverage(CHUNK)).isEqualTo(TailCoverage.NONE);
            assertThat(volume.tails().wasInterrupted(CHUNK)).isTrue();
            assertThat(volume.fence(CHUNK, 1)).map(ChunkRecord::state).hasValue(ChunkState.BEING_WRITTEN);
        }
    }

    /**
     * Otherwise a recovery would take it for a chunk that never had the record, and the record for one that was not
     * acknowledged.
     */
    @ParameterizedTest
    @EnumSource
    void aChunkThatLostARecordSaysThatItMayHaveHadMore(Damage damage) throws IOException {
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
            mirror(volume, 0, 0, 100, true);
            volume.fence(CHUNK, 1);
            assertThat(volume.tails().wasInterrupted(CHUNK)).isFalse();
            damageFirstSector(damage);
            assertCorrupt(volume, 0, 100);
            assertThat(volume.tails().wasInterrupted(CHUNK)).isTrue();
            volume.fence(CHUNK, 2);
            assertThat(volume.tails().wasInterrupted(CHUNK)).isTrue();
        }
    }

    @Test
    void aLogThatCannotBeReadCountsAgainstItsVolume() throws IOException {
        VolumeTerms strict = new VolumeTerms(
                0,
                new ReadErrorAllowance(0, Duration.ofHours(1)),
                Chunks.terms(0).clock(),
                true);
        try (Volume volume = Volume.open(disk, Chunks.OWNER, strict, () -> new UUID(1, 1))) {
            volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
            mirror(volume, 0, 0, 100, true);
            damageFirstSector(Damage.UNREADABLE);
            assertCorrupt(volume, 0, 100);
            assertThat(volume.state()).isEqualTo(VolumeState.FAILED);
        }
    }

    @Test
    void beginsTheLogAnewWhenAllOfItIsSettled() throws IOException {
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
            Chunks.append(volume, CHUNK, WRITER, 0, CELL, false);
            mirror(volume, 0, 0, 2000, true);
            TailRecord next = new TailRecord(1, POLICY.stripeBytes(), 10, TailForm.MIRRORED);
            volume.tails()
                    .append(
                            CHUNK,
                            WRITER,
                            next,
                            POLICY.stripeBytes(),
                            true,
                            Chunks.sent(volume, CHUNK, 0),
                            bytes(next.offset(), 10));
            assertThat(mirrored(volume)).containsExactly(new Range(next.offset(), next.end()));
            assertThat(disk.length(LOG)).hasValue(TailRecordFormat.fileBytes(10));
        }
        disk.restart(Loss.UNSYNCED);
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            assertThat(volume.tails().coverage(CHUNK).mirroredUntil(POLICY.stripeBytes()))
                    .isEqualTo(POLICY.stripeBytes() + 10);
        }
    }

    @Test
    void refusesAWriterThatWasShutOutAndKeepsWhatItWrote() throws IOException {
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
            mirror(volume, 0, 0, 100, false);
            volume.fence(CHUNK, 3);
            assertThatThrownBy(() -> mirror(volume, 1, 100, 100, false))
                    .isInstanceOfSatisfying(
                            EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FENCED));
            assertThatThrownBy(() -> volume.tails().sync(CHUNK, WRITER, Chunks.sent(volume, CHUNK, 0)))
                    .isInstanceOfSatisfying(
                            EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FENCED));
        }
        disk.restart(Loss.UNSYNCED);
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            assertGives(volume, 0, 4096, 100);
        }
    }

    @Test
    void refusesRecordsThatCannotBe() throws IOException {
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
            mirror(volume, -1, 5, 0, 100, false);
            assertThatThrownBy(() -> mirror(volume, 5, 5, 100, 100, false)).hasMessageContaining("refused");
            assertThatThrownBy(() -> mirror(volume, 6, POLICY.stripeBytes() - 10, 11, false))
                    .hasMessageContaining("refused");
            TailRecord another = new TailRecord(7, 100, 50, TailForm.MIRRORED);
            assertThatThrownBy(() -> volume.tails()
                            .append(CHUNK, WRITER, another, 0, false, Chunks.sent(volume, CHUNK, 5), bytes(100, 51)))
                    .isInstanceOf(EcfsException.class);
            assertThat(mirrored(volume)).containsExactly(new Range(0, 100));
        }
    }

    @Test
    void isGoneWhenTheChunkIsPublishedAndWhenACrashCameBetween() throws IOException {
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
            mirror(volume, 0, 0, 100, true);
            Chunks.append(volume, CHUNK, WRITER, 0, 36, true);
            disk.faults((operation, path, number) -> {
                if (path.equals(LOG)) {
                    throw new IOException("no such luck");
                }
            });
            assertThatThrownBy(() -> volume.finish(CHUNK, WRITER, 36, 100, true))
                    .isInstanceOf(EcfsException.class);
        }
        disk.faults(DiskFaults.NONE);
        disk.restart(Loss.NOTHING);
        assertThat(disk.files()).contains(LOG);
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            assertThat(volume.find(CHUNK).orElseThrow().state()).isEqualTo(ChunkState.FINALISED);
            assertThat(disk.files()).doesNotContain(LOG);
        }
    }

    @Test
    void fillsTheTailAgainAndAgainAndPublishesIt() throws IOException {
        GroupLayout layout = new GroupLayout(POLICY, POLICY.stripeBytes() + 9000);
        GroupLayout shorter = new GroupLayout(POLICY, POLICY.stripeBytes() + 300);
        long crash = 0;
        for (boolean crashed = true; crashed; crash++) {
            MemoryVolumeIo crashing = new MemoryVolumeIo("disk", 64 << 20, new Random(crash));
            try (Volume volume = Chunks.open(crashing, new Random(1))) {
                volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
                Chunks.append(volume, CHUNK, WRITER, 0, CELL, false);
                mirror(volume, 0, POLICY.stripeBytes(), 9000, true);
                volume.fence(CHUNK, 1);
                fill(volume, shorter);
                crashing.crashAtMutation(crashing.mutations() + crash);
                fill(volume, layout);
            } catch (EcfsException e) {
                assertThat(crashing.crashed()).isTrue();
            }
            crashed = crashing.crashed();
            crashing.restart(Loss.UNSYNCED);
            try (Volume volume = Chunks.open(crashing, new Random(1))) {
                assertThat(volume.find(CHUNK).orElseThrow().fullStripeBytes()).isEqualTo(CELL);
                assertThat(volume.tails().coverage(CHUNK).mirroredUntil(POLICY.stripeBytes()))
                        .isEqualTo(layout.length());
                ChunkRecord filled = fill(volume, layout);
                assertThat(filled.bytes()).isEqualTo(layout.chunkBytes(1));
                assertThat(volume.finalise(CHUNK, layout.chunkBytes(1), layout.length())
                                .groupLength())
                        .isEqualTo(layout.length());
                assertThat(crashing.files()).noneMatch(file -> file.endsWith(".tail"));
                assertThat(volume.verify(CHUNK).orElseThrow().state()).isEqualTo(ChunkState.FINALISED);
            }
        }
        assertThat(crash).isGreaterThan(5);
    }

    @Test
    void aFillOfAnEarlierRoundDoesNotCutTheCellOfALaterOne() throws IOException {
        GroupLayout layout = new GroupLayout(POLICY, POLICY.stripeBytes() + 9000);
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
            Chunks.append(volume, CHUNK, WRITER, 0, CELL, false);
            volume.fence(CHUNK, 1);
            volume.fence(CHUNK, 2);
            ChunkRecord filled = fill(volume, 2, layout);
            assertThatThrownBy(() -> fill(volume, 1, new GroupLayout(POLICY, POLICY.stripeBytes() + 300)))
                    .isInstanceOfSatisfying(
                            EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FENCED));
            assertThat(volume.find(CHUNK)).hasValue(filled);
        }
    }

    @Test
    void aFillThatComesAgainTouchesNothing() throws IOException {
        GroupLayout layout = new GroupLayout(POLICY, POLICY.stripeBytes() + 9000);
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
            Chunks.append(volume, CHUNK, WRITER, 0, CELL, false);
            volume.fence(CHUNK, 1);
            ChunkRecord filled = fill(volume, layout);
            long mutations = disk.mutations();
            assertThat(fill(volume, layout)).isEqualTo(filled);
            assertThat(disk.mutations()).isEqualTo(mutations);
        }
    }

    @Test
    void knowsWhatIsLeftOfAChunkWhoseDiskBecameFullWhileItWasFilled() throws IOException {
        GroupLayout layout = new GroupLayout(POLICY, POLICY.stripeBytes() + 9000);
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
            Chunks.append(volume, CHUNK, WRITER, 0, CELL, false);
            volume.fence(CHUNK, 1);
            fill(volume, 1, new GroupLayout(POLICY, POLICY.stripeBytes() + 300));
            disk.faults((operation, path, number) -> {
                if (operation == DiskFaults.Operation.WRITE && !path.endsWith(".sum")) {
                    throw new VolumeFullException("no room for " + path);
                }
            });
            assertThatThrownBy(() -> fill(volume, 1, layout))
                    .isInstanceOfSatisfying(
                            EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.VOLUME_FULL));
            assertThat(volume.find(CHUNK).orElseThrow().bytes()).isEqualTo(CELL);
            disk.faults(DiskFaults.NONE);
            assertThat(fill(volume, 1, layout).bytes()).isEqualTo(layout.chunkBytes(1));
            volume.finalise(CHUNK, layout.chunkBytes(1), layout.length());
            assertThat(volume.verify(CHUNK).orElseThrow().state()).isEqualTo(ChunkState.FINALISED);
        }
    }

    private static ChunkRecord fill(Volume volume, GroupLayout layout) throws EcfsException {
        return fill(volume, 1, layout);
    }

    private static ChunkRecord fill(Volume volume, long fence, GroupLayout layout) throws EcfsException {
        int bytes = (int) (layout.chunkBytes(1) - CELL);
        return volume.tails().fill(CHUNK, fence, layout.length(), bytes(layout.length(), bytes));
    }

    @Test
    void recordsThatAStartFindsWithoutTheirChunkGoWhenItIsDeleted() throws IOException {
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            volume.create(CHUNK, Stamp.NONE, POLICY, WRITER);
            mirror(volume, 0, 0, 100, true);
        }
        for (String file : disk.files()) {
            if (file.startsWith(LOG.replace(".tail", "")) && !file.equals(LOG)) {
                disk.delete(file);
            }
        }
        try (Volume volume = Chunks.open(disk, new Random(1))) {
            assertThat(disk.files()).contains(LOG);
            assertThat(volume.delete(CHUNK, Stamp.NONE)).isFalse();
            assertThat(disk.files()).doesNotContain(LOG);
        }
    }
}
