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
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.WatchedTransaction;
import java.util.Arrays;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A transaction in which one call of a client is applied. It remembers how full each quota was that the call changes:
 * only when all is done can one tell whether it uses more than before.
 */
final class QuotaGuard extends WatchedTransaction {
    private final TreeMap<byte[], Optional<Quota>> before = new TreeMap<>(Arrays::compareUnsigned);

    private QuotaGuard(Transaction transaction) {
        super(transaction);
    }

    /** What a call does. */
    interface Action<T> {
        T run(Transaction transaction) throws EcfsException;
    }

    /**
     * @throws EcfsException {@code QUOTA_EXCEEDED} when a directory would hold more than it may, and more than it did
     */
    static <T> T within(Transaction transaction, Action<T> action) throws EcfsException {
        if (Counter.QUOTAS.of(transaction) == 0) {
            return action.run(transaction);
        }
        QuotaGuard guard = new QuotaGuard(transaction);
        T done = action.run(guard);
        guard.check();
        return done;
    }

    private void check() throws EcfsException {
        for (byte[] key : before.keySet()) {
            byte[] row = get(Table.QUOTAS, key);
            if (row != null && before.get(key).isPresent()) {
                check(new InodeId(new RowReader(key).i64()), before.get(key).get(), Quotas.decode(row));
            }
        }
    }

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
            String path = Paths.find(this, Inodes.get(this, directory))
                    .map(p -> p.text())
                    .orElse("a deleted directory");
            throw new EcfsException(
                    ErrorCode.QUOTA_EXCEEDED,
                    "the quota of " + path + " (" + directory + ") is " + limit.get() + " " + what + ": there are "
                            + old + ", and it would come to " + now + "; delete something there, or raise the quota");
        }
    }

    @Override
    protected void changing(Table table, byte[] key, boolean deleted) {
        if (table == Table.QUOTAS && !before.containsKey(key)) {
            byte[] row = get(table, key);
            before.put(key.clone(), row == null ? Optional.empty() : Optional.of(Quotas.decode(row)));
        }
    }

    @Override
    public void commit() {
        throw new IllegalStateException("a call does not commit");
    }

    /** Does nothing: the transaction belongs to the caller of {@link #within}. */
    @Override
    public void close() {}
}
