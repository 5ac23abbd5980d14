package io.ecfs.namenode.store;

import io.ecfs.error.Invariant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Changes on top of a view that is itself unchanged meanwhile: a transaction before it commits, or a savepoint within
 * one. Reads see the changes. Owned by one thread.
 */
public final class Overlay implements KeyValueStore.Transaction {
    private final KeyValueStore.View below;
    private final Sink sink;
    /** An empty value: deleted. Tables without changes have no map: most transactions and savepoints touch few. */
    private final Map<KeyValueStore.Table, NavigableMap<byte[], Optional<byte[]>>> changes =
            new EnumMap<>(KeyValueStore.Table.class);

    private boolean done;

    /** Takes the changes on commit, all or nothing, ordered by table and key. */
    public interface Sink {
        void accept(Map<KeyValueStore.Table, NavigableMap<byte[], Optional<byte[]>>> changes);
    }

    /** @param below is closed with this transaction */
    public Overlay(KeyValueStore.View below, Sink sink) {
        this.below = below;
        this.sink = sink;
    }

    /** A savepoint: its commit writes into {@code transaction}, its close without commit leaves no trace there. */
    public static Overlay savepoint(KeyValueStore.Transaction transaction) {
        return new Overlay(
                new Borrowed(transaction),
                all -> all.forEach((table, rows) -> rows.forEach((key, value) -> value.ifPresentOrElse(
                        v -> transaction.put(table, key, v), () -> transaction.delete(table, key)))));
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
        Invariant.check(!done, "put after commit");
        changed(table).put(key, Optional.of(value));
    }

    @Override
    public void delete(KeyValueStore.Table table, byte[] key) {
        Invariant.check(!done, "delete after commit");
        changed(table).put(key, Optional.empty());
    }

    private NavigableMap<byte[], Optional<byte[]>> changed(KeyValueStore.Table table) {
        return changes.computeIfAbsent(table, t -> new TreeMap<>(Arrays::compareUnsigned));
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
        Invariant.check(!done, "second commit");
        done = true;
        sink.accept(changes);
    }

    @Override
    public void close() {
        below.close();
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

    /** A view that outlives its borrower. */
    private record Borrowed(KeyValueStore.View view) implements KeyValueStore.View {
        @Override
        public byte[] get(KeyValueStore.Table table, byte[] key) {
            return view.get(table, key);
        }

        @Override
        public void scan(KeyValueStore.Table table, byte[] from, byte[] to, KeyValueStore.Visitor visitor) {
            view.scan(table, from, to, visitor);
        }

        @Override
        public void close() {
            // The owner closes it.
        }
    }
}
