package io.ecfs.datanode.store.ring.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.datanode.store.memory.DiskFaults;
import io.ecfs.datanode.store.memory.DiskFaults.Operation;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
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

    private void append(String path) throws IOException {
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
        AtomicInteger found = new AtomicInteger();
        boolean whole = new Journal(disk, 1 << 20, () -> SALT, marker).load(new JournalLoad.Receiver() {
            @Override
            public void record(Journal.Place at) {
                found.incrementAndGet();
            }

            @Override
            public void damaged(JournalRecord record) {
                found.addAndGet(100);
            }

            @Override
            public void lost(List<JournalRecord> behind) {
                found.addAndGet(1000);
            }
        });
        assertThat(whole).isTrue();
        assertThat(found).hasValue(1);
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

    @Test
    void aSyncDuringWhichTheJournalFailsDoesNotSucceed() throws IOException {
        append("a");
        disk.faults((operation, path, number) -> journal.fail());
        assertThatThrownBy(journal::sync).hasMessageContaining("has failed");
        assertThat(journal.durable()).isZero();
    }
}
