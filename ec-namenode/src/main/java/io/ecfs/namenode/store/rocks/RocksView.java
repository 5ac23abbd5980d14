package io.ecfs.namenode.store.rocks;

import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.View;
import io.ecfs.namenode.store.KeyValueStore.Visitor;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

/** A snapshot of a database, which stays open as long as this view. */
final class RocksView implements View {
    private final RocksTables tables;
    private final Snapshot snapshot;
    private final ReadOptions options;
    private boolean closed;

    /** @param tables a borrowed database; released on close */
    RocksView(RocksTables tables) {
        this.tables = tables;
        this.snapshot = tables.db().getSnapshot();
        this.options = new ReadOptions().setSnapshot(snapshot);
    }

    @Override
    public byte[] get(Table table, byte[] key) {
        try {
            return tables.db().get(tables.family(table), options, key);
        } catch (RocksDBException e) {
            throw RocksStore.failure("read", tables.path(), e);
        }
    }

    @Override
    public void scan(Table table, byte[] from, byte[] to, Visitor visitor) {
        try (Slice end = to == null ? null : new Slice(to);
                ReadOptions bounded = new ReadOptions(options)) {
            if (end != null) {
                bounded.setIterateUpperBound(end);
            }
            scan(table, from, bounded, visitor);
        } catch (RocksDBException e) {
            throw RocksStore.failure("read", tables.path(), e);
        }
    }

    private void scan(Table table, byte[] from, ReadOptions bounded, Visitor visitor) throws RocksDBException {
        try (RocksIterator rows = tables.db().newIterator(tables.family(table), bounded)) {
            for (rows.seek(from); rows.isValid(); rows.next()) {
                if (!visitor.visit(rows.key(), rows.value())) {
                    return;
                }
            }
            rows.status();
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            options.close();
            tables.db().releaseSnapshot(snapshot);
            tables.release();
        }
    }
}
