package io.ecfs.namenode.group;

import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The conversions under way, and those that ended last, by number. */
public final class Conversions {
    /** Conversions that go on at the same time at most, and ended ones that are retained. */
    public static final int MOST = 100;

    private static final int VERSION = 1;

    private Conversions() {}

    public static Optional<ConversionFacts> find(View view, long job) {
        return Optional.ofNullable(view.get(Table.CONVERSIONS, Keys.number(job)))
                .map(row -> read(row, job));
    }

    /** All of them, the oldest first. */
    public static List<ConversionFacts> all(View view) {
        List<ConversionFacts> all = new ArrayList<>();
        view.scan(Table.CONVERSIONS, new byte[0], null, (key, row) -> {
            all.add(read(row, new RowReader(key).i64()));
            return true;
        });
        return all;
    }

    public static long nextJob(Transaction transaction) {
        return Counter.LAST_CONVERSION.next(transaction);
    }

    /** Puts one, and forgets the oldest that ended when too many are there. */
    public static void put(Transaction transaction, ConversionFacts facts) {
        RowWriter row = new RowWriter().u8(VERSION);
        facts.write(row);
        transaction.put(Table.CONVERSIONS, Keys.number(facts.job()), row.bytes());
        List<ConversionFacts> ended = all(transaction).stream()
                .filter(each -> each.known().state().ended())
                .toList();
        for (int i = 0; i < ended.size() - MOST; i++) {
            transaction.delete(Table.CONVERSIONS, Keys.number(ended.get(i).job()));
        }
    }

    private static ConversionFacts read(byte[] bytes, long job) {
        RowReader row = new RowReader(bytes);
        row.version(VERSION, VERSION, "conversion");
        ConversionFacts facts = ConversionFacts.read(row, job);
        row.end();
        return facts;
    }
}
