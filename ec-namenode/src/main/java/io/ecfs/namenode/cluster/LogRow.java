package io.ecfs.namenode.cluster;

import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/**
 * The identity of the log that the facts come from, written by formatting and by the restore of a backup. A state that
 * was formatted before logs had identities has no such row; its log's identity follows from the cluster's id.
 */
public final class LogRow {
    private static final byte[] KEY = "log".getBytes(StandardCharsets.UTF_8);
    private static final int VERSION = 1;

    private LogRow() {}

    /** Empty before the cluster is formatted. */
    public static Optional<LogIdentity> find(View view) {
        Optional<String> cluster = ClusterIdentity.find(view).map(ClusterIdentity::clusterId);
        byte[] bytes = view.get(Table.META, KEY);
        if (cluster.isEmpty() || bytes == null) {
            return cluster.map(LogIdentity::ofCluster);
        }
        RowReader row = new RowReader(bytes);
        row.version(VERSION, "identity of the log");
        UUID log = UUID.fromString(row.text());
        row.end();
        return Optional.of(new LogIdentity(cluster.get(), log));
    }

    public static void put(Transaction transaction, UUID log) {
        transaction.put(
                Table.META,
                KEY,
                new RowWriter().u8(VERSION).text(log.toString()).bytes());
    }
}
