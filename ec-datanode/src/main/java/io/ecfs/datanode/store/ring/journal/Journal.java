package io.ecfs.datanode.store.ring.journal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.datanode.store.io.VolumeFullException;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.ring.journal.JournalRecord.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The staged changes of one volume, in segments on another device. Their bytes stay there until the volume has them.
 *
 * <p>Appends are serialised by the caller; all other calls may come from any thread. After a failure to append or to
 * sync nothing is appended any more: what follows a torn record would not be found again.
 */
public final class Journal implements AutoCloseable {
    /** Length at which a segment ends. */
    public static final long SEGMENT_BYTES = 64L << 20;

    /** Payloads up to this size are written together with their heads. */
    private static final int WITH_HEAD = 4096;
    /** A segment of which nothing is needed is replaced from this size on. */
    private static final long WORTH_FREEING = 1L << 20;

    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

    private final VolumeIo io;
    private final long segmentBytes;
    private final LongSupplier salts;
    private final JournalMarker marker;
    private final Object syncing = new Object();

    @GuardedBy("this")
    private final NavigableMap<Long, Segment> segments = new TreeMap<>();

    // Changed with the lock, which is held while a disk is waited for; read without it.
    private volatile long lastLsn;
    private volatile long durable;
    private volatile long bytes;
    private volatile boolean failed;

    @GuardedBy("this")
    private long names; // how often they changed

    @GuardedBy("this")
    private long namesSynced;

    /** Whether the volume knows that it needs the journal. */
    @GuardedBy("this")
    private boolean marked;

    @GuardedBy("this")
    private boolean damaged;

    /**
     * @param io of a directory for this journal alone; closed with it
     * @param salts numbers that no one can guess
     * @param marker called before the journal gets its first record
     */
    public Journal(VolumeIo io, long segmentBytes, LongSupplier salts, JournalMarker marker) {
        this.io = io;
        this.segmentBytes = segmentBytes;
        this.salts = salts;
        this.marker = marker;
    }

    /** Where the bytes of a record are. */
    public record Place(JournalRecord record, long segment, long position) {}

    /** The id of the journal that is there; empty when none is, or its heads are damaged. */
    public OptionalLong id() throws IOException {
        return JournalLoad.idOf(io);
    }

    /**
     * Reads what an earlier process left, and makes room behind it.
     *
     * @return whether it was whole; otherwise records are lost that were on disk, and {@link #clear} must follow before
     *     anything is appended
     */
    public synchronized boolean load(JournalLoad.Receiver into) throws IOException {
        JournalLoad load = new JournalLoad(io);
        List<Segment> found = load.run(into);
        found.forEach(segment -> segments.put(segment.firstLsn, segment));
        lastLsn = load.lastLsn();
        count();
        durable = 0; // what is in memory proves nothing about the disk
        names = found.isEmpty() ? 0 : 1; // nor do names that the earlier process saw
        damaged = !load.whole();
        if (!damaged && !segments.isEmpty()) {
            mark(); // that process may have ended before it did
        }
        return !damaged;
    }

    /** Returns whether there is no journal yet. */
    public boolean isEmpty() {
        return bytes == 0; // a segment has a head
    }

    @GuardedBy("this")
    private void count() {
        bytes = segments.values().stream().mapToLong(segment -> segment.end).sum();
    }

    /** Begins the journal, if there is none: from now on a start finds it. */
    public void begin() throws IOException {
        synchronized (this) {
            requireUsable();
            makeRoom();
        }
        sync();
    }

    /**
     * Appends a record.
     *
     * @param file 0: this record introduces it
     * @param payload bytes of a write; consumed
     * @throws VolumeFullException when its disk is full: nothing was appended, and the journal stays usable
     */
    public synchronized Place append(Operation operation, long file, String path, long offset, ByteBuffer payload)
            throws IOException {
        requireUsable();
        makeRoom();
        Segment segment = segments.lastEntry().getValue();
        long lsn = lastLsn + 1;
        int payloadBytes = payload.remaining();
        JournalRecord record = new JournalRecord(
                lsn,
                operation,
                durable,
                file == 0 ? lsn : file,
                path,
                offset,
                payloadBytes,
                JournalRecord.crcOf(payload));
        ByteBuffer head = record.encode(segment.salt);
        long position = segment.end;
        long bytesAt = position + head.remaining();
        try {
            if (payloadBytes <= WITH_HEAD) {
                io.write(segment.file(), position, together(head, payload));
            } else {
                io.write(segment.file(), position, head);
                io.write(segment.file(), bytesAt, payload);
            }
        } catch (VolumeFullException e) {
            takeBack(segment, position, e);
            throw e;
        } catch (IOException | RuntimeException e) {
            failed("append", e);
            throw e;
        }
        segment.end = bytesAt + payloadBytes;
        segment.lastLsn = lsn;
        count();
        lastLsn = lsn;
        return new Place(record, segment.firstLsn, bytesAt);
    }

