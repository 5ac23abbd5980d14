package io.ecfs.namenode.state;

import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;

/**
 * Answers that a release without sessions stored, by request and by age. They are found by their requests and deleted,
 * a few at a time, when they are old; none are added.
 */
final class EarlierAnswers {
    private static final long KEPT_MILLIS = 10 * 60 * 1000L;
    private static final int CLEARED_AT_ONCE = 4;
    private static final int BY_AGE = 'a';

    private EarlierAnswers() {}

    static void clear(Transaction transaction, long nowMillis) {
        long newest = Counter.LAST_ANSWER.of(transaction);
        long oldest = Counter.FORGOTTEN_ANSWER.of(transaction) + 1;
        int cleared = 0;
        for (; cleared < CLEARED_AT_ONCE && oldest + cleared <= newest; cleared++) {
            byte[] key = new RowWriter()
                    .u8(BY_AGE)
                    .raw(Keys.number(oldest + cleared))
                    .bytes();
            RowReader row = new RowReader(transaction.get(Table.RETRIES, key));
            if (row.i64() > nowMillis - KEPT_MILLIS) {
                break;
            }
            transaction.delete(Table.RETRIES, row.rest());
            transaction.delete(Table.RETRIES, key);
        }
        if (cleared > 0) {
            Counter.FORGOTTEN_ANSWER.add(transaction, cleared);
        }
    }
}
