package io.ecfs.namenode.group;

import io.ecfs.layout.GroupId;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The rewrites under way: open groups that a datanode fills with bytes of others, by group. Where the pieces lie in the
 * new group follows from them: {@link RewriteLayout}. A leader that takes over finds here what its predecessor began.
 */
public final class Rewrites {
    private static final int VERSION = 1;

    private Rewrites() {}

    /** The pieces of a rewrite under way. */
    public static Optional<List<RewritePiece>> find(View view, GroupId group) {
        byte[] bytes = view.get(Table.REWRITES, Keys.number(group.value()));
        if (bytes == null) {
            return Optional.empty();
        }
        RowReader row = new RowReader(bytes);
        row.version(VERSION, VERSION, "rewrite");
        List<RewritePiece> pieces = row.list(RewritePiece::read);
        row.end();
        return Optional.of(pieces);
    }

    /** The groups of the rewrites under way, in their order, at most so many. */
    public static List<GroupId> groups(View view, int limit) {
        List<GroupId> groups = new ArrayList<>();
        view.scan(Table.REWRITES, new byte[0], null, (key, row) -> {
            groups.add(Groups.namedBy(key));
            return groups.size() < limit;
        });
        return groups;
    }

    public static void put(Transaction transaction, GroupId group, List<RewritePiece> pieces) {
        transaction.put(
                Table.REWRITES,
                Keys.number(group.value()),
                new RowWriter().u8(VERSION).list(pieces, RewritePiece::write).bytes());
    }

    public static void delete(Transaction transaction, GroupId group) {
        transaction.delete(Table.REWRITES, Keys.number(group.value()));
    }
}
