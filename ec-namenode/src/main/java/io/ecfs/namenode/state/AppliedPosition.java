package io.ecfs.namenode.state;

import io.ecfs.namenode.log.ReplicatedState.Position;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.nio.charset.StandardCharsets;

/**
 * The row that ties the store to the log, and has the hash of all other rows: written with every entry, in the same
 * atomic step.
 *
 * @param hash see {@link StateHash}
 */
record AppliedPosition(Position position, long hash) {
    static final byte[] KEY = "applied".getBytes(StandardCharsets.UTF_8);

    /** Hashes all rows where 6e8d76b left no hash. */
    static AppliedPosition of(View view) {
        byte[] bytes = view.get(Table.META, KEY);
        if (bytes == null) {
            return new AppliedPosition(new Position(0, -1), StateHash.of(view));
        }
        RowReader row = new RowReader(bytes);
        Position position = new Position(row.i64(), row.i64());
        long hash = row.more() ? row.i64() : StateHash.of(view);
        row.end();
        return new AppliedPosition(position, hash);
    }

    /** The position alone, without reading any other row. */
    static Position positionOf(View view) {
        byte[] bytes = view.get(Table.META, KEY);
        if (bytes == null) {
            return new Position(0, -1);
        }
        RowReader row = new RowReader(bytes);
        return new Position(row.i64(), row.i64());
    }

    void put(Transaction transaction) {
        transaction.put(
                Table.META,
                KEY,
                new RowWriter()
                        .i64(position.term())
                        .i64(position.index())
                        .i64(hash)
                        .bytes());
    }
}
