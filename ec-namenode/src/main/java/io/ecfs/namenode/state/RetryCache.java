package io.ecfs.namenode.state;

import io.ecfs.message.RequestId;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;

/**
 * The answers to calls, so that the same call sent again gets the same answer (HDFS: RetryCache; Raft dissertation,
 * section 6.3). Refusals are remembered too, unless the same
 * call may be sent again later: whoever was refused goes on, and a repeat that arrives late must not have the effect after all.
 *
 * <p>Answers live for {@link #KEPT_MILLIS} by the clock in the commands, at most {@link #MAX_ANSWERS} of them: every remembered one
 * clears away up to {@link #CLEARED_AT_ONCE} old ones, oldest first. Two rows each: by request, and by age number to find it again.
 */
final class RetryCache {
    static final long KEPT_MILLIS = 10 * 60 * 1000L;
    static final long MAX_ANSWERS = 200_000;
    static final int CLEARED_AT_ONCE = 4;
    private static final int BY_REQUEST = 'r';
    private static final int BY_AGE = 'a';

    private RetryCache() {}

    /** Null when there is none. */
    static byte[] find(View view, RequestId request) {
        return view.get(Table.RETRIES, key(request));
    }

    static void remember(Transaction transaction, RequestId request, byte[] answer, long nowMillis) {
        long age = Counter.LAST_ANSWER.next(transaction);
        byte[] key = key(request);
        transaction.put(Table.RETRIES, key, answer);
        transaction.put(
                Table.RETRIES, key(age), new RowWriter().i64(nowMillis).raw(key).bytes());
        clear(transaction, age, nowMillis);
    }

    private static void clear(Transaction transaction, long newest, long nowMillis) {
        long oldest = Counter.FORGOTTEN_ANSWER.of(transaction) + 1;
        int cleared = 0;
        for (; cleared < CLEARED_AT_ONCE; cleared++) {
            byte[] key = key(oldest + cleared);
            RowReader row = new RowReader(transaction.get(Table.RETRIES, key));
            boolean old = row.i64() <= nowMillis - KEPT_MILLIS || newest - oldest - cleared >= MAX_ANSWERS;
            if (!old || oldest + cleared == newest) {
                break;
            }
            transaction.delete(Table.RETRIES, row.rest());
            transaction.delete(Table.RETRIES, key);
        }
        if (cleared > 0) {
            Counter.FORGOTTEN_ANSWER.add(transaction, cleared);
        }
    }

    private static byte[] key(RequestId request) {
        return new RowWriter()
                .u8(BY_REQUEST)
                .text(request.client())
                .i64(request.sequence())
                .bytes();
    }

    private static byte[] key(long age) {
        return new RowWriter().u8(BY_AGE).raw(Keys.number(age)).bytes();
    }
}