    /** As {@link #append(Operation, long, String, long, ByteBuffer)} of a record without bytes. */
    public Place append(Operation operation, long file, String path, long offset) throws IOException {
        return append(operation, file, path, offset, ByteBuffer.allocate(0));
    }

    private static ByteBuffer together(ByteBuffer head, ByteBuffer payload) {
        if (!payload.hasRemaining()) {
            return head;
        }
        return ByteBuffer.allocate(head.remaining() + payload.remaining())
                .put(head)
                .put(payload)
                .flip();
    }

    @GuardedBy("this")
    private void takeBack(Segment segment, long position, IOException cause) {
        try {
            io.truncate(segment.file(), position);
        } catch (IOException e) {
            cause.addSuppressed(e);
            failed("append", cause);
        }
    }

    /** There is a segment for the next record, and the volume knows that it needs the journal. */
    @GuardedBy("this")
    private void makeRoom() throws IOException {
        if (segments.isEmpty() || segments.lastEntry().getValue().end >= segmentBytes) {
            roll();
        }
        if (!marked) {
            mark();
        }
    }

    @GuardedBy("this")
    private void roll() throws IOException {
        long id = segments.isEmpty() ? salts.getAsLong() : segments.lastEntry().getValue().journal;
        long first = lastLsn + 1;
        long oldest = segments.isEmpty() ? first : segments.firstKey();
        Segment next = new Segment(first, salts.getAsLong(), id, oldest);
        try {
            if (io.length(next.file()).isPresent()) { // of an earlier attempt, without any record
                if (segments.isEmpty()) {
                    marker.needsNone();
                }
                io.delete(next.file());
            }
            io.create(next.file());
            io.write(next.file(), 0, next.head());
        } catch (VolumeFullException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            failed("append", e);
            throw e;
        }
        segments.put(next.firstLsn, next);
        count();
        names++;
    }

    /** The volume needs the journal from now on, which is on disk. */
    @GuardedBy("this")
    private void mark() throws IOException {
        Segment first = segments.firstEntry().getValue();
        try {
            io.sync(first.file());
            io.syncDirectory("");
        } catch (IOException | RuntimeException e) {
            failed("sync", e);
            throw e;
        }
        marker.needs(first.journal);
        marked = true;
    }

    /** Returns when all records that were appended before are on disk. */
    public void sync() throws IOException {
        synchronized (syncing) {
            long target;
            long named;
            boolean syncNames;
            Map<Segment, Long> dirty = new LinkedHashMap<>();
            synchronized (this) {
                requireUsable(); // what an earlier sync left out is not known
                target = lastLsn;
                named = names;
                syncNames = names != namesSynced;
                for (Segment segment : segments.values()) {
                    if (segment.synced < segment.end) {
                        dirty.put(segment, segment.end);
                    }
                }
            }
            try {
                for (Segment segment : dirty.keySet()) {
                    sync(segment);
                }
                if (syncNames) {
                    io.syncDirectory("");
                }
            } catch (IOException | RuntimeException e) {
                fail("sync", e);
                throw e;
            }
            synchronized (this) {
                requireUsable();
                dirty.forEach((segment, end) -> segment.synced = end);
                namesSynced = named;
                durable = Math.max(durable, target);
            }
        }
    }

    @GuardedBy("this")
    private void requireUsable() throws IOException {
        if (failed) {
            throw new IOException(io.describe() + ": this journal has failed");
        }
    }

    private void sync(Segment segment) throws IOException {
        try {
            io.sync(segment.file());
        } catch (NoSuchFileException e) {
            synchronized (this) {
                if (segments.containsKey(segment.firstLsn)) {
                    throw e;
                }
            }
        }
    }

