package io.ecfs.namenode.cluster;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.error.Invariant;
import io.ecfs.message.FeatureLevel;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.nio.charset.StandardCharsets;

/** The feature level that the cluster's log and state may use; it only grows. */
public final class LevelInForce {
    private static final byte[] KEY = "featureLevel".getBytes(StandardCharsets.UTF_8);

    private LevelInForce() {}

    public static int of(View view) {
        byte[] bytes = view.get(Table.META, KEY);
        if (bytes == null) {
            return FeatureLevel.FIRST;
        }
        RowReader row = new RowReader(bytes);
        int level = row.smallNumber();
        row.end();
        return level;
    }

    /** Returns whether this feature level is in force. */
    public static boolean reached(View view, int level) {
        return of(view) >= level;
    }

    /**
     * A row's bytes, when its fields take no level above the one in force: a namenode that went back to the release
     * before could not read it.
     */
    public static byte[] within(View view, RowWriter row) {
        Invariant.check(
                row.level() <= FeatureLevel.FIRST || row.level() <= of(view),
                "a row of feature level %s is written, in force is %s",
                row.level(),
                of(view));
        return row.bytes();
    }

    /** @throws EcfsException {@code INVALID_ARGUMENT} when a higher one is in force */
    public static void raise(Transaction transaction, int level) throws EcfsException {
        int now = of(transaction);
        if (level < now) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT, "feature level " + now + " is in force and does not fall to " + level);
        }
        if (level > now) {
            transaction.put(Table.META, KEY, new RowWriter().number(level).bytes());
        }
    }
}
