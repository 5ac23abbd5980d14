package io.ecfs.datanode.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.datanode.store.Chunks;
import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.io.VolumeFullException;
import io.ecfs.datanode.store.memory.DiskFaults;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.env.ManualTime;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScrubberTest {
    private static final int CHUNK_BYTES = 40_000;
    private static final int CHUNKS = 20;
    private static final Duration DAY = Duration.ofDays(1);

    /** Ten chunks' bytes a second, in slices of 8 KiB. */
    private static final ScrubSettings SETTINGS =
            new ScrubSettings(true, 10 * CHUNK_BYTES, 8 << 10, DAY, Duration.ofMillis(300));

    private final ManualTime time = new ManualTime(1);
    private final MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, new Random(2));
    private final List<ChunkRecord> told = new ArrayList<>();
    private Volume volume;
    private Scrubber scrubber;

    @BeforeEach
    void fill() throws IOException {
        volume = Chunks.open(disk, new Random(3));
        for (int i = 0; i < CHUNKS; i++) {
            Chunks.finalised(volume, chunk(i), CHUNK_BYTES);
        }
    }

    @AfterEach
    void close() {
        scrubber.close();
        volume.close();
    }

    private static ChunkId chunk(int number) {
        return Chunks.id(number + 1, 0);
    }

    private void start(ScrubSettings settings) {
        scrubber = new Scrubber("dn1", time.environment(), settings);
        scrubber.start(volume, new VolumeQueue(time.workers("disk", 1, 1000), 1, 900, time), told::add);
    }

    private ScrubCounts counts() {
        return scrubber.counts().get(volume.uuid());
    }

    private String data(ChunkId chunk) {
        return volume.dataFile(chunk).orElseThrow().substring(disk.describe().length() + 1);
    }

    private String checksums(ChunkId chunk) {
        return data(chunk).replace(".data", ".sum");
    }

    private enum Rot {
        A_BIT_OF_DATA,
        A_CHECKSUM,
        DATA_CUT,
        CHECKSUMS_CUT,
        NO_DATA,
        NO_CHECKSUMS,
        ANOTHER_CHUNKS_FILES,
        ANOTHER_CLUSTERS_FILES
    }

    private void rot(ChunkId chunk, Rot rot) throws IOException {
        switch (rot) {
            case A_BIT_OF_DATA -> disk.flipBit(data(chunk), CHUNK_BYTES - 1, 3);
            case A_CHECKSUM ->
                disk.flipBit(checksums(chunk), disk.length(checksums(chunk)).orElseThrow() - 1, 0);
            case DATA_CUT -> disk.truncate(data(chunk), CHUNK_BYTES - 1);
            case CHECKSUMS_CUT ->
                disk.truncate(checksums(chunk), disk.length(checksums(chunk)).orElseThrow() - 1);
            case NO_DATA -> disk.delete(data(chunk));
            case NO_CHECKSUMS -> disk.delete(checksums(chunk));
            case ANOTHER_CHUNKS_FILES -> {
                disk.rename(data(chunk(9)), data(chunk));
                disk.rename(checksums(chunk(9)), checksums(chunk));
                volume.delete(chunk(9), Stamp.NONE);
            }
            case ANOTHER_CLUSTERS_FILES -> Chunks.copyFromAnotherCluster(disk, volume, chunk);
        }
    }

    @ParameterizedTest
    @EnumSource
    // SeaweedFS #10130, #10152
    void whatRotsUnreadIsFoundAndToldOnceAndAllElseStaysAsItIs(Rot rot) throws IOException {
        rot(chunk(7), rot);
        start(SETTINGS);
        time.advance(DAY.multipliedBy(3));
        assertThat(told).extracting(ChunkRecord::chunk).containsExactly(chunk(7));
        assertThat(told.get(0).state()).isEqualTo(ChunkState.CORRUPT);
        assertThat(counts().corrupt()).isOne();
        assertThat(volume.records(Optional.empty(), CHUNKS))
                .filteredOn(record -> record.state() != ChunkState.FINALISED)
                .containsExactly(told.get(0));
    }

    /** Or a reader's complaint would have its checksums bring it back. */
    @Test
    void aCondemnedChunkStaysCorruptWhateverItsChecksumsSay() throws IOException {
        start(SETTINGS);
        volume.condemn(chunk(7));
        assertThat(volume.verify(chunk(7)).orElseThrow().state()).isEqualTo(ChunkState.CORRUPT);
        assertThat(volume.verify(chunk(8)).orElseThrow().state()).isEqualTo(ChunkState.FINALISED);
        volume.condemn(chunk(1000));
    }

    /** What a full disk has no room to mark is told all the same. */
    @Test
    void aCorruptChunkOnAFullDiskIsReported() throws IOException {
        rot(chunk(7), Rot.A_BIT_OF_DATA);
        disk.faults((operation, path, number) -> {
            if (operation == DiskFaults.Operation.WRITE || operation == DiskFaults.Operation.CREATE) {
                throw new VolumeFullException("no room for " + path);
            }
        });
        start(SETTINGS);
        time.advance(DAY);
        assertThat(told).extracting(ChunkRecord::chunk).containsExactly(chunk(7));
        assertThat(volume.verify(chunk(7)).orElseThrow().state()).isEqualTo(ChunkState.CORRUPT);
        assertThat(counts().rounds()).isPositive();
        assertThat(volume.state()).isNotEqualTo(VolumeState.FAILED);
    }

    @Test
    void aDiskThatBecameReadOnlyIsFoundOutThoughNobodyWrites() {
        disk.faults((operation, path, number) -> {
            if (operation.mutates()) {
                throw new IOException("Read-only file system: " + path);
            }
        });
        start(SETTINGS);
        assertThat(volume.state()).isEqualTo(VolumeState.HEALTHY);
        time.advance(SETTINGS.noteEvery().multipliedBy(3));
        assertThat(volume.state()).isEqualTo(VolumeState.FAILED);
        assertThat(told).isEmpty();
    }

    /** With a header of its own written over theirs, another chunk's bytes and checksums would pass for sound. */
    @Test
    void anotherChunksFilesNeverBecomeThisChunks() throws IOException {
        rot(chunk(7), Rot.ANOTHER_CHUNKS_FILES);
        start(SETTINGS);
        time.advance(Duration.ofSeconds(10));
        assertThat(volume.verify(chunk(7)).orElseThrow().state()).isEqualTo(ChunkState.CORRUPT);
        scrubber.close();
        volume.close();
        disk.restart(MemoryVolumeIo.Loss.NOTHING);
        volume = Chunks.open(disk, new Random(4));
        assertThat(volume.verify(chunk(7)).orElseThrow().state()).isEqualTo(ChunkState.CORRUPT);
    }

    @Test
    void roundsBeginEveryDayAndKeepTheRate() {
        start(SETTINGS);
        time.advance(Duration.ofSeconds(1));
        assertThat(counts().bytes()).isBetween(9L * CHUNK_BYTES, 11L * CHUNK_BYTES);
        time.advance(Duration.ofSeconds(2));
        assertThat(counts()).isEqualTo(new ScrubCounts(CHUNKS * CHUNK_BYTES, 1, 0));
        time.advance(DAY.minusSeconds(5));
        assertThat(counts().rounds()).isOne();
        time.advance(Duration.ofSeconds(10));
        assertThat(counts()).isEqualTo(new ScrubCounts(2 * CHUNKS * CHUNK_BYTES, 2, 0));
    }

    @Test
    void aRestartGoesOnNearWhereTheLastProcessStopped() throws IOException {
        start(SETTINGS);
        time.advance(Duration.ofSeconds(1));
        long before = counts().bytes();
        scrubber.close();
        volume.close();
        disk.restart(MemoryVolumeIo.Loss.NOTHING);
        volume = Chunks.open(disk, new Random(4));
        start(SETTINGS);
        time.until(() -> counts().rounds() == 1, DAY);
        assertThat(before + counts().bytes()).isBetween((long) CHUNKS * CHUNK_BYTES, (CHUNKS + 5L) * CHUNK_BYTES);
    }

    /** A disk takes long for one note, and the next round is over before. */
    @Test
    void oneNoteIsWrittenAtATime() {
        AtomicBoolean slow = new AtomicBoolean();
        disk.faults((operation, path, number) -> {
            if (operation == DiskFaults.Operation.RENAME && path.contains("SCRUB") && !slow.getAndSet(true)) {
                time.advance(Duration.ofMinutes(1));
            }
        });
        scrubber = new Scrubber(
                "dn1",
                time.environment(),
                new ScrubSettings(true, 10 * CHUNK_BYTES, 8 << 10, Duration.ZERO, Duration.ofMillis(300)));
        scrubber.start(volume, new VolumeQueue(time.workers("disk", 2, 1000), 2, 900, time), told::add);
        time.until(slow::get, DAY);
        assertThat(volume.state()).isNotEqualTo(VolumeState.FAILED);
        time.until(() -> counts().rounds() > 0, DAY);
    }

    @Test
    void aDamagedNoteBeginsTheRoundAgain() throws IOException {
        volume.note("SCRUB", Map.of("round", "many"));
        start(SETTINGS);
        time.until(() -> counts().rounds() == 1, DAY);
        scrubber.close();
        disk.flipBit("SCRUB", 1, 1);
        start(SETTINGS);
        time.until(() -> counts().rounds() == 1, DAY);
        assertThat(counts().bytes()).isEqualTo(CHUNKS * CHUNK_BYTES);
    }

    @Test
    void chunksThatAreWrittenOrDeletedMeanwhileAreLeftAlone() throws IOException {
        ChunkId open = Chunks.id(3, 1);
        volume.create(open, Stamp.NONE, Chunks.POLICY, 5);
        start(SETTINGS);
        time.advance(Duration.ofMillis(550));
        volume.delete(chunk(5), Stamp.NONE);
        volume.delete(chunk(CHUNKS - 1), Stamp.NONE);
        time.until(() -> counts().rounds() == 1, DAY);
        assertThat(told).isEmpty();
        assertThat(volume.find(open).orElseThrow().state()).isEqualTo(ChunkState.BEING_WRITTEN);
    }

    @Test
    void switchedOffItReadsNothing() {
        start(new ScrubSettings(false, 1 << 20, 8 << 10, DAY, Duration.ZERO));
        time.advance(DAY.multipliedBy(2));
        assertThat(scrubber.counts()).isEmpty();
    }
}
