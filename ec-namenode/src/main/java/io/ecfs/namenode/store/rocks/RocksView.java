package io.ecfs.namenode.store.rocks;

import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.View;
import io.ecfs.namenode.store.KeyValueStore.Visitor;
import java.util.Optional;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

/** A database as it was at one moment, or as it is; it stays open as long as this view. */
final class RocksView implements View {
    private final RocksTables tables;
    private final Optional<Snapshot> snapshot;
    private final ReadOptions options;
    private boolean closed;

    private RocksView(RocksTables tables, Optional<Snapshot> snapshot, ReadOptions options) {
        this.tables = tables;
        this.snapshot = snapshot;
        this.options = options;
    }

    /** @param tables a borrowed database; released on close */
    static RocksView snapshot(RocksTables tables) {
        Snapshot now = tables.db().getSnapshot();
        return new RocksView(tables, Optional.of(now), new ReadOptions().setSnapshot(now));
    }

    /**
     * For the one writer, who knows that nothing is committed meanwhile.
     *
     * @param tables a borrowed database; released on close
     */
    static RocksView latest(RocksTables tables) {
        return new RocksView(tables, Optional.empty(), tables.readLatest());
    }

    @Override
    public byte[] get(Table table, byte[] key) {
        try {
            return tables.db().get(tables.family(table), options, key);
        } catch (RocksDBException e) {
            throw tables.failure("read", e);
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
            throw tables.failure("read", e);
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
            snapshot.ifPresent(taken -> {
                options.close();
                tables.db().releaseSnapshot(taken);
            });
            tables.release();
        }
    }
}
