package io.ecfs.namenode.store;

import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.rocks.RocksSettings;
import io.ecfs.namenode.store.rocks.RocksStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;

/** Opens a store, waits until its input ends, then writes until that fails, and says how. */
final class FillingProcess {
    private static final int ROWS = 2000;

    private FillingProcess() {}

    public static void main(String[] arguments) throws IOException {
        Random random = new Random(1);
        try (RocksStore store = new RocksStore(Path.of(arguments[0]), new RocksSettings(16 << 20, 1 << 20))) {
            System.out.println("ready");
            System.in.readAllBytes();
            for (int i = 0; i < ROWS; i++) {
                byte[] value = new byte[50_000];
                random.nextBytes(value);
                try (Transaction transaction = store.begin()) {
                    transaction.put(Table.INODES, ("row" + i).getBytes(StandardCharsets.UTF_8), value);
                    transaction.commit();
                }
            }
            System.out.println("never failed");
        } catch (StoreFailure e) {
            System.out.println("failed: " + e.getMessage());
        }
    }
}