    /** As {@link #sync()}, unless the record is on disk. */
    public void sync(long lsn) throws IOException {
        if (lsn > durable) {
            sync();
        }
    }

    /** As {@link #sync(long)}; a failure is the journal's alone. */
    public boolean trySync(long lsn) {
        try {
            sync(lsn);
            return !hasFailed();
        } catch (IOException e) {
            return false; // it is logged where it fails
        }
    }

    /** Reads bytes of records. */
    public void read(long segment, long position, ByteBuffer into) throws IOException {
        int wanted = into.remaining();
        if (io.read(Segment.file(segment), position, into) < wanted) {
            throw new IOException(io.describe() + "/" + Segment.file(segment) + " ends before its records");
        }
    }

    /** Deletes the segments all of whose records are older than {@code lsn}; called between appends. */
    public synchronized void free(long lsn) throws IOException {
        if (failed || segments.isEmpty()) {
            return;
        }
        Segment last = segments.lastEntry().getValue();
        if (last.lastLsn < lsn && last.end >= WORTH_FREEING) {
            try {
                roll();
            } catch (VolumeFullException e) {
                LOG.debug("event=journal_disk_full journal={}", io.describe(), e); // older segments make room
            }
        }
        Segment oldest = segments.values().stream()
                .filter(segment -> segment.lastLsn >= lsn)
                .findFirst()
                .orElse(segments.lastEntry().getValue());
        try {
            beginAt(oldest);
        } catch (VolumeFullException e) {
            LOG.debug("event=journal_disk_full journal={}", io.describe(), e); // freed with the next piece
        }
    }

    /** Deletes the segments before this one, after its head says that it is the oldest. */
    @GuardedBy("this")
    private void beginAt(Segment oldest) throws IOException {
        if (oldest.firstLsn == segments.firstKey()) {
            return;
        }
        oldest.becomesOldest();
        io.write(oldest.file(), 0, oldest.copy()); // the other copy counts while this one is torn
        io.sync(oldest.file());
        if (names != namesSynced) {
            io.syncDirectory("");
            namesSynced = names;
        }
        while (segments.firstKey() < oldest.firstLsn) {
            io.delete(segments.firstEntry().getValue().file());
            segments.pollFirstEntry();
            count();
        }
        io.write(oldest.file(), Segment.COPY_BYTES, oldest.copy());
    }

    /**
     * Removes all of it: nothing is staged, and nothing will be.
     *
     * @return false when its disk does not let it: then it has failed, and parts of it stay
     */
    public synchronized boolean clear() throws IOException {
        marked = false;
        marker.needsNone();
        try {
            remove();
        } catch (IOException | RuntimeException e) {
            failed("clear", e);
            return false;
        }
        damaged = false;
        failed = false;
        return true;
    }

    @GuardedBy("this")
    private void remove() throws IOException {
        if (!damaged && !segments.isEmpty()) {
            try {
                beginAt(segments.lastEntry().getValue());
            } catch (IOException e) { // of a journal that has failed: a start finds it damaged, and nothing is lost
                LOG.debug("event=journal_head_not_written journal={}", io.describe(), e);
            }
        }
        for (long first : JournalLoad.segmentsOf(io)) { // the oldest first: a start meanwhile finds no more than this
            io.delete(Segment.file(first));
            segments.remove(first);
            count();
        }
        io.syncDirectory("");
    }

    public long bytes() {
        return bytes;
    }

    /** Of the oldest segment; of the next record when there is none. */
    public synchronized long firstLsn() {
        return segments.isEmpty() ? lastLsn + 1 : segments.firstKey();
    }

    public long lastLsn() {
        return lastLsn;
    }

    public long durable() {
        return durable;
    }

    public boolean hasFailed() {
        return failed;
    }

    /**
     * Takes no more records from now on: a caller found that it cannot be used.
     *
     * @param during what was done, for people
     */
    public synchronized void fail(String during, Throwable cause) {
        failed(during, cause);
    }

    @GuardedBy("this")
    private void failed(String during, Throwable cause) {
        if (!failed) {
            failed = true;
            LOG.error(
                    "event=journal_failed journal={} during=\"{}\" error=\"{}\" note=changes_go_to_the_device",
                    io.describe(),
                    during,
                    cause.toString());
        }
    }

    public String describe() {
        return io.describe();
    }

    @Override
    public void close() {
        io.close();
    }
}
