package io.ecfs.namenode.cluster;

import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.nio.charset.StandardCharsets;

/**
 * Marks a state in which equal facts have equal rows on all namenodes, so that rows which differ are a defect. That
 * holds for a state that this release or a later one formatted. In a state that 6e8d76b formatted, entries near the
 * upgrade are applied by 6e8d76b on some namenodes and by its successor on others, which write other forms of rows:
 * there it holds from the first time on that all were equal.
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
