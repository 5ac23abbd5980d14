package io.ecfs.namenode.store.rocks;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.error.Invariant;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.StoreFailure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.RocksObject;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * One open database. Counted: it closes when its last borrower has released it, since native code must not be called
 * after that. Everything native is closed in the reverse order of its making.
 */
final class RocksTables {
    private static final double BLOOM_BITS_PER_KEY = 10;
    private static final int KEPT_INFO_LOGS = 2;
    private static final long INFO_LOG_BYTES = 4L * 1024 * 1024;
    private static final int BACKGROUND_JOBS = 2;
    private static final String FAILED_FLUSHES = "rocksdb.background-errors";

    private final Path path;
    private final Deque<RocksObject> natives = new ArrayDeque<>();
    private final List<ColumnFamilyHandle> families = new ArrayList<>();
    private final Map<Table, ColumnFamilyHandle> byTable = new EnumMap<>(Table.class);
    private final RocksDB db;
    private final WriteOptions withoutLog;
    private final ReadOptions readLatest;

    @GuardedBy("this")
    private final List<Runnable> whenClosed = new ArrayList<>();

    @GuardedBy("this")
    private int borrowers = 1;

    private RocksTables(Path path, RocksSettings settings) throws RocksDBException {
        this.path = path;
        try {
            this.db = openDb(settings);
            this.withoutLog = own(new WriteOptions()).setDisableWAL(true).setNoSlowdown(true);
            this.readLatest = own(new ReadOptions());
        } catch (RocksDBException | RuntimeException e) {
            closeNatives();
            throw e;
        }
    }

    /** The opener is the first borrower. */
    static RocksTables open(Path path, RocksSettings settings) throws RocksDBException {
        RocksDB.loadLibrary();
        return new RocksTables(path, settings);
    }

    private RocksDB openDb(RocksSettings settings) throws RocksDBException {
        BlockBasedTableConfig format = new BlockBasedTableConfig()
                .setBlockCache(own(new LRUCache(settings.blockCacheBytes())))
                .setFilterPolicy(own(new BloomFilter(BLOOM_BITS_PER_KEY)))
                .setCacheIndexAndFilterBlocks(true)
                .setPinL0FilterAndIndexBlocksInCache(true);
        ColumnFamilyOptions tableOptions = own(new ColumnFamilyOptions())
                .setTableFormatConfig(format)
                .setCompressionType(CompressionType.LZ4_COMPRESSION);
        DBOptions options = own(new DBOptions())
                .setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                .setAtomicFlush(true)
                .setDbWriteBufferSize(settings.writeBufferBytes())
                .setMaxBackgroundJobs(BACKGROUND_JOBS)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setKeepLogFileNum(KEPT_INFO_LOGS)
                .setMaxLogFileSize(INFO_LOG_BYTES)
                .setParanoidChecks(true)
                .setMaxBgErrorResumeCount(0);
        List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
        descriptors.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, tableOptions));
        for (Table table : Table.values()) {
            byte[] name = table.name().toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8);
            descriptors.add(new ColumnFamilyDescriptor(name, tableOptions));
        }
        List<byte[]> others = others(descriptors);
        others.forEach(name -> descriptors.add(new ColumnFamilyDescriptor(name, tableOptions)));
        RocksDB opened = own(RocksDB.open(options, path.toString(), descriptors, families));
        families.forEach(this::own);
        requireEmpty(opened, families.subList(families.size() - others.size(), families.size()));
        int index = 1;
        for (Table table : Table.values()) {
            byTable.put(table, families.get(index++));
        }
        return opened;
    }

    /**
     * Tables that a later release made before this one came back. RocksDB opens all or none; before the feature level
     * was raised there is no row in them.
     */
    private List<byte[]> others(List<ColumnFamilyDescriptor> ours) throws RocksDBException {
        if (!Files.exists(path.resolve("CURRENT"))) {
            return List.of();
        }
        List<byte[]> present;
        try (Options options = new Options()) {
            present = RocksDB.listColumnFamilies(options, path.toString());
        }
        return present.stream()
                .filter(name -> ours.stream().noneMatch(our -> Arrays.equals(our.getName(), name)))
                .toList();
    }

    private void requireEmpty(RocksDB opened, List<ColumnFamilyHandle> others) throws RocksDBException {
        for (ColumnFamilyHandle other : others) {
            try (RocksIterator rows = opened.newIterator(other)) {
                rows.seekToFirst();
                rows.status();
                if (rows.isValid()) {
                    throw new RocksDBException("table '" + new String(other.getName(), StandardCharsets.UTF_8)
                            + "' has rows that only a later release reads: start a later release");
                }
            }
        }
    }

    private <T extends RocksObject> T own(T made) {
        natives.push(made);
        return made;
    }

    StoreFailure failure(String attempt, Exception e) {
        return failure(attempt, path, e);
    }

    static StoreFailure failure(String attempt, Path path, Exception e) {
        return new StoreFailure("cannot " + attempt + " the store in " + path + ": " + e.getMessage(), e);
    }

    Path path() {
        return path;
    }

    RocksDB db() {
        return db;
    }

    /** Reads without a snapshot; closed with the database. */
    ReadOptions readLatest() {
        return readLatest;
    }

    ColumnFamilyHandle family(Table table) {
        return byTable.get(table);
    }

    /**
     * Writes the batch, waiting while flushes catch up. RocksDB itself would wait for ever when a flush fails, since
     * without its own log it takes a full disk for a passing trouble: so it is called without waiting, and a failed
     * flush ends the wait here.
     */
    void write(WriteBatch batch) throws RocksDBException {
        while (true) {
            try {
                db.write(withoutLog, batch);
                return;
            } catch (RocksDBException e) {
                boolean stalled = e.getStatus() != null && e.getStatus().getCode() == Status.Code.Incomplete;
                if (!stalled) {
                    throw e;
                }
                if (db.getLongProperty(FAILED_FLUSHES) > 0) {
                    throw new RocksDBException(
                            "a flush failed: the disk is full or broken (details in " + path + "/LOG)");
                }
            }
            // Waits until the stall is over and fails when a flush fails; nothing more is in memory then.
            flush();
        }
    }

    synchronized RocksTables borrow() {
        Invariant.check(borrowers > 0, "database %s is closed", path);
        borrowers++;
        return this;
    }

    void release() {
        List<Runnable> then;
        synchronized (this) {
            Invariant.check(borrowers > 0, "database %s was released too often", path);
            if (--borrowers > 0) {
                return;
            }
            closeNatives();
            then = List.copyOf(whenClosed);
        }
        then.forEach(Runnable::run);
    }

    /** Runs {@code then} after the last release. */
    synchronized void whenClosed(Runnable then) {
        whenClosed.add(then);
    }

    /** All tables to disk, at one point. */
    void flush() throws RocksDBException {
        try (FlushOptions options = new FlushOptions().setWaitForFlush(true)) {
            db.flush(options, families);
        }
    }

    void checkpoint(Path target) throws RocksDBException {
        flush();
        try (Checkpoint checkpoint = Checkpoint.create(db)) {
            checkpoint.createCheckpoint(target.toString());
        }
    }

    private void closeNatives() {
        while (!natives.isEmpty()) {
            natives.pop().close();
        }
    }
}
