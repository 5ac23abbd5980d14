package io.ecfs.namenode.store.rocks;

import io.ecfs.namenode.store.KeyValueStore.Table;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Committed rows that transactions read or wrote of late, so that the rows which every command needs (the root, the
 * directory it works in, counters, who the cluster is) are not looked up in the database each time; nor those that do
 * not exist, such as counters of what a cluster never had. Only the one writer of the store uses it; what the
 * writer does not know it leaves out. Bounded by bytes, the longest unused go first.
 */
final class RecentRows {
    /** Tables whose rows are read soon after they were written; of others only rows that were read are cached. */
    private static final Set<Table> READ_AFTER_WRITE =
            Set.of(Table.META, Table.INODES, Table.ENTRIES, Table.GROUPS, Table.LEASES, Table.DATANODES);

    /** Memory of a row beside key and value. */
    private static final int ROW_OVERHEAD = 150;

    private final long mostBytes;
    private final LinkedHashMap<Row, Optional<byte[]>> rows = new LinkedHashMap<>(1024, 0.75f, true);
    private long bytes;

    private record Row(Table table, byte[] key) {
        private static final int FNV_BASIS = 0x811C9DC5;
        private static final int FNV_PRIME = 0x01000193;

        @Override
        public boolean equals(Object other) {
            return other instanceof Row that && table == that.table && Arrays.equals(key, that.key);
        }

        /**
         * FNV-1a: keys are short and differ in few bits, and the factor of {@link Arrays#hashCode} lets many of them
         * collide.
         */
        @Override
        public int hashCode() {
            int hash = FNV_BASIS ^ table.hashCode();
            for (byte b : key) {
                hash = (hash ^ b) * FNV_PRIME;
            }
            return hash;
        }
    }

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
        return (long) ROW_OVERHEAD
                + row.key().length
                + value.map(bytes -> bytes.length).orElse(0);
    }
}
