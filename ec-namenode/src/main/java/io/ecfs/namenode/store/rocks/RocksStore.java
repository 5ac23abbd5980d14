package io.ecfs.namenode.store.rocks;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.error.Invariant;
import io.ecfs.namenode.store.KeyValueStore;
import io.ecfs.namenode.store.Overlay;
import io.ecfs.namenode.store.StoreFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store in RocksDB, one column family a table. Commits skip RocksDB's own log, because the replicated log is one
 * already: all column families are flushed together (atomic flush), so that after a crash the store is at an earlier
 * commit, whole. Checkpoint, install and close flush.
 *
 * <p>Several databases may live under the store's directory for a moment: {@link StoreDirectory} names the one that is
 * the store. An install opens the new one, points to it, and closes the old one with its last view.
 */
public final class RocksStore implements KeyValueStore {
    private static final Logger LOG = LoggerFactory.getLogger(RocksStore.class);

    private static final long RECENT_BYTES = 8L << 20;
    private static final long SHARED_BYTES = 8L << 20;

    private final StoreDirectory directory;
    private final RocksSettings settings;

    @GuardedBy("this")
    private RocksTables tables;

    private final RecentRows recent = new RecentRows(RECENT_BYTES);
    private final SharedRows shared = new SharedRows(SHARED_BYTES);

    @GuardedBy("this")
    private boolean closed;

    /**
     * Opens or makes the store under {@code directory}.
     *
     * @throws StoreFailure when it cannot be opened: damaged, in use by another process, or the disk fails
     */
    public RocksStore(Path directory, RocksSettings settings) {
        this.settings = settings;
        try {
            this.directory = StoreDirectory.open(directory);
            this.tables = RocksTables.open(this.directory.current(), settings);
        } catch (IOException | RocksDBException e) {
            throw RocksTables.failure("open", directory, e);
        }
    }

    /** Under the lock, so that the view is of the database that the rows are of. */
    @Override
    public synchronized View view() {
        RocksTables borrowed = borrow();
        return shared.open(moment -> new ReaderView(RocksView.snapshot(borrowed), shared, moment));
    }

    @Override
    public synchronized Transaction begin() {
        Invariant.check(!closed, "the store in %s is closed", directory);
        return new Overlay(new WriterView(recent, () -> RocksView.latest(borrow())), this::write);
    }

    private synchronized RocksTables borrow() {
        Invariant.check(!closed, "the store in %s is closed", directory);
        return tables.borrow();
    }

    private void write(Map<Table, NavigableMap<byte[], Optional<byte[]>>> changes) {
        RocksTables into = borrow();
        shared.begin(changes);
        try (WriteBatch batch = new WriteBatch()) {
            for (Map.Entry<Table, NavigableMap<byte[], Optional<byte[]>>> table : changes.entrySet()) {
                for (Map.Entry<byte[], Optional<byte[]>> row : table.getValue().entrySet()) {
                    if (row.getValue().isPresent()) {
                        batch.put(
                                into.family(table.getKey()),
                                row.getKey(),
                                row.getValue().get());
                    } else {
                        batch.delete(into.family(table.getKey()), row.getKey());
                    }
                }
            }
            into.write(batch);
            shared.end();
            changes.forEach((table, rows) -> rows.forEach((key, value) -> recent.written(table, key, value)));
        } catch (RocksDBException e) {
            throw RocksTables.failure("write to", directory.current(), e);
        } finally {
            into.release();
        }
    }

    @Override
    public void checkpoint(Path target) {
        if (Files.exists(target)) {
            throw new IllegalArgumentException("checkpoint " + target + " exists already");
        }
        RocksTables from = borrow();
        try {
            from.checkpoint(target);
        } catch (RocksDBException e) {
            throw RocksTables.failure("write a checkpoint of", directory.current(), e);
        } finally {
            from.release();
        }
    }

    @Override
    public synchronized void install(Path checkpoint) {
        Invariant.check(!closed, "the store in %s is closed", directory);
        try {
            Path copy = directory.copy(checkpoint);
            RocksTables fresh = RocksTables.open(copy, settings);
            directory.pointTo(copy);
            Path before = tables.path();
            tables.whenClosed(() -> directory.remove(before));
            tables.release();
            tables = fresh;
            recent.clear();
            shared.clear();
            LOG.info("event=store_installed from={} to={}", checkpoint, copy);
        } catch (IOException | RocksDBException e) {
            throw RocksTables.failure("install " + checkpoint + " into", directory.current(), e);
        }
    }

    /** Flushes, then closes when the last view is closed. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            tables.flush();
        } catch (RocksDBException e) {
            // Nothing is lost: the log applies again what the flush did not keep.
            LOG.warn("event=store_close_flush_failed directory={} reason={}", directory, e.getMessage());
        }
        tables.release();
    }
}
