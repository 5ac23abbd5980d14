package io.ecfs.namenode.store;

import java.nio.file.Path;

/**
 * Tables of ordered byte strings. One writer thread at a time begins, commits, checkpoints and installs; readers from
 * any thread see committed state only. A disk that fails makes any call throw {@link StoreFailure}.
 */
public interface KeyValueStore extends AutoCloseable {

    /** Column families. The names are part of the disk format. */
    enum Table {
        META,
        INODES,
        ENTRIES,
        GROUPS,
        CHUNKS_BY_VOLUME,
        LEASES,
        PENDING_DELETIONS,
        GARBAGE,
        DATANODES,
        RETRIES,
        EVENTS,
        REPAIRS,
        INCIDENTS,
        XATTRS,
        QUOTAS,
        PACKED_FILES,
        REWRITES,
        CONVERSIONS
    }

    /** A consistent view, not touched by later commits and installs; close it. For one thread. */
    View view();

    /**
     * Begins a transaction that sees its own writes; nothing is visible to others, or durable, before {@link
     * Transaction#commit}.
     */
    Transaction begin();

    /**
     * Writes a self-contained copy of the committed state into a directory that does not exist yet. What was committed
     * before is durable in this store, too, when the call returns; at any other time a crash may take the newest
     * commits back, in order and whole.
     */
    void checkpoint(Path directory);

    /** Replaces all content by a checkpoint; a crash leaves the old or the new. */
    void install(Path directory);

    @Override
    void close();

    /** Reading: unsigned lexicographic key order. */
    interface View extends AutoCloseable {
        /** Null when there is no such key. */
        byte[] get(Table table, byte[] key);

        /** Visits keys in [from, to), in order, until the visitor returns false; {@code to} null: to the end. */
        void scan(Table table, byte[] from, byte[] to, Visitor visitor);

        @Override
        void close();
    }

    /** Sees one pair. */
    interface Visitor {
        /**
         * The arrays belong to the store: read, do not change.
         *
         * @return true to go on
         */
        boolean visit(byte[] key, byte[] value);
    }

    /** Reading and writing; commit is atomic over all tables. */
    interface Transaction extends View {
        void put(Table table, byte[] key, byte[] value);

        void delete(Table table, byte[] key);

        /**
         * Shows each row that was put or deleted so far, in the order of tables and keys, beside what was there before.
         */
        void changes(ChangeVisitor visitor);

        /** Opens a savepoint. Savepoints nest: the newest is released or closed first, all before the commit. */
        Savepoint savepoint();

        void commit();
    }

    /** A point in a transaction to which it can go back (SQL: SAVEPOINT). Its close undoes all changes since. */
    interface Savepoint extends AutoCloseable {
        /** Shows each row that was put or deleted since, in the order of tables and keys, beside what it was then. */
        void changes(ChangeVisitor visitor);

        /** Keeps the changes: its close undoes nothing any more. */
        void release();

        @Override
        void close();
    }

    /** Sees one row that changes. */
    interface ChangeVisitor {
        /**
         * @param before null: there was none; {@code after} null: there is none any more. Read the arrays, do not
         *     change them
         */
        void change(Table table, byte[] key, byte[] before, byte[] after);
    }
}
