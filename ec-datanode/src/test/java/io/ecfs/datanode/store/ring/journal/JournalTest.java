package io.ecfs.datanode.store.ring.journal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.datanode.store.memory.DiskFaults;
import io.ecfs.datanode.store.memory.DiskFaults.Operation;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo.Loss;
import io.ecfs.error.EcfsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A journal whose disk fails. */
class JournalTest {
    private static final long SALT = 0x0123_4567_89ab_cdefL;

    private final JournalMarker marker = new JournalMarker() {
        @Override
        public void needs(long journal) {}

        @Override
        public void needsNone() {}
    };
    private final MemoryVolumeIo disk = new MemoryVolumeIo("journal", 1L << 30, new SplittableRandom(1));
    private final Journal journal = new Journal(disk, 1 << 20, () -> SALT, marker);

    private static final class Counting implements JournalLoad.Receiver {
        private int records;
        private int damaged;
        private int lost;

        @Override
        public void record(Journal.Place at) {
            records++;
        }

        @Override
        public void damaged(JournalRecord record) {
            damaged++;
        }

        @Override
        public void lost(List<JournalRecord> behind) {
            lost++;
        }
    }

    private void append(String path) throws IOException {
        append(journal, path);
    }

    private static void append(Journal journal, String path) throws IOException {
        journal.append(JournalRecord.Operation.CREATE, 0, path, 0, ByteBuffer.wrap(new byte[0]));
    }

    @Test
    void afterAFailedSyncNoneSucceeds() throws IOException {
        append("a");
        journal.sync();
        append("b");
        disk.faults((operation, path, number) -> {
            if (operation == Operation.SYNC) {
                throw new IOException("not this time");
            }
        });
        assertThatThrownBy(journal::sync).hasMessageContaining("not this time");
        disk.faults(DiskFaults.NONE);
        assertThatThrownBy(journal::sync).hasMessageContaining("has failed");
        assertThat(journal.durable()).isEqualTo(1);
    }

    /** The bytes of a write whose end was lost with the power look like a record that proves that it was on disk. */
    @Test
    void usersCannotForgeRecords() throws IOException {
        append("a");
        ByteBuffer forged = new JournalRecord(3, JournalRecord.Operation.DELETE, 2, 1, "", 0, 0, 0).encode(0);
        int bytes = forged.remaining();
        journal.append(JournalRecord.Operation.WRITE, 1, "", 0, forged);
        String segment = disk.files().get(0);
        disk.flipBit(segment, disk.length(segment).orElseThrow() - bytes - 20, 1); // in the head of the write
        Counting found = new Counting();
        boolean whole = new Journal(disk, 1 << 20, () -> SALT, marker).load(found);
        assertThat(whole).isTrue();
        assertThat(found.records).isEqualTo(1);
        assertThat(found.damaged + found.lost).isZero();
    }

    /** What the sync of one caller misses is up to the next one. */
    @Test
    void whatIsAppendedDuringASyncIsNotOnDisk() throws IOException {
        append("a");
        disk.faults((operation, path, number) -> {
            if (operation == Operation.SYNC && journal.lastLsn() == 1) {
                append("b");
            }
        });
        journal.sync();
        assertThat(journal.durable()).isEqualTo(1);
        journal.sync();
        assertThat(journal.durable()).isEqualTo(2);
    }

    /** Names that a process did not sync are lost with the power, whatever became of it. */
    @Test
    void aSyncCoversTheNameOfASegmentThatAnEarlierProcessBegan() throws IOException {
        for (int seed = 0; seed < 20; seed++) {
            MemoryVolumeIo shared = new MemoryVolumeIo("journal", 1L << 30, new SplittableRandom(seed));
            Journal killed = new Journal(shared, 200, () -> SALT, marker);
            while (shared.files().size() < 2) {
                append(killed, "a");
                if (shared.files().size() == 1) {
                    killed.sync();
                }
            }
            Journal next = new Journal(shared, 200, () -> SALT, marker);
            assertThat(next.load(new Counting())).isTrue();
            append(next, "b");
            next.sync();
            shared.restart(Loss.UNSYNCED);
            Journal last = new Journal(shared, 200, () -> SALT, marker);
            last.load(new Counting());
            assertThat(last.lastLsn()).as("seed %s", seed).isEqualTo(next.lastLsn());
        }
    }

    @Test
    void aSegmentWhoseHeadRotsWasWritten() throws IOException {
        append("a");
        journal.sync();
        String segment = disk.files().get(0);
        disk.flipBit(segment, 3, 1);
        disk.flipBit(segment, Segment.COPY_BYTES + 3L, 1);
        Counting counting = new Counting();
        assertThat(new Journal(disk, 1 << 20, () -> SALT, marker).load(counting))
                .isFalse();
        assertThat(counting.lost).isEqualTo(1);
        assertThat(disk.files()).containsExactly(segment);
    }

    @Test
    void aSegmentWhoseHeadNeverGotToDiskWasNotWritten() throws IOException {
        for (int length : new int[] {0, 10, Segment.HEAD_BYTES}) { // the last as zeros
            String segment = Segment.file(1);
            disk.create(segment);
            disk.write(segment, 0, ByteBuffer.allocate(length));
            assertThat(journal.load(new Counting())).isTrue();
            assertThat(disk.files()).isEmpty();
        }
    }

    @Test
    void aJournalOfAnotherVersionIsRefusedAndStays() throws IOException {
        disk.create(Segment.file(1));
        disk.write(Segment.file(1), 0, ByteBuffer.wrap("ECFSJRN2 and what follows".getBytes(US_ASCII)));
        assertThatThrownBy(journal::id)
                .isInstanceOf(EcfsException.class)
                .hasMessageContaining("0000000000000001.journal has version 2, this program knows 3");
        assertThatThrownBy(() -> journal.load(new Counting())).isInstanceOf(EcfsException.class);
        assertThat(disk.files()).containsExactly(Segment.file(1));
    }

    @Test
    void aSyncDuringWhichTheJournalFailsDoesNotSucceed() throws IOException {
        append("a");
        disk.faults((operation, path, number) -> journal.fail("test", new IOException("a test")));
        assertThatThrownBy(journal::sync).hasMessageContaining("has failed");
        assertThat(journal.durable()).isZero();
    }
}
