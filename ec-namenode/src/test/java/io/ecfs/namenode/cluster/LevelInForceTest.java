package io.ecfs.namenode.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.error.Invariant;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.MemoryStore;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LevelInForceTest {
    @Test
    void aRowAboveTheLevelInForceIsNotWritten() throws EcfsException {
        RowWriter plain = new RowWriter().tagged(1, 1, Optional.of("a"), RowWriter::text);
        RowWriter later = new RowWriter().tagged(1, 2, Optional.of("a"), RowWriter::text);
        try (MemoryStore store = new MemoryStore();
                Transaction transaction = store.begin()) {
            assertThat(LevelInForce.within(transaction, plain)).isEqualTo(plain.bytes());
            assertThatThrownBy(() -> LevelInForce.within(transaction, later))
                    .isInstanceOf(Invariant.Broken.class)
                    .hasMessageContaining("feature level 2 is written, in force is 1");
            LevelInForce.raise(transaction, 2);
            assertThat(LevelInForce.within(transaction, later)).isEqualTo(later.bytes());
        }
    }
}
