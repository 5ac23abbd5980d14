package io.ecfs.namenode.store.rocks;

import io.ecfs.namenode.store.KeyValueStore.Table;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Committed rows that transactions recently read or wrote, so that the rows which every command needs (the root, the
 * directory it works in, counters, who the cluster is) are not looked up in the database each time; nor those that do
 * not exist, such as counters of what a cluster never had. Only the one writer of the store uses it; what the
 * writer does not know it leaves out. Bounded by bytes, the longest unused go first.
 */
final class RecentRows {
    /** Tables whose rows are read soon after they were written; of others only rows that were read are cached. */
    private static final Set<Table> READ_AFTER_WRITE =
            Set.of(Table.META, Table.INODES, Table.ENTRIES, Table.GROUPS, Table.LEASES, Table.DATANODES, Table.RETRIES);

    private final long mostBytes;
    private final LinkedHashMap<Row, Optional<byte[]>> rows = new LinkedHashMap<>(1024, 0.75f, true);
    private long bytes;

    RecentRows(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** Null when it is not known whether it exists; an empty value: it does not. */
    Optional<byte[]> get(Table table, byte[] key) {
        return rows.get(new Row(table, key));
    }

    /** A committed row was read; an empty value: there was none. */
    void read(Table table, byte[] key, Optional<byte[]> value) {
        put(new Row(table, key), value);
    }

    /** A row was committed; an empty value: it is gone. */
    void written(Table table, byte[] key, Optional<byte[]> value) {
        Row row = new Row(table, key);
        if (value.isPresent() && READ_AFTER_WRITE.contains(table)) {
            put(row, value);
        } else {
            Optional<byte[]> before = rows.remove(row);
            bytes -= before == null ? 0 : size(row, before);
        }
    }

    private void put(Row row, Optional<byte[]> value) {
        Optional<byte[]> before = rows.put(row, value);
        bytes += size(row, value) - (before == null ? 0 : size(row, before));
        while (bytes > mostBytes) {
            Map.Entry<Row, Optional<byte[]>> eldest = rows.entrySet().iterator().next();
            bytes -= size(eldest.getKey(), eldest.getValue());
            rows.remove(eldest.getKey());
        }
    }

    void clear() {
        rows.clear();
        bytes = 0;
    }

    private static long size(Row row, Optional<byte[]> value) {
        return row.memoryBytes() + value.map(bytes -> bytes.length).orElse(0);
    }
}
