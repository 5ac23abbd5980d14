package io.ecfs.datanode.store.ring.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.datanode.store.memory.DiskFaults;
import io.ecfs.datanode.store.memory.DiskFaults.Operation;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A journal whose disk fails. */
class JournalTest {
    private final MemoryVolumeIo disk = new MemoryVolumeIo("journal", 1L << 30, new SplittableRandom(1));
    private final Journal journal = new Journal(disk, 1 << 20);

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
