package io.ecfs.namenode.namespace;

import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.AclEntry;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The table of inodes. */
final class Inodes {
    private static final int VERSION = 1;
    private static final int DIRECTORY = 0;
    private static final int CLOSED_FILE = 1;
    private static final int OPEN_FILE = 2;

    /** In a row's mode: entries of an access control list follow. */
    private static final int LISTED = 010000;

    /** Their numbers in a row. */
    private static final List<AclEntry.Scope> SCOPES = List.of(AclEntry.Scope.ACCESS, AclEntry.Scope.DEFAULT);

    private static final List<AclEntry.Type> TYPES =
            List.of(AclEntry.Type.USER, AclEntry.Type.GROUP, AclEntry.Type.MASK, AclEntry.Type.OTHER);

    private Inodes() {}

    static Optional<Inode> find(View view, InodeId id) {
        byte[] row = view.get(Table.INODES, Keys.number(id.value()));
        return row == null ? Optional.empty() : Optional.of(decode(id, row));
    }

    /** For an inode that another row names. */
    static Inode get(View view, InodeId id) {
        return find(view, id).orElseThrow(() -> new IllegalStateException("inode " + id + " has no row"));
    }

    static void put(Transaction transaction, Inode inode) {
        Quotas.changing(transaction, inode);
        transaction.put(Table.INODES, Keys.number(inode.id().value()), encode(inode));
    }

    static void delete(Transaction transaction, InodeId id) {
        Quotas.deleting(transaction, id);
        XAttrs.deleteAll(transaction, id);
        transaction.delete(Table.INODES, Keys.number(id.value()));
    }

    private static byte[] encode(Inode inode) {
        Attributes attributes = inode.attributes();
        RowWriter row = new RowWriter()
                .u8(VERSION)
                .number(inode.parent().map(InodeId::value).orElse(0L))
                .text(inode.name())
                .number(attributes.mode() | (attributes.acl().isEmpty() ? 0 : LISTED))
                .text(attributes.owner())
                .text(attributes.group())
                .number(attributes.modifiedMillis())
                .number(attributes.accessedMillis());
        if (!attributes.acl().isEmpty()) {
            row.number(attributes.acl().size());
            attributes
                    .acl()
                    .forEach(e -> row.u8(SCOPES.indexOf(e.scope()) << 5 | TYPES.indexOf(e.type()) << 3 | e.bits())
                            .text(e.name()));
        }
        if (inode.body() instanceof Inode.File file) {
            row.u8(file.open() ? OPEN_FILE : CLOSED_FILE).text(file.policy().name());
            // File offsets follow from the lengths: extents have no holes.
            file.extents()
                    .forEach(e ->
                            row.number(e.length()).number(e.group().value()).number(e.groupOffset()));
            return row.bytes();
        }
        Inode.Directory directory = (Inode.Directory) inode.body();
        return row.u8(DIRECTORY)
                .text(directory.policy().map(Policy::name).orElse(""))
                .bytes();
    }

    private static Inode decode(InodeId id, byte[] bytes) {
        RowReader row = new RowReader(bytes);
        row.version(VERSION, "inode");
        long parent = row.number();
        String name = row.text();
        Attributes attributes = attributes(row);
        int kind = row.u8();
        Inode.Body body = kind == DIRECTORY ? directory(row) : file(kind == OPEN_FILE, row);
        row.end();
        return new Inode(id, parent == 0 ? Optional.empty() : Optional.of(new InodeId(parent)), name, attributes, body);
    }

    private static Attributes attributes(RowReader row) {
        int mode = row.smallNumber();
        Attributes plain =
                new Attributes(mode & Attributes.MAX_MODE, row.text(), row.text(), row.number(), row.number());
        if ((mode & LISTED) == 0) {
            return plain;
        }
        List<AclEntry> entries = new ArrayList<>();
        for (int left = row.smallNumber(); left > 0; left--) {
            int head = row.u8();
            entries.add(new AclEntry(SCOPES.get(head >> 5), TYPES.get(head >> 3 & 3), row.text(), head & 7));
        }
        return plain.with(new Acl.Stored(plain.mode(), entries));
    }

    private static Inode.Directory directory(RowReader row) {
        String policy = row.text();
        return new Inode.Directory(policy.isEmpty() ? Optional.empty() : Optional.of(Policy.parse(policy)));
    }

    private static Inode.File file(boolean open, RowReader row) {
        Policy policy = Policy.parse(row.text());
        List<Extent> extents = new ArrayList<>();
        long offset = 0;
        while (row.more()) {
            Extent extent = new Extent(offset, row.number(), new GroupId(row.number()), row.number());
            offset = extent.fileEnd();
            extents.add(extent);
        }
        return new Inode.File(policy, open, extents);
    }
}
