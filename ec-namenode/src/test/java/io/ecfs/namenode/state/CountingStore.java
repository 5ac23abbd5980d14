package io.ecfs.namenode.state;

import io.ecfs.namenode.store.KeyValueStore;
import io.ecfs.namenode.store.MemoryStore;
import io.ecfs.namenode.store.Overlay;
import io.ecfs.namenode.store.StoreFailure;
import java.nio.file.Path;

/** A memory store that counts written rows, and whose disk can be made to fail. */
public final class CountingStore implements KeyValueStore {
    private final MemoryStore store = new MemoryStore();
    public long written;
    public boolean diskFull;

    @Override
    public View view() {
        return store.view();
    }

    @Override
    public Transaction begin() {
        return new Overlay(store.view(), changes -> {
            if (diskFull) {
                throw new StoreFailure("no space left on device", null);
            }
            try (Transaction transaction = store.begin()) {
                changes.forEach((table, rows) -> rows.forEach((key, value) -> {
                    written++;
                    value.ifPresentOrElse(v -> transaction.put(table, key, v), () -> transaction.delete(table, key));
                }));
                transaction.commit();
            }
        });
    }

    @Override
    public void checkpoint(Path directory) {
        store.checkpoint(directory);
    }

    @Override
    public void install(Path directory) {
        store.install(directory);
    }

    @Override
    public void close() {
        store.close();
    }
}
