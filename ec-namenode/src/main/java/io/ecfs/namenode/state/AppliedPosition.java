package io.ecfs.namenode.state;

import io.ecfs.namenode.log.ReplicatedState.Position;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.nio.charset.StandardCharsets;

/** The row that ties the store to the log: written with every entry, in the same atomic step. */
final class AppliedPosition {
    static final byte[] KEY = "applied".getBytes(StandardCharsets.UTF_8);

    private AppliedPosition() {}

    static Position of(View view) {
        byte[] bytes = view.get(Table.META, KEY);
        if (bytes == null) {
            return new Position(0, -1);
        }
        RowReader row = new RowReader(bytes);
        Position position = new Position(row.i64(), row.i64());
        row.end();
        return position;
    }

    static void put(Transaction transaction, Position position) {
        transaction.put(
                Table.META,
                KEY,
                new RowWriter().i64(position.term()).i64(position.index()).bytes());
    }
}
