package io.ecfs.namenode.cluster;

import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.ArrayList;
import java.util.List;

/** The cluster's history: the newest {@value #KEPT} events. */
public final class Events {
    static final int KEPT = 100_000;

    private Events() {}

    /** @param number grows by one with every event, from 1 */
    public record Event(long number, long atMillis, String event, String details) {}

    public static void add(Transaction transaction, long atMillis, String event, String details) {
        long number = Counter.LAST_EVENT.next(transaction);
        transaction.put(
                Table.EVENTS,
                Keys.number(number),
                new RowWriter().i64(atMillis).text(event).text(details).bytes());
        if (number > KEPT) {
            transaction.delete(Table.EVENTS, Keys.number(number - KEPT));
        }
    }

    /** Events after the one with number {@code after}, oldest first. */
    public static List<Event> after(View view, long after, int limit) {
        List<Event> events = new ArrayList<>();
        view.scan(Table.EVENTS, Keys.number(after + 1), null, (key, value) -> {
            RowReader row = new RowReader(value);
            events.add(new Event(new RowReader(key).i64(), row.i64(), row.text(), row.text()));
            row.end();
            return events.size() < limit;
        });
        return events;
    }
}
