package io.ecfs.namenode.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedRowsTest {
    private static final Row ROW = new Row(Table.INODES, Keys.number(1));
    private static final byte[] VALUE = {1};

    private final SharedRows rows = new SharedRows(10_000);

    @TempDir
    Path directory;

    private record Open(View view, Map<Long, byte[]> expected) {}

    @Test
    void whatOneViewReadTheNextOneFinds() {
        rows.add(ROW, VALUE, now());
        assertThat(rows.find(new Row(Table.INODES, Keys.number(1)), now())).contains(VALUE);
    }

    @Test
    void aRowThatChangesIsForgottenBeforeItIsWritten() {
        rows.add(ROW, VALUE, now());
        rows.begin(changes());
        assertThat(rows.find(ROW, now())).isEmpty();
    }

    @Test
    void aViewThatIsOlderThanACommitAddsNothing() {
        SharedRows.Moment before = now();
        rows.begin(changes());
        rows.add(ROW, VALUE, before);
        rows.end();
        rows.add(ROW, VALUE, before);
        assertThat(rows.find(ROW, now())).isEmpty();
    }

    @Test
    void aViewThatIsOpenedDuringACommitAddsNothing() {
        rows.begin(changes());
        SharedRows.Moment during = now();
        rows.end();
        rows.add(ROW, VALUE, during);
        assertThat(rows.find(ROW, now())).isEmpty();
    }

    @Test
    void anOlderViewDoesNotFindWhatANewerOneAdded() {
        SharedRows.Moment before = now();
        rows.begin(changes());
        SharedRows.Moment during = now();
        rows.end();
        rows.add(ROW, VALUE, now());
        assertThat(rows.find(ROW, before)).isEmpty();
        assertThat(rows.find(ROW, during)).isEmpty();
        assertThat(rows.find(ROW, now())).contains(VALUE);
    }

    @Test
    void rowsThatWereAddedLongAgoGo() {
        rows.add(ROW, VALUE, now());
        for (long i = 2; i < 500; i++) {
            rows.add(new Row(Table.INODES, Keys.number(i)), VALUE, now());
        }
        assertThat(rows.find(ROW, now())).isEmpty();
        assertThat(rows.find(new Row(Table.INODES, Keys.number(499)), now())).contains(VALUE);
    }

    @Test
    void everyViewSeesItsOwnMomentWhateverOthersRead() {
        long seed = 7;
        Random random = new Random(seed);
        Map<Long, byte[]> latest = new TreeMap<>();
        List<Open> views = new ArrayList<>();
        try (RocksStore store = new RocksStore(directory.resolve("store"), RocksSettings.DEFAULT)) {
            for (int step = 0; step < 20_000; step++) {
                long key = random.nextInt(20);
                switch (random.nextInt(10)) {
                    case 0 -> {
                        if (views.size() == 8) {
                            views.remove(random.nextInt(8)).view().close();
                        }
                        views.add(new Open(store.view(), new TreeMap<>(latest)));
                    }
                    case 1, 2 -> commit(store, latest, key, random);
                    default -> {
                        if (!views.isEmpty()) {
                            Open open = views.get(random.nextInt(views.size()));
                            byte[] found = open.view().get(Table.INODES, Keys.number(key));
                            assertThat(Arrays.equals(found, open.expected().get(key)))
                                    .as("seed %d, step %d, key %d", seed, step, key)
                                    .isTrue();
                        }
                    }
                }
            }
            views.forEach(open -> open.view().close());
        }
    }

    private static void commit(RocksStore store, Map<Long, byte[]> latest, long key, Random random) {
        try (Transaction transaction = store.begin()) {
            if (random.nextInt(4) == 0) {
                transaction.delete(Table.INODES, Keys.number(key));
                latest.remove(key);
            } else {
                byte[] value = ByteBuffer.allocate(Long.BYTES)
                        .putLong(random.nextLong())
                        .array();
                transaction.put(Table.INODES, Keys.number(key), value);
                latest.put(key, value);
            }
            transaction.commit();
        }
    }

    private SharedRows.Moment now() {
        return rows.open(moment -> moment);
    }

    private static Map<Table, NavigableMap<byte[], Optional<byte[]>>> changes() {
        NavigableMap<byte[], Optional<byte[]>> changed = new TreeMap<>(Arrays::compareUnsigned);
        changed.put(ROW.key(), Optional.of(new byte[] {2}));
        return Map.of(ROW.table(), changed);
    }
}
