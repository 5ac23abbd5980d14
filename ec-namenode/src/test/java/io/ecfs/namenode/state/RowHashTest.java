package io.ecfs.namenode.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.namenode.log.ReplicatedState.Position;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import io.ecfs.namenode.store.MemoryStore;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Equal facts have one hash, and facts that differ anywhere have others. */
class RowHashTest {
    private static final long GOLDEN = -8644656677798287923L;

    private final MemoryStore store = new MemoryStore();

    private static byte[] bytes(int length, int seed) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (31 * i + seed);
        }
        return bytes;
    }

    private long hash() {
        try (View view = store.view()) {
            return StateHash.of(view);
        }
    }

    /** @return by how much the change says that it changes the hash */
    private long change(Consumer<Transaction> change) {
        try (Transaction transaction = store.begin()) {
            change.accept(transaction);
            long by = StateHash.change(transaction);
            transaction.commit();
            return by;
        }
    }

    @Test
    void aTransactionChangesTheHashByWhatItsRowsHaveInIt() {
        long empty = hash();
        assertThat(empty).isZero();
        long put = change(t -> {
            t.put(Table.INODES, bytes(8, 1), bytes(20, 2));
            t.put(Table.GROUPS, bytes(8, 1), bytes(3, 2));
        });
        assertThat(hash()).isEqualTo(put).isNotZero();
        long replaced = change(t -> {
            t.put(Table.INODES, bytes(8, 1), bytes(20, 3));
            t.delete(Table.GROUPS, bytes(8, 1));
            t.delete(Table.GROUPS, bytes(9, 9));
        });
        assertThat(hash()).isEqualTo(put + replaced);
        assertThat(change(t -> t.put(Table.INODES, bytes(8, 1), bytes(20, 3)))).isZero();
        change(t -> t.delete(Table.INODES, bytes(8, 1)));
        assertThat(hash()).isZero();
    }

    @Test
    void everyByteOfAKeyAndOfAValueCountsAsDoTheirLengthsAndTheTable() {
        Set<Long> seen = new HashSet<>();
        int rows = 0;
        for (int length = 1; length <= 20; length++) {
            for (int at = -1; at < length; at++) {
                byte[] changed = bytes(length, 5);
                if (at >= 0) {
                    changed[at] ^= (byte) 0x80;
                }
                seen.add(hashOf(Table.INODES, bytes(4, 1), changed));
                seen.add(hashOf(Table.INODES, changed, bytes(4, 1)));
                seen.add(hashOf(Table.GROUPS, changed, bytes(4, 1)));
                rows += 3;
            }
        }
        seen.add(hashOf(Table.INODES, bytes(4, 1), new byte[0]));
        seen.add(hashOf(Table.INODES, bytes(4, 1), new byte[1]));
        seen.add(hashOf(Table.INODES, bytes(4, 1), new byte[8]));
        assertThat(seen).hasSize(rows + 3);
    }

    private static long hashOf(Table table, byte[] key, byte[] value) {
        try (MemoryStore one = new MemoryStore();
                Transaction transaction = one.begin()) {
            transaction.put(table, key, value);
            return StateHash.change(transaction);
        }
    }

    /** Two rows that exchange their values would cancel out in a sum of products. */
    @Test
    void rowsThatExchangeTheirValuesChangeTheHash() {
        change(t -> {
            t.put(Table.INODES, bytes(8, 1), bytes(8, 10));
            t.put(Table.INODES, bytes(8, 2), bytes(8, 20));
        });
        long before = hash();
        change(t -> {
            t.put(Table.INODES, bytes(8, 1), bytes(8, 20));
            t.put(Table.INODES, bytes(8, 2), bytes(8, 10));
        });
        assertThat(hash()).isNotEqualTo(before);
    }

    /** Golden: namenodes of different releases compare their hashes during a rolling upgrade. */
    @Test
    void theHashOfARowIsTheSameInEveryRelease() {
        assertThat(hashOf(Table.INODES, bytes(9, 1), bytes(21, 2))).isEqualTo(GOLDEN);
    }

    @Test
    void whereTheLogStandsIsNoFact() {
        long by = change(t -> new AppliedPosition(new Position(3, 7), 99).put(t));
        assertThat(by).isZero();
        assertThat(hash()).isZero();
        try (View view = store.view()) {
            assertThat(AppliedPosition.of(view)).isEqualTo(new AppliedPosition(new Position(3, 7), 99));
            assertThat(AppliedPosition.positionOf(view)).isEqualTo(new Position(3, 7));
        }
        assertThat(change(t -> t.put(Table.META, bytes(7, 1), bytes(1, 1)))).isNotZero();
        assertThat(change(t -> t.put(Table.INODES, AppliedPosition.KEY, bytes(1, 1))))
                .isNotZero();
    }

    @Test
    void theTrailKnowsTheNewestEntriesOnly() {
        HashTrail trail = new HashTrail();
        assertThat(trail.at(0)).isEmpty();
        assertThat(trail.at(-1)).isEmpty();
        trail.put(-1, 5);
        assertThat(trail.at(-1)).isEmpty();
        trail.put(0, 100);
        trail.put(1, 101);
        assertThat(trail.at(0)).hasValue(100);
        assertThat(trail.at(HashTrail.ENTRIES)).isEmpty();
        trail.put(HashTrail.ENTRIES, 200);
        assertThat(trail.at(0)).isEmpty();
        assertThat(trail.at(HashTrail.ENTRIES)).hasValue(200);
        assertThat(trail.at(1)).hasValue(101);
        trail.clear();
        assertThat(trail.at(1)).isEmpty();
    }
}
