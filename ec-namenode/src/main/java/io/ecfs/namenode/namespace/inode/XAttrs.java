package io.ecfs.namenode.namespace.inode;

import io.ecfs.layout.InodeId;
import io.ecfs.message.namespace.XAttr;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The table of extended attributes: (inode, name) to value. */
public final class XAttrs {
    private XAttrs() {}

    public static Optional<XAttr> find(View view, InodeId inode, String name) {
        return Optional.ofNullable(view.get(Table.XATTRS, key(inode, name))).map(value -> new XAttr(name, value));
    }

    /** In the order of their names. */
    public static List<XAttr> all(View view, InodeId inode) {
        byte[] prefix = Keys.number(inode.value());
        List<XAttr> found = new ArrayList<>();
        view.scan(Table.XATTRS, prefix, Keys.afterPrefix(prefix), (key, value) -> {
            String name = new String(key, prefix.length, key.length - prefix.length, StandardCharsets.UTF_8);
            found.add(new XAttr(name, value));
            return true;
        });
        return found;
    }

    public static void put(Transaction transaction, InodeId inode, XAttr attribute) {
        if (find(transaction, inode, attribute.name()).isEmpty()) {
            Counter.XATTRS.add(transaction, 1);
        }
        transaction.put(Table.XATTRS, key(inode, attribute.name()), attribute.value());
    }

    public static void delete(Transaction transaction, InodeId inode, String name) {
        Counter.XATTRS.add(transaction, -1);
        transaction.delete(Table.XATTRS, key(inode, name));
    }

    static void deleteAll(Transaction transaction, InodeId inode) {
        if (Counter.XATTRS.of(transaction) > 0) {
            all(transaction, inode).forEach(attribute -> delete(transaction, inode, attribute.name()));
        }
    }

    private static byte[] key(InodeId inode, String name) {
        return new RowWriter()
                .i64(inode.value())
                .raw(name.getBytes(StandardCharsets.UTF_8))
                .bytes();
    }
}
