package io.ecfs.namenode.store.rocks;

import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.View;
import io.ecfs.namenode.store.KeyValueStore.Visitor;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads of the one writer of the store: from rows that it used lately, otherwise from the database, of which it takes a
 * view when it must.
 */
final class WriterView implements View {
    private final RecentRows recent;
    private final Supplier<RocksView> database;
    private Optional<RocksView> view = Optional.empty();

    WriterView(RecentRows recent, Supplier<RocksView> database) {
        this.recent = recent;
        this.database = database;
    }

    @Override
    public byte[] get(Table table, byte[] key) {
        Optional<byte[]> row = recent.get(table, key);
        if (row == null) {
            row = Optional.ofNullable(view().get(table, key));
            recent.read(table, key, row);
        }
        return row.orElse(null);
    }

    @Override
    public void scan(Table table, byte[] from, byte[] to, Visitor visitor) {
        view().scan(table, from, to, visitor);
    }

    private RocksView view() {
        if (view.isEmpty()) {
            view = Optional.of(database.get());
        }
        return view.get();
    }

    @Override
    public void close() {
        view.ifPresent(RocksView::close);
    }
}
