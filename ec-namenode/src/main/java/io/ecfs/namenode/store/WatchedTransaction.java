package io.ecfs.namenode.store;

import io.ecfs.namenode.store.KeyValueStore.ChangeVisitor;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.Visitor;

/** A transaction that passes all calls on to another one and sees which rows are about to change. */
public abstract class WatchedTransaction implements Transaction {
    private final Transaction transaction;

    protected WatchedTransaction(Transaction transaction) {
        this.transaction = transaction;
    }

    /** Runs before the row is put or, if {@code deleted}, deleted. */
    protected abstract void changing(Table table, byte[] key, boolean deleted);

    @Override
    public byte[] get(Table table, byte[] key) {
        return transaction.get(table, key);
    }

    @Override
    public void scan(Table table, byte[] from, byte[] to, Visitor visitor) {
        transaction.scan(table, from, to, visitor);
    }

    @Override
    public void put(Table table, byte[] key, byte[] value) {
        changing(table, key, false);
        transaction.put(table, key, value);
    }

    @Override
    public void delete(Table table, byte[] key) {
        changing(table, key, true);
        transaction.delete(table, key);
    }

    @Override
    public void changes(ChangeVisitor visitor) {
        transaction.changes(visitor);
    }

    @Override
    public void commit() {
        transaction.commit();
    }

    @Override
    public void close() {
        transaction.close();
    }
}
