package io.ecfs.namenode.store.rocks;

import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.View;
import io.ecfs.namenode.store.KeyValueStore.Visitor;
import java.util.Optional;

/** The database as it was at one moment; rows that other views read lately are not looked up again. */
final class ReaderView implements View {
    private final RocksView database;
    private final SharedRows shared;
    private final SharedRows.Moment moment;

    /** @param database opened at that moment; closed with this view */
    ReaderView(RocksView database, SharedRows shared, SharedRows.Moment moment) {
        this.database = database;
        this.shared = shared;
        this.moment = moment;
    }

    @Override
    public byte[] get(Table table, byte[] key) {
        Row row = new Row(table, key);
        Optional<byte[]> found = shared.find(row, moment);
        if (found.isPresent()) {
            return found.get();
        }
        byte[] value = database.get(table, key);
        if (value != null) {
            shared.add(row, value, moment);
        }
        return value;
    }

    @Override
    public void scan(Table table, byte[] from, byte[] to, Visitor visitor) {
        database.scan(table, from, to, visitor);
    }

    @Override
    public void close() {
        database.close();
    }
}
