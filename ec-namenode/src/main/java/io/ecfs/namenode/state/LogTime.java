package io.ecfs.namenode.state;

import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import java.nio.charset.StandardCharsets;

/**
 * Time that all namenodes agree on and no clock can jump: the sum of the steps between the leaders' clocks in
 * successive calls, of which none counts for more than {@link #MOST_STEP_MILLIS}. It never goes back, runs at most as
 * fast as a leader's clock, and stands while there are no calls. A leader whose clock is ahead moves it by one step
 * when it begins to lead.
 */
final class LogTime {
    static final long MOST_STEP_MILLIS = 1000;
    private static final byte[] KEY = "logtime".getBytes(StandardCharsets.UTF_8);

    private LogTime() {}

    /** @return milliseconds of log time, after this call */
    static long advance(Transaction transaction, long clockMillis) {
        byte[] bytes = transaction.get(Table.META, KEY);
        long time = 0;
        long before = clockMillis;
        if (bytes != null) {
            RowReader row = new RowReader(bytes);
            time = row.i64();
            before = row.i64();
            row.end();
            if (before == clockMillis) {
                return time;
            }
        }
        time += Math.max(0, Math.min(clockMillis - before, MOST_STEP_MILLIS));
        transaction.put(
                Table.META, KEY, new RowWriter().i64(time).i64(clockMillis).bytes());
        return time;
    }
}
