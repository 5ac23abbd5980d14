package io.ecfs.namenode.namespace.inode;

import io.ecfs.layout.InodeId;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The table of directory entries: (directory, name) to inode, names in the order of their UTF-8 bytes. */
public final class Directories {
    private Directories() {}

    public record Entry(String name, InodeId inode) {}

    public static Optional<InodeId> find(View view, InodeId directory, String name) {
        byte[] row = view.get(Table.ENTRIES, key(directory, name));
        return row == null ? Optional.empty() : Optional.of(new InodeId(new RowReader(row).number()));
    }

    public static void put(Transaction transaction, InodeId directory, String name, InodeId inode) {
        transaction.put(
                Table.ENTRIES,
                key(directory, name),
                new RowWriter().number(inode.value()).bytes());
    }

    public static void delete(Transaction transaction, InodeId directory, String name) {
        transaction.delete(Table.ENTRIES, key(directory, name));
    }

    /** Entries after the name {@code startAfter}, or from the first when it is empty. */
    public static List<Entry> page(View view, InodeId directory, String startAfter, int limit) {
        byte[] prefix = Keys.number(directory.value());
        byte[] from = startAfter.isEmpty() ? prefix : Keys.after(key(directory, startAfter));
        List<Entry> page = new ArrayList<>();
        view.scan(Table.ENTRIES, from, Keys.afterPrefix(prefix), (key, row) -> {
            String name = new String(key, prefix.length, key.length - prefix.length, StandardCharsets.UTF_8);
            page.add(new Entry(name, new InodeId(new RowReader(row).number())));
            return page.size() < limit;
        });
        return page;
    }

    public static boolean isEmpty(View view, InodeId directory) {
        return page(view, directory, "", 1).isEmpty();
    }

    private static byte[] key(InodeId directory, String name) {
        return new RowWriter()
                .i64(directory.value())
                .raw(name.getBytes(StandardCharsets.UTF_8))
                .bytes();
    }
}
