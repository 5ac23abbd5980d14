package io.ecfs.namenode.namespace.inode;

import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.namenode.cluster.LevelInForce;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The table of leases, by file. */
public final class Leases {
    /** Without a user: of feature level 1. */
    private static final int OLDEST = 1;

    private static final int VERSION = 2;

    private Leases() {}

    public static Optional<Lease> find(View view, InodeId file) {
        byte[] row = view.get(Table.LEASES, Keys.number(file.value()));
        return row == null ? Optional.empty() : Optional.of(decode(file, row));
    }

    public static void put(Transaction transaction, Lease lease) {
        Quotas.leasing(transaction, lease.file(), lease.openGroup().isPresent());
        boolean named = lease.user().isPresent() && LevelInForce.reached(transaction, FeatureLevel.OF_USERS);
        RowWriter row = new RowWriter()
                .u8(named ? VERSION : OLDEST)
                .text(lease.holder())
                .i64(lease.sinceMillis())
                .u8(lease.recovering() ? 1 : 0)
                .number(lease.openGroup().map(GroupId::value).orElse(0L));
        if (named) {
            row.needs(FeatureLevel.OF_USERS).text(lease.user().get());
        }
        transaction.put(Table.LEASES, Keys.number(lease.file().value()), LevelInForce.within(transaction, row));
    }

    public static void delete(Transaction transaction, InodeId file) {
        Quotas.leasing(transaction, file, false);
        transaction.delete(Table.LEASES, Keys.number(file.value()));
    }

    /** Leases of the files after {@code after} (0: from the first), in file order. */
    public static List<Lease> page(View view, long after, int limit) {
        List<Lease> page = new ArrayList<>();
        view.scan(Table.LEASES, Keys.number(after + 1), null, (key, row) -> {
            page.add(decode(new InodeId(new RowReader(key).i64()), row));
            return page.size() < limit;
        });
        return page;
    }

    private static Lease decode(InodeId file, byte[] bytes) {
        RowReader row = new RowReader(bytes);
        int version = row.version(OLDEST, VERSION, "lease");
        String holder = row.text();
        long since = row.i64();
        boolean recovering = row.u8() == 1;
        long group = row.number();
        Optional<String> user = version == OLDEST ? Optional.empty() : Optional.of(row.text());
        row.end();
        return new Lease(
                file, holder, user, since, recovering, group == 0 ? Optional.empty() : Optional.of(new GroupId(group)));
    }
}
