package io.ecfs.datanode.store;

import static io.ecfs.datanode.store.Chunks.CELL;
import static io.ecfs.datanode.store.Chunks.POLICY;
import static io.ecfs.datanode.store.Chunks.append;
import static io.ecfs.datanode.store.Chunks.finalised;
import static io.ecfs.datanode.store.Chunks.id;
import static io.ecfs.datanode.store.VolumeAssertions.assertReads;
import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.datanode.store.io.UnreadableFileException;
import io.ecfs.datanode.store.memory.DiskFaults.Operation;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.chunk.SentBefore;
import io.ecfs.message.chunk.TailForm;
import io.ecfs.message.chunk.TailRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Each row of the table at {@link StartupScan}: what a start makes of files that a crash, or somebody, left half-way.
 */
class HalfWayChunksTest {
    private static final ChunkId CHUNK = id(17, 3);
    private static final String DATA = "11/17.3.0.data";
    private static final String SUM = "11/17.3.0.sum";
    private static final String TAIL = "11/17.3.0.tail";

    private final Random random = new Random(1);
    private final MemoryVolumeIo disk = new MemoryVolumeIo("disk", 64 << 20, random);

    @BeforeEach
    void makeDirectories() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            finalised(volume, id(17, 0), CELL);
        }
    }

    private interface Change {
        void run(Volume volume) throws IOException;
    }

    private void left(Change change) throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            change.run(volume);
        }
        disk.restart(Loss.NOTHING);
    }

    private void leftOpen(int bytes) throws IOException {
        left(volume -> {
            volume.create(CHUNK, Stamp.NONE, POLICY, 1);
            for (int at = 0; at < bytes; at += CELL) {
                append(volume, CHUNK, 1, at, Math.min(CELL, bytes - at), false);
            }
        });
    }

    private void leftPublished(int bytes) throws IOException {
        left(volume -> finalised(volume, CHUNK, bytes));
    }

    private void move(String file, String from, String to) throws IOException {
        disk.rename(from + "/" + file, to + "/" + file);
    }

    private void breakHeader(String place) throws IOException {
        disk.flipBit(place + "/" + SUM, 3, 0);
        if (disk.length(place + "/" + SUM).orElseThrow() > ChunkHeader.SLOT_BYTES) {
            disk.flipBit(place + "/" + SUM, ChunkHeader.SLOT_BYTES + 3, 0);
        }
    }

    private List<String> files() {
        return disk.files().stream().filter(file -> file.contains("17.3.0")).toList();
    }

    private void assertStarts(ChunkState state, long bytes, String... files) throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            Optional<ChunkRecord> found = volume.find(CHUNK);
            assertThat(found).map(ChunkRecord::state).hasValue(state);
            assertThat(found).map(ChunkRecord::bytes).hasValue(bytes);
            assertThat(files()).containsExactlyInAnyOrder(files);
            assertThat(volume.find(id(17, 0))).map(ChunkRecord::state).hasValue(ChunkState.FINALISED);
            assertThat(volume.delete(CHUNK, Stamp.NONE))
                    .as("garbage goes from where it was found")
                    .isTrue();
        }
    }

    private void assertStartsWithout() throws IOException {
        try (Volume volume = Chunks.open(disk, random)) {
            assertThat(volume.find(CHUNK)).isEmpty();
            assertThat(files()).isEmpty();
        }
    }

    @Test
    void anOpenPairInThePlaceOfPublishedOnesGoesBack() throws IOException {
        leftOpen(2 * CELL);
        move(DATA, "writing", "finalised");
        move(SUM, "writing", "finalised");
        assertStarts(ChunkState.BEING_WRITTEN, 2L * CELL, "writing/" + DATA, "writing/" + SUM);
        assertThat(files()).isEmpty();
    }

    @Test
    void aPublishedPairUnderOpenNamesIsCutToItsLength() throws IOException {
        leftPublished(CELL);
        move(DATA, "finalised", "writing");
        move(SUM, "finalised", "writing");
        disk.write("writing/" + DATA, CELL, ByteBuffer.allocate(100));
        disk.write("writing/" + SUM, ChunkHeader.BYTES + 8, ByteBuffer.allocate(4));
        try (Volume volume = Chunks.open(disk, random)) {
            assertReads(volume, CHUNK, 0, CELL, 0, CELL);
        }
        assertThat(disk.length("finalised/" + DATA)).hasValue(CELL);
        assertThat(disk.length("finalised/" + SUM)).hasValue(ChunkHeader.BYTES + 8);
        assertStarts(ChunkState.FINALISED, CELL, "finalised/" + DATA, "finalised/" + SUM);
    }

    @Test
    void oneFileInEachPlaceComesTogether() throws IOException {
        for (String moved : List.of(DATA, SUM)) {
            leftOpen(CELL);
            move(moved, "writing", "finalised");
            assertStarts(ChunkState.BEING_WRITTEN, CELL, "writing/" + DATA, "writing/" + SUM);
            leftPublished(CELL);
            move(moved, "finalised", "writing");
            assertStarts(ChunkState.FINALISED, CELL, "finalised/" + DATA, "finalised/" + SUM);
        }
    }

    @Test
    void checksumsAloneAreAnEmptyOpenChunk() throws IOException {
        leftOpen(CELL);
        disk.delete("writing/" + DATA);
        try (Volume volume = Chunks.open(disk, random)) {
            assertThat(volume.find(CHUNK)).map(ChunkRecord::bytes).hasValue(0L);
            append(volume, CHUNK, 1, 0, CELL, false);
        }
        disk.restart(Loss.NOTHING);
        assertStarts(ChunkState.BEING_WRITTEN, CELL, "writing/" + DATA, "writing/" + SUM);
    }

    @Test
    void checksumsAloneOfAPublishedChunkAreHalfAPairAndKept() throws IOException {
        leftPublished(CELL);
        disk.delete("finalised/" + DATA);
        move(SUM, "finalised", "writing");
        assertStarts(ChunkState.CORRUPT, 0, "writing/" + SUM);
    }

    @Test
    void bytesAloneAreKept() throws IOException {
        leftOpen(CELL);
        disk.delete("writing/" + SUM);
        assertStarts(ChunkState.CORRUPT, 0, "writing/" + DATA);
        leftPublished(CELL);
        disk.delete("finalised/" + SUM);
        assertStarts(ChunkState.CORRUPT, 0, "finalised/" + DATA);
    }

    @Test
    void aPairWithoutAHeaderThatHasBytesOrChecksumsIsKept() throws IOException {
        leftOpen(CELL);
        breakHeader("writing");
        assertStarts(ChunkState.CORRUPT, 0, "writing/" + DATA, "writing/" + SUM);
        leftOpen(CELL);
        breakHeader("writing");
        disk.truncate("writing/" + DATA, 0);
        assertStarts(ChunkState.CORRUPT, 0, "writing/" + DATA, "writing/" + SUM);
        leftOpen(CELL);
        breakHeader("writing");
        disk.delete("writing/" + DATA);
        assertStarts(ChunkState.CORRUPT, 0, "writing/" + SUM);
    }

    @Test
    void aPairWithoutAHeaderAndWithoutAByteWasNeverBegun() throws IOException {
        leftOpen(CELL);
        breakHeader("writing");
        disk.truncate("writing/" + DATA, 0);
        disk.truncate("writing/" + SUM, ChunkHeader.BYTES);
        assertStartsWithout();
        leftOpen(0);
        breakHeader("writing");
        disk.delete("writing/" + DATA);
        assertStartsWithout();
        leftOpen(0);
        disk.delete("writing/" + SUM);
        assertStartsWithout();
    }

    private void leftWithATailLog() throws IOException {
        left(volume -> {
            volume.create(CHUNK, Stamp.NONE, POLICY, 1);
            TailRecord record = new TailRecord(0, 0, 100, TailForm.MIRRORED);
            volume.tails().append(CHUNK, 1, record, 0, true, new SentBefore(0, -1), Chunks.payload(id(99, 0), 0, 100));
        });
    }

    /** Its records may be acknowledged: recovery must not take the chunk for one that never had a byte. */
    @Test
    void withoutAHeaderAChunkOfWhichATailLogHasBytesIsKept() throws IOException {
        leftWithATailLog();
        breakHeader("writing");
        assertStarts(ChunkState.CORRUPT, 0, "writing/" + DATA, "writing/" + SUM, "writing/" + TAIL);
        assertThat(files()).as("the log goes with its chunk").isEmpty();
        leftWithATailLog();
        breakHeader("writing");
        disk.delete("writing/" + DATA);
        assertStarts(ChunkState.CORRUPT, 0, "writing/" + SUM, "writing/" + TAIL);
        leftWithATailLog();
        disk.delete("writing/" + SUM);
        assertStarts(ChunkState.CORRUPT, 0, "writing/" + DATA, "writing/" + TAIL);
        leftWithATailLog();
        breakHeader("writing");
        disk.truncate("writing/" + TAIL, 0);
        try (Volume volume = Chunks.open(disk, random)) {
            assertThat(volume.find(CHUNK)).as("never begun").isEmpty();
        }
    }

    @Test
    void leftoversOfAnOpenChunkBesideAPublishedOneAreLeftAlone() throws IOException {
        leftPublished(CELL);
        disk.create("writing/" + DATA);
        try (Volume volume = Chunks.open(disk, random)) {
            assertThat(volume.find(CHUNK)).map(ChunkRecord::state).hasValue(ChunkState.FINALISED);
            assertThat(files()).hasSize(3);
        }
    }

    @Test
    void ofTwoPairsNeitherIsPreferredWhenNoneIsPublished() throws IOException {
        leftOpen(CELL);
        move(DATA, "writing", "finalised");
        move(SUM, "writing", "finalised");
        disk.create("writing/" + SUM);
        try (Volume volume = Chunks.open(disk, random)) {
            assertThat(volume.find(CHUNK)).map(ChunkRecord::state).hasValue(ChunkState.CORRUPT);
            assertThat(files()).hasSize(3);
        }
        disk.delete("writing/" + SUM);
        move(DATA, "finalised", "writing");
        move(SUM, "finalised", "writing");
        disk.create("finalised/" + DATA);
        try (Volume volume = Chunks.open(disk, random)) {
            assertThat(volume.find(CHUNK)).map(ChunkRecord::state).hasValue(ChunkState.CORRUPT);
            assertThat(files()).hasSize(3);
        }
    }

    @Test
    void unreadableFilesAtAStartCountAgainstTheVolume() throws IOException {
        for (boolean published : new boolean[] {true, false}) {
            if (published) {
                leftPublished(CELL);
            } else {
                leftOpen(CELL);
            }
            disk.faults((operation, path, number) -> {
                if (operation == Operation.READ && path.endsWith(SUM)) {
                    throw new UnreadableFileException(path, path + ": Input/output error");
                }
            });
            VolumeTerms strict = new VolumeTerms(
                    0,
                    new ReadErrorAllowance(0, Duration.ofHours(1)),
                    Chunks.terms(0).clock(),
                    true);
            try (Volume volume = Volume.open(disk, Chunks.OWNER, strict, () -> new UUID(1, 1))) {
                assertThat(volume.state()).isEqualTo(VolumeState.FAILED);
            }
            String place = published ? "finalised/" : "writing/";
            assertStarts(ChunkState.CORRUPT, 0, place + DATA, place + SUM);
            assertThat(files()).isEmpty();
            disk.faults((operation, path, number) -> {});
        }
    }
}
