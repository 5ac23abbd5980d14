package io.ecfs.namenode.state;

import io.ecfs.layout.GroupId;
import io.ecfs.namenode.group.Groups;
import io.ecfs.namenode.group.StoredChunk;
import io.ecfs.namenode.store.KeyValueStore.ChangeVisitor;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.Visitor;
import java.util.TreeSet;

/** A transaction that remembers which groups it writes and which chunks it takes out of the index by volume. */
final class ChangeRecorder implements Transaction {
    private final Transaction transaction;
    private final TreeSet<GroupId> groups = new TreeSet<>();
    private final TreeSet<StoredChunk> unplaced = new TreeSet<>();

    ChangeRecorder(Transaction transaction) {
        this.transaction = transaction;
    }

    GroupChanges changes() {
        return new GroupChanges(groups, unplaced);
    }

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
        noteGroup(table, key);
        transaction.put(table, key, value);
    }

    @Override
    public void delete(Table table, byte[] key) {
        noteGroup(table, key);
        if (table == Table.CHUNKS_BY_VOLUME) {
            unplaced.add(Groups.placedBy(key));
        }
        transaction.delete(table, key);
    }

    private void noteGroup(Table table, byte[] key) {
        if (table == Table.GROUPS) {
            groups.add(Groups.namedBy(key));
        }
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
