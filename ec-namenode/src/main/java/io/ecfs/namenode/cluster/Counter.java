package io.ecfs.namenode.cluster;

import io.ecfs.error.Invariant;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Numbers of the state: the last id of each kind that was given out, and counts. The names are
 * part of the disk format.
 */
public enum Counter {
    LAST_INODE,
    LAST_GROUP,
    LAST_VOLUME,
    /** Deletions in (PURGED_DELETION, LAST_DELETION] are pending. */
    LAST_DELETION,
    PURGED_DELETION,
    /** Events in (FORGOTTEN_EVENT, LAST_EVENT] are retained. */
    LAST_EVENT,
    FORGOTTEN_EVENT,
    LAST_INCIDENT,
    /** Number of the last conversion of files. */
    LAST_CONVERSION,
    LAST_RING,
    /** Grows with each change of a ring, of its volumes and of the policies of directories that name it, for caches. */
    RING_CHANGES,
    /** Number of retained incidents. */
    INCIDENTS,
    /** Sessions of clients are queued under numbers in (ENDED_SESSION, LAST_SESSION]. */
    LAST_SESSION,
    ENDED_SESSION,
    /** A release without sessions remembered answers under numbers in (FORGOTTEN_ANSWER, LAST_ANSWER]. */
    LAST_ANSWER,
    FORGOTTEN_ANSWER,
    FILES,
    DIRECTORIES,
    OPEN_GROUPS,
    SEALED_GROUPS,
    /** User bytes of sealed groups. */
    SEALED_BYTES,
    /** Directories with a quota. */
    QUOTAS,
    XATTRS,
    /** 1 while an operator has the namenode reject changes by clients, 0 otherwise. */
    SAFE_MODE,
    /** 1 while an operator has the chunk mover paused, 0 otherwise. */
    MOVER_PAUSED,
    /** An operator's value in place of {@code recovery.atOnce}, plus one; 0: not set. */
    REPAIRS_AT_ONCE,
    /** As {@link #REPAIRS_AT_ONCE}, in place of {@code recovery.perDatanode}. */
    REPAIRS_PER_DATANODE,
    /** As {@link #REPAIRS_AT_ONCE}, in place of each datanode's {@code repair.limit.bytesPerSecond}. */
    REPAIR_BYTES_PER_SECOND;

    private final String row = "count/" + name().toLowerCase(Locale.ROOT);

    public long of(View view) {
        byte[] row = view.get(Table.META, key());
        return row == null ? 0 : new RowReader(row).i64();
    }

    /** Adds and answers the new value; never below 0. */
    public long add(Transaction transaction, long change) {
        long value = Math.addExact(of(transaction), change);
        Invariant.check(value >= 0, "counter %s fell to %d", this, value);
        transaction.put(Table.META, key(), new RowWriter().i64(value).bytes());
        return value;
    }

    /** The next number of a kind of id. */
    public long next(Transaction transaction) {
        return add(transaction, 1);
    }

    private byte[] key() {
        return row.getBytes(StandardCharsets.UTF_8);
    }
}
