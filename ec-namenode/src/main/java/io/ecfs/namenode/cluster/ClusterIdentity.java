package io.ecfs.namenode.cluster;

import io.ecfs.layout.Policy;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Identity of the cluster, fixed when it is formatted.
 * @param owner the superuser, beside the members of the group {@link #SUPERGROUP}
 */
public record ClusterIdentity(String clusterId, String owner, Policy defaultPolicy, long formattedMillis) {
    /** Members may do everything; the group of the root directory (HDFS: dfs.permissions.superusergroup). */
    public static final String SUPERGROUP = "supergroup";

    private static final byte[] KEY = "identity".getBytes(StandardCharsets.UTF_8);
    private static final int VERSION = 1;

    /** Empty before the cluster is formatted. */
    public static Optional<ClusterIdentity> find(View view) {
        byte[] bytes = view.get(Table.META, KEY);
        if (bytes == null) {
            return Optional.empty();
        }
        RowReader row = new RowReader(bytes);
        row.version(VERSION, "cluster identity");
        ClusterIdentity identity = new ClusterIdentity(row.text(), row.text(), Policy.parse(row.text()), row.i64());
        row.end();
        return Optional.of(identity);
    }

    /** Returns whether a user has the rights of the superuser. */
    public boolean superuser(String user, List<String> groups) {
        return user.equals(owner) || groups.contains(SUPERGROUP);
    }

    public void put(Transaction transaction) {
        transaction.put(
                Table.META,
                KEY,
                new RowWriter()
                        .u8(VERSION)
                        .text(clusterId)
                        .text(owner)
                        .text(defaultPolicy.name())
                        .i64(formattedMillis)
                        .bytes());
    }
}
