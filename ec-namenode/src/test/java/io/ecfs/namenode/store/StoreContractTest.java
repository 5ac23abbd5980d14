package io.ecfs.namenode.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.Invariant;
import io.ecfs.namenode.store.KeyValueStore.Savepoint;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every store promises; one subclass for each. */
abstract class StoreContractTest {
    @TempDir
    Path directory;

    private KeyValueStore store;

    abstract KeyValueStore open(Path directory);

    @BeforeEach
    void openStore() {
        store = open(directory.resolve("store"));
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    @Test
    void whatWasCommittedIsRead() {
        put(Table.INODES, "a", "1");

        assertThat(read(Table.INODES, "a")).isEqualTo("1");
        assertThat(read(Table.ENTRIES, "a")).isNull();
    }

    @Test
    void aTransactionReadsItsOwnWritesAndNobodyElseDoes() {
        put(Table.INODES, "old", "1");
        try (Transaction transaction = store.begin()) {
            transaction.put(Table.INODES, bytes("new"), bytes("2"));
            transaction.delete(Table.INODES, bytes("old"));

            assertThat(transaction.get(Table.INODES, bytes("new"))).isEqualTo(bytes("2"));
            assertThat(transaction.get(Table.INODES, bytes("old"))).isNull();
            assertThat(scan(transaction, Table.INODES, "", null)).containsExactly("new=2");
            assertThat(read(Table.INODES, "new")).isNull();
            assertThat(read(Table.INODES, "old")).isEqualTo("1");
        }
    }

    @Test
    void aTransactionThatIsNotCommittedLeavesNoTrace() {
        try (Transaction transaction = store.begin()) {
            transaction.put(Table.INODES, bytes("a"), bytes("1"));
        }
        assertThat(read(Table.INODES, "a")).isNull();
    }

    @Test
    void aSavepointThatIsNotReleasedLeavesNoTrace() {
        try (Transaction transaction = store.begin()) {
            transaction.put(Table.INODES, bytes("kept"), bytes("1"));
            try (Savepoint dropped = transaction.savepoint()) {
                transaction.put(Table.INODES, bytes("dropped"), bytes("1"));
                transaction.delete(Table.INODES, bytes("kept"));
                assertThat(scan(transaction, Table.INODES, "", null)).containsExactly("dropped=1");
                assertThat(changes(dropped)).containsExactly("dropped: null -> 1", "kept: 1 -> null");
            }
            try (Savepoint kept = transaction.savepoint()) {
                transaction.put(Table.INODES, bytes("more"), bytes("2"));
                kept.release();
            }
            transaction.commit();
        }
        try (View view = store.view()) {
            assertThat(scan(view, Table.INODES, "", null)).containsExactly("kept=1", "more=2");
        }
    }

    @Test
    void aClosedOuterSavepointUndoesWhatAnInnerOneReleased() {
        try (Transaction transaction = store.begin()) {
            transaction.put(Table.INODES, bytes("a"), bytes("1"));
            try (Savepoint outer = transaction.savepoint()) {
                transaction.put(Table.INODES, bytes("a"), bytes("2"));
                try (Savepoint inner = transaction.savepoint()) {
                    transaction.put(Table.INODES, bytes("a"), bytes("3"));
                    transaction.put(Table.INODES, bytes("b"), bytes("1"));
                    assertThat(changes(inner)).containsExactly("a: 2 -> 3", "b: null -> 1");
                    inner.release();
                }
                assertThat(changes(outer)).containsExactly("a: 1 -> 3", "b: null -> 1");
                Savepoint newest = transaction.savepoint();
                assertThatThrownBy(outer::release).isInstanceOf(Invariant.Broken.class);
                newest.close();
            }
            transaction.commit();
        }
        try (View view = store.view()) {
            assertThat(scan(view, Table.INODES, "", null)).containsExactly("a=1");
        }
    }

    private static List<String> changes(Savepoint savepoint) {
        List<String> changes = new ArrayList<>();
        savepoint.changes((table, key, before, after) -> changes.add(text(key) + ": "
                + (before == null ? null : text(before)) + " -> " + (after == null ? null : text(after))));
        return changes;
    }

    @Test
    void scansWalkAHalfOpenRangeInUnsignedKeyOrder() {
        try (Transaction transaction = store.begin()) {
            for (int key : new int[] {0x00, 0x7F, 0x80, 0xFE, 0xFF}) {
                transaction.put(Table.GROUPS, new byte[] {(byte) key}, new byte[] {(byte) key});
            }
            transaction.commit();
        }
        try (View view = store.view()) {
            List<Integer> seen = new ArrayList<>();
            view.scan(
                    Table.GROUPS, new byte[] {0x7F}, new byte[] {(byte) 0xFF}, (key, value) -> seen.add(key[0] & 0xFF));
            assertThat(seen).containsExactly(0x7F, 0x80, 0xFE);
            seen.clear();
            view.scan(Table.GROUPS, new byte[] {(byte) 0xFE}, null, (key, value) -> seen.add(key[0] & 0xFF));
            assertThat(seen).containsExactly(0xFE, 0xFF);
            seen.clear();
            view.scan(Table.GROUPS, new byte[] {9}, new byte[] {3}, (key, value) -> seen.add(key[0] & 0xFF));
            assertThat(seen).isEmpty();
        }
    }

    @Test
    void aScanStopsWhenTheVisitorSaysSo() {
        put(Table.INODES, "a", "1");
        put(Table.INODES, "b", "2");
        try (Transaction transaction = store.begin()) {
            transaction.put(Table.INODES, bytes("c"), bytes("3"));
            List<String> seen = new ArrayList<>();
            transaction.scan(Table.INODES, bytes(""), null, (key, value) -> {
                seen.add(text(key));
                return seen.size() < 2;
            });
            assertThat(seen).containsExactly("a", "b");
        }
    }

    @Test
    void aViewStaysAsItWasWhileOthersCommitAndInstall() {
        put(Table.INODES, "a", "1");
        put(Table.INODES, "b", "1");
        store.checkpoint(directory.resolve("checkpoint"));
        try (View view = store.view()) {
            put(Table.INODES, "a", "2");
            put(Table.INODES, "c", "2");
            try (Transaction transaction = store.begin()) {
                transaction.delete(Table.INODES, bytes("b"));
                transaction.commit();
            }
            assertThat(scan(view, Table.INODES, "", null)).containsExactly("a=1", "b=1");
            store.install(directory.resolve("checkpoint"));
            put(Table.INODES, "d", "3");
            assertThat(scan(view, Table.INODES, "", null)).containsExactly("a=1", "b=1");
            assertThat(view.get(Table.INODES, bytes("c"))).isNull();
        }
    }

    @Test
    void anInstalledCheckpointReplacesEverything() {
        put(Table.INODES, "a", "1");
        Path checkpoint = directory.resolve("checkpoint");
        store.checkpoint(checkpoint);
        for (int round = 0; round < 3; round++) {
            put(Table.INODES, "a", "later");
            put(Table.LEASES, "b", "later");
            store.install(checkpoint);
            assertThat(read(Table.INODES, "a")).isEqualTo("1");
            assertThat(read(Table.LEASES, "b")).isNull();
        }
        put(Table.INODES, "a", "afterwards");
        assertThat(read(Table.INODES, "a")).isEqualTo("afterwards");
    }

    @Test
    void aTransactionAfterAnInstallReadsTheCheckpoint() {
        put(Table.INODES, "a", "1");
        store.checkpoint(directory.resolve("checkpoint"));
        put(Table.INODES, "a", "2");
        put(Table.INODES, "b", "2");
        store.install(directory.resolve("checkpoint"));

        try (Transaction transaction = store.begin()) {
            assertThat(transaction.get(Table.INODES, bytes("a"))).isEqualTo(bytes("1"));
            assertThat(transaction.get(Table.INODES, bytes("b"))).isNull();
        }
    }

    @Test
    void aCheckpointOverAnExistingOneIsRefused() {
        store.checkpoint(directory.resolve("checkpoint"));
        assertThatThrownBy(() -> store.checkpoint(directory.resolve("checkpoint")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("exists already");
    }

    KeyValueStore store() {
        return store;
    }

    void put(Table table, String key, String value) {
        try (Transaction transaction = store.begin()) {
            transaction.put(table, bytes(key), bytes(value));
            transaction.commit();
        }
    }

    String read(Table table, String key) {
        try (View view = store.view()) {
            byte[] value = view.get(table, bytes(key));
            return value == null ? null : text(value);
        }
    }

    static List<String> scan(View view, Table table, String from, String to) {
        List<String> rows = new ArrayList<>();
        view.scan(
                table,
                bytes(from),
                to == null ? null : bytes(to),
                (key, value) -> rows.add(text(key) + "=" + text(value)));
        return rows;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
