package io.ecfs.namenode.cluster;

import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.nio.charset.StandardCharsets;

/**
 * Whether equal facts have equal rows on all namenodes, so that rows which differ are a defect. They have in a state
 * that this release or a later one founded. In one that 6e8d76b began, entries near the upgrade are applied by 6e8d76b
 * on some namenodes and by its successor on others, which write other forms of rows: there it is so from the first time
 * on that all were equal.
 */
public final class ComparableFacts {
    private static final byte[] KEY = "comparable".getBytes(StandardCharsets.UTF_8);

    private ComparableFacts() {}

    public static boolean of(View view) {
        return view.get(Table.META, KEY) != null;
    }

    public static void begin(Transaction transaction) {
        if (!of(transaction)) {
            transaction.put(Table.META, KEY, new byte[0]);
        }
    }
}
