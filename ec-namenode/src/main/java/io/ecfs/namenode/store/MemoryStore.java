package io.ecfs.namenode.store;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.error.Invariant;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sorted maps, for simulation and tests. Checkpoints do not touch a disk: they lie on a {@link Shelf} under the path
 * they were given, and stores that share a shelf can install each other's.
 *
 * <p>A view stays as it was because every commit hands the rows it is about to change to the open views first.
 * Visitors run outside of this store's monitor.
 */
public final class MemoryStore implements KeyValueStore {
    private static final int SCAN_PAGE = 256;

    private final Shelf shelf;

    @GuardedBy("this")
    private final Set<Snapshot> open = new HashSet<>();

    @GuardedBy("this")
    private Map<Table, NavigableMap<byte[], byte[]>> tables = empty();

    @GuardedBy("this")
    private boolean closed;

    /** Storage of checkpoints. Safe for use by many threads. */
    public static final class Shelf {
        private final Map<Path, Map<Table, NavigableMap<byte[], byte[]>>> checkpoints = new ConcurrentHashMap<>();
    }

    public MemoryStore() {
        this(new Shelf());
    }

    public MemoryStore(Shelf shelf) {
        this.shelf = shelf;
    }

    @Override
    public synchronized View view() {
        checkOpen();
        Snapshot snapshot = new Snapshot(new Live(tables));
        open.add(snapshot);
        return snapshot;
    }

    @Override
    public synchronized Transaction begin() {
        checkOpen();
        return new Overlay(new Live(tables), this::apply);
    }

    @Override
    public synchronized void checkpoint(Path directory) {
        checkOpen();
        if (shelf.checkpoints.putIfAbsent(directory, copy(tables)) != null) {
            throw new IllegalArgumentException("checkpoint " + directory + " exists already");
        }
    }

    @Override
    public synchronized void install(Path directory) {
        checkOpen();
        Map<Table, NavigableMap<byte[], byte[]>> checkpoint = shelf.checkpoints.get(directory);
        if (checkpoint == null) {
            throw new IllegalArgumentException("no checkpoint at " + directory);
        }
        // Open views retain the old tables, which no longer change.
        open.clear();
        tables = copy(checkpoint);
    }

    @Override
    public synchronized void close() {
        closed = true;
    }

    private synchronized void apply(Map<Table, NavigableMap<byte[], Optional<byte[]>>> changes) {
        checkOpen();
        changes.forEach((table, rows) -> {
            NavigableMap<byte[], byte[]> live = tables.get(table);
            rows.forEach((key, value) -> {
                open.forEach(view -> view.keep(table, key, live.get(key)));
                value.ifPresentOrElse(v -> live.put(key, v), () -> live.remove(key));
            });
        });
    }

    @GuardedBy("this")
    private void checkOpen() {
        Invariant.check(!closed, "the store is closed");
    }

    private static Map<Table, NavigableMap<byte[], byte[]>> empty() {
        Map<Table, NavigableMap<byte[], byte[]>> tables = new EnumMap<>(Table.class);
        for (Table table : Table.values()) {
            tables.put(table, new TreeMap<>(Arrays::compareUnsigned));
        }
        return tables;
    }

    private static Map<Table, NavigableMap<byte[], byte[]>> copy(Map<Table, NavigableMap<byte[], byte[]>> from) {
        Map<Table, NavigableMap<byte[], byte[]>> to = empty();
        from.forEach((table, rows) -> to.get(table).putAll(rows));
        return to;
    }

    /** The tables as they are. */
    private record Live(Map<Table, NavigableMap<byte[], byte[]>> tables) implements View {
        @Override
        public byte[] get(Table table, byte[] key) {
            return tables.get(table).get(key);
        }

        @Override
        public void scan(Table table, byte[] from, byte[] to, Visitor visitor) {
            NavigableMap<byte[], byte[]> rows = tables.get(table);
            if (to != null && Arrays.compareUnsigned(from, to) >= 0) {
                return;
            }
            for (Map.Entry<byte[], byte[]> row :
                    (to == null ? rows.tailMap(from, true) : rows.subMap(from, to)).entrySet()) {
                if (!visitor.visit(row.getKey(), row.getValue())) {
                    return;
                }
            }
        }

        @Override
        public void close() {
            // Nothing to release.
        }
    }

    /** The tables as they were: the live ones under the rows saved before later commits. */
    private final class Snapshot implements View {
        private final Overlay then;

        Snapshot(Live live) {
            then = new Overlay(live, changes -> {
                throw new IllegalStateException("a view is not written");
            });
        }

        /** @param before null: there was none */
        void keep(Table table, byte[] key, byte[] before) {
            if (then.holds(table, key)) {
                return;
            }
            if (before == null) {
                then.delete(table, key);
            } else {
                then.put(table, key, before);
            }
        }

        @Override
        public byte[] get(Table table, byte[] key) {
            synchronized (MemoryStore.this) {
                return then.get(table, key);
            }
        }

        @Override
        public void scan(Table table, byte[] from, byte[] to, Visitor visitor) {
            byte[] start = from;
            List<Map.Entry<byte[], byte[]>> page;
            do {
                page = page(table, start, to);
                for (Map.Entry<byte[], byte[]> row : page) {
                    if (!visitor.visit(row.getKey(), row.getValue())) {
                        return;
                    }
                    start = Arrays.copyOf(row.getKey(), row.getKey().length + 1);
                }
            } while (page.size() == SCAN_PAGE);
        }

        private List<Map.Entry<byte[], byte[]>> page(Table table, byte[] from, byte[] to) {
            List<Map.Entry<byte[], byte[]>> page = new ArrayList<>();
            synchronized (MemoryStore.this) {
                then.scan(table, from, to, (key, value) -> {
                    page.add(Map.entry(key, value));
                    return page.size() < SCAN_PAGE;
                });
            }
            return page;
        }

        @Override
        public void close() {
            synchronized (MemoryStore.this) {
                open.remove(this);
            }
        }
    }
}
