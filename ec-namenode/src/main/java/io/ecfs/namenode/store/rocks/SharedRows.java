package io.ecfs.namenode.store.rocks;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.namenode.store.KeyValueStore.Table;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Rows that views read lately, for all views, so that the directories of a path are not looked up in the database for
 * each file below them. Bounded by bytes: rows are added to one generation, and when it is full it replaces the one
 * before it. Safe for use by several threads.
 *
 * <pre>
 *   commit n    begin: what it changes is evicted --&gt; database --&gt; end
 *   view at n   finds what a view at n or before added: had it changed since, it would have been evicted
 *               adds what it read, unless commit n + 1 has begun
 * </pre>
 */
final class SharedRows {
    private static final Set<Table> TABLES = Set.of(Table.META, Table.INODES, Table.ENTRIES, Table.GROUPS);

    private final long generationBytes;
    private volatile Map<Row, Added> young = new ConcurrentHashMap<>();
    private volatile Map<Row, Added> old = new ConcurrentHashMap<>();

    @GuardedBy("this")
    private long youngBytes;

    @GuardedBy("this")
    private long begun;

    @GuardedBy("this")
    private long ended;

    /**
     * When a view was opened.
     *
     * @param commit the last one that it certainly has
     * @param exact whether it certainly has no later one
     */
    record Moment(long commit, boolean exact) {}

    /** @param commit of the view that read it */
    private record Added(byte[] value, long commit) {}

    SharedRows(long mostBytes) {
        this.generationBytes = mostBytes / 2;
    }

    /** Opens a view; no commit begins or ends meanwhile. */
    synchronized <T> T open(Function<Moment, T> view) {
        return view.apply(new Moment(ended, begun == ended));
    }

    /** To be called before the database is changed, by the one writer. */
    synchronized void begin(Map<Table, NavigableMap<byte[], Optional<byte[]>>> changes) {
        begun++;
        changes.forEach((table, rows) -> {
            if (TABLES.contains(table)) {
                rows.keySet().forEach(key -> evict(new Row(table, key)));
            }
        });
    }

    @GuardedBy("this")
    private void evict(Row row) {
        young.remove(row); // its bytes stay counted until the generation is full
        old.remove(row);
    }

    /** The changes of {@link #begin} are committed. */
    synchronized void end() {
        ended++;
    }

    /** The database was replaced. */
    synchronized void clear() {
        begun++;
        ended++;
        young = new ConcurrentHashMap<>();
        old = new ConcurrentHashMap<>();
        youngBytes = 0;
    }

    /** The row as a view of that moment sees it; empty when that is not known. */
    Optional<byte[]> find(Row row, Moment moment) {
        Added added = young.get(row);
        if (added == null) {
            added = old.get(row);
        }
        return added == null || added.commit() > moment.commit() ? Optional.empty() : Optional.of(added.value());
    }

    /** Adds a row that a view of that moment has read from the database. */
    void add(Row row, byte[] value, Moment moment) {
        if (moment.exact() && TABLES.contains(row.table())) {
            addIfNewest(row, value, moment);
        }
    }

    private synchronized void addIfNewest(Row row, byte[] value, Moment moment) {
        if (begun != moment.commit()) {
            return;
        }
        if (youngBytes >= generationBytes) {
            old = young;
            young = new ConcurrentHashMap<>();
            youngBytes = 0;
        }
        young.put(row, new Added(value, moment.commit()));
        youngBytes += row.memoryBytes() + value.length;
    }
}
