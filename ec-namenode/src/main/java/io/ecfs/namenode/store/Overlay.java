package io.ecfs.namenode.store;

import io.ecfs.error.Invariant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The changes of a transaction before it commits, on top of a view that is itself unchanged meanwhile. Reads see the
 * changes. While a savepoint is open an undo list has what each change replaced. Owned by one thread.
 */
public final class Overlay implements KeyValueStore.Transaction {
    private final KeyValueStore.View below;
    private final Sink sink;
    /** An empty value: deleted. Tables without changes have no map: most transactions touch few. */
    private final Map<KeyValueStore.Table, NavigableMap<byte[], Optional<byte[]>>> changes =
            new EnumMap<>(KeyValueStore.Table.class);

    private final List<Undo> undo = new ArrayList<>();
    private int savepoints;
    private boolean done;

    /** @param before what {@link #changes} had of the row; null: nothing */
    private record Undo(KeyValueStore.Table table, byte[] key, Optional<byte[]> before) {}

    /** Takes the changes on commit, all or nothing, ordered by table and key. */
    public interface Sink {
        void accept(Map<KeyValueStore.Table, NavigableMap<byte[], Optional<byte[]>>> changes);
    }

    /** @param below is closed with this transaction */
    public Overlay(KeyValueStore.View below, Sink sink) {
        this.below = below;
        this.sink = sink;
    }

    @Override
    public byte[] get(KeyValueStore.Table table, byte[] key) {
        NavigableMap<byte[], Optional<byte[]>> rows = changes.get(table);
        Optional<byte[]> changed = rows == null ? null : rows.get(key);
        return changed == null ? below.get(table, key) : changed.orElse(null);
    }

    /** True when the key was put or deleted here. */
    boolean holds(KeyValueStore.Table table, byte[] key) {
        return changes.containsKey(table) && changes.get(table).containsKey(key);
    }

    @Override
    public void put(KeyValueStore.Table table, byte[] key, byte[] value) {
        change(table, key, Optional.of(value));
    }

    @Override
    public void delete(KeyValueStore.Table table, byte[] key) {
        change(table, key, Optional.empty());
    }

    private void change(KeyValueStore.Table table, byte[] key, Optional<byte[]> value) {
        Invariant.check(!done, "change after commit");
        Optional<byte[]> before = changes.computeIfAbsent(table, t -> new TreeMap<>(Arrays::compareUnsigned))
                .put(key, value);
        if (savepoints > 0) {
            undo.add(new Undo(table, key, before));
        }
    }

    @Override
    public KeyValueStore.Savepoint savepoint() {
        return new UndoMark();
    }

    /** Changes by the visitor are not visible to the scan that calls it. */
    @Override
    public void scan(KeyValueStore.Table table, byte[] from, byte[] to, KeyValueStore.Visitor visitor) {
        if (to != null && Arrays.compareUnsigned(from, to) >= 0) {
            return;
        }
        NavigableMap<byte[], Optional<byte[]>> rows = changes.get(table);
        if (rows == null) {
            below.scan(table, from, to, visitor);
            return;
        }
        NavigableMap<byte[], Optional<byte[]>> range =
                to == null ? rows.tailMap(from, true) : rows.subMap(from, true, to, false);
        if (range.isEmpty()) {
            below.scan(table, from, to, visitor);
            return;
        }
        NavigableMap<byte[], Optional<byte[]>> copy = new TreeMap<>(range);
        Merge merge = new Merge(copy, visitor);
        below.scan(table, from, to, merge);
        merge.finish();
    }

    @Override
    public void changes(KeyValueStore.ChangeVisitor visitor) {
        changes.forEach((table, rows) ->
                rows.forEach((key, value) -> visitor.change(table, key, below.get(table, key), value.orElse(null))));
    }

    @Override
    public void commit() {
        Invariant.check(!done && savepoints == 0, "second commit, or a savepoint is open");
        done = true;
        sink.accept(changes);
    }

    @Override
    public void close() {
        below.close();
    }

    /** A place in the undo list. */
    private final class UndoMark implements KeyValueStore.Savepoint {
        private final int start = undo.size();
        private final int depth = ++savepoints;
        private boolean open = true;

        @Override
        public void changes(KeyValueStore.ChangeVisitor visitor) {
            Map<KeyValueStore.Table, NavigableMap<byte[], Undo>> first = new EnumMap<>(KeyValueStore.Table.class);
            for (Undo change : undo.subList(start, undo.size())) {
                first.computeIfAbsent(change.table(), t -> new TreeMap<>(Arrays::compareUnsigned))
                        .putIfAbsent(change.key(), change);
            }
            first.forEach((table, rows) -> rows.forEach((key, change) -> visitor.change(
                    table,
                    key,
                    change.before() == null
                            ? below.get(table, key)
                            : change.before().orElse(null),
                    get(table, key))));
        }

        @Override
        public void release() {
            Invariant.check(open && depth == savepoints, "savepoint %s of %s is not the newest", depth, savepoints);
            open = false;
            savepoints--;
            if (savepoints == 0) {
                undo.clear();
            }
        }

        @Override
        public void close() {
            if (!open) {
                return;
            }
            for (int i = undo.size() - 1; i >= start; i--) {
                Undo change = undo.remove(i);
                if (change.before() == null) {
                    changes.get(change.table()).remove(change.key());
                } else {
                    changes.get(change.table()).put(change.key(), change.before());
                }
            }
            release();
        }
    }

    /** Interleaves the changes with the rows below, both in key order. */
    private static final class Merge implements KeyValueStore.Visitor {
        private final Iterator<Map.Entry<byte[], Optional<byte[]>>> changed;
        private final KeyValueStore.Visitor visitor;
        private Map.Entry<byte[], Optional<byte[]>> next;
        private boolean stopped;

        Merge(NavigableMap<byte[], Optional<byte[]>> changed, KeyValueStore.Visitor visitor) {
            this.changed = changed.entrySet().iterator();
            this.visitor = visitor;
            advance();
        }

        @Override
        public boolean visit(byte[] key, byte[] value) {
            while (!stopped && next != null && Arrays.compareUnsigned(next.getKey(), key) < 0) {
                emitChange();
            }
            if (stopped) {
                return false;
            }
            if (next != null && Arrays.equals(next.getKey(), key)) {
                emitChange();
            } else {
                stopped = !visitor.visit(key, value);
            }
            return !stopped;
        }

        void finish() {
            while (!stopped && next != null) {
                emitChange();
            }
        }

        private void emitChange() {
            Map.Entry<byte[], Optional<byte[]>> change = next;
            advance();
            change.getValue().ifPresent(value -> stopped = !visitor.visit(change.getKey(), value));
        }

        private void advance() {
            next = changed.hasNext() ? changed.next() : null;
        }
    }
}
