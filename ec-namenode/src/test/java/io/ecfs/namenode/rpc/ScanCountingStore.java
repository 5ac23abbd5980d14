package io.ecfs.namenode.rpc;

import io.ecfs.namenode.store.KeyValueStore;
import java.nio.file.Path;

/** A store that counts the rows that walks through its views come by. */
public final class ScanCountingStore implements KeyValueStore {
    private final KeyValueStore store;
    /** Rows of groups and of chunks. */
    public long walked;

    /** Rows of names. */
    public long names;

    ScanCountingStore(KeyValueStore store) {
        this.store = store;
    }

    @Override
    public View view() {
        View view = store.view();
        return new View() {
            @Override
            public byte[] get(Table table, byte[] key) {
                return view.get(table, key);
            }

            @Override
            public void scan(Table table, byte[] from, byte[] to, Visitor visitor) {
                boolean counts = table == Table.GROUPS || table == Table.CHUNKS_BY_VOLUME;
                view.scan(table, from, to, (key, value) -> {
                    walked += counts ? 1 : 0;
                    names += table == Table.ENTRIES ? 1 : 0;
                    return visitor.visit(key, value);
                });
            }

            @Override
            public void close() {
                view.close();
            }
        };
    }

    @Override
    public Transaction begin() {
        return store.begin();
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
