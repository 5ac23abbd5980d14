package io.ecfs.namenode.namespace;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.InodeId;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.namespace.inode.Quotas;
import io.ecfs.namenode.namespace.inode.Quotas.Quota;
import io.ecfs.namenode.namespace.path.Paths;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.store.KeyValueStore.Savepoint;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Refuses a call that uses more than before of a quota that is full: only at its end can that be decided. */
final class QuotaGuard {
    private final Transaction transaction;

    private QuotaGuard(Transaction transaction) {
        this.transaction = transaction;
    }

    /** The changes of a call. */
    interface Action<T> {
        T run() throws EcfsException;
    }

    /**
     * @throws EcfsException {@code QUOTA_EXCEEDED} when a directory would hold more than it may, and more than it did
     */
    static <T> T within(Transaction transaction, Action<T> action) throws EcfsException {
        if (Counter.QUOTAS.of(transaction) == 0) {
            return action.run();
        }
        try (Savepoint before = transaction.savepoint()) {
            T done = action.run();
            new QuotaGuard(transaction).check(before);
            before.release();
            return done;
        }
    }

    private void check(Savepoint before) throws EcfsException {
        Map<InodeId, Change> changes = new LinkedHashMap<>();
        before.changes((table, key, old, now) -> {
            if (table == Table.QUOTAS && old != null && now != null) {
                changes.put(new InodeId(new RowReader(key).i64()), new Change(Quotas.decode(old), Quotas.decode(now)));
            }
        });
        for (Map.Entry<InodeId, Change> change : changes.entrySet()) {
            check(change.getKey(), change.getValue().before(), change.getValue().after());
        }
    }

    private record Change(Quota before, Quota after) {}

    private void check(InodeId directory, Quota old, Quota now) throws EcfsException {
        check(
                directory,
                "names",
                now.namesLimit(),
                old.used().names(),
                now.used().names());
        check(
                directory,
                "bytes of chunks",
                now.spaceLimit(),
                old.used().space(),
                now.used().space());
    }

    private void check(InodeId directory, String what, Optional<Long> limit, long old, long now) throws EcfsException {
        if (limit.isPresent() && now > old && now > limit.get()) {
            String path = Paths.find(transaction, Inodes.get(transaction, directory))
                    .map(p -> p.text())
                    .orElse("a deleted directory");
            throw new EcfsException(
                    ErrorCode.QUOTA_EXCEEDED,
                    "the quota of " + path + " (" + directory + ") is " + limit.get() + " " + what + ": there are "
                            + old + ", and it would come to " + now + "; delete something there, or raise the quota");
        }
    }
}
