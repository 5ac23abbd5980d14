package io.ecfs.namenode.namespace.inode;

import io.ecfs.layout.InodeId;
import io.ecfs.namenode.cluster.LevelInForce;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.Optional;

/** The table of inodes. */
public final class Inodes {
    private Inodes() {}

    public static Optional<Inode> find(View view, InodeId id) {
        byte[] row = view.get(Table.INODES, Keys.number(id.value()));
        return row == null ? Optional.empty() : Optional.of(InodeForm.read(id, row));
    }

    /** For an inode that another row names. */
    public static Inode get(View view, InodeId id) {
        return find(view, id).orElseThrow(() -> new IllegalStateException("inode " + id + " has no row"));
    }

    public static void put(Transaction transaction, Inode inode) {
        Quotas.changing(transaction, inode);
        byte[] row = LevelInForce.within(transaction, InodeForm.write(inode));
        transaction.put(Table.INODES, Keys.number(inode.id().value()), row);
    }

    public static void delete(Transaction transaction, InodeId id) {
        Quotas.deleting(transaction, id);
        XAttrs.deleteAll(transaction, id);
        transaction.delete(Table.INODES, Keys.number(id.value()));
    }
}
