package io.ecfs.datanode.store.ring;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.buffer.BufferPool;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.ring.device.DeviceNames;
import io.ecfs.datanode.store.ring.device.StagingArea;
import io.ecfs.datanode.store.ring.journal.Journal;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries staged files to the device, a piece at a time, several threads at once on different groups of files.
 *
 * <pre>
 *   of a group:   journal synced -> bytes, piece by piece -> NamesDrain: files synced, names, directories synced
 *                 -> DRAINED in the journal, synced -> no longer staged, segments freed
 * </pre>
 *
 * The journal is synced before the device changes, so that a loss of power cannot leave a part of a change that the
 * journal does not have. A new file gets its bytes in the {@link StagingArea}. While a piece of a group runs, changes
 * of its files wait for it.
 */
final class Drain {
    /** Bytes of a piece: short enough for a read to wait for. */
    static final int PIECE_BYTES = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(Drain.class);
    private static final int PIECES_AT_ONCE = 64;
    private static final int SPARE_GROUPS = 4;
    /** Not the group of a file. */
    private static final String DIRECTORIES = "/";

    private final VolumeIo device;
    private final Journal journal;
    private final Overlay overlay;
    private final ReentrantLock changes;
    private final Condition idle;
    private final StagingArea area;
    private final NamesDrain names;
    private final BufferPool buffers = new BufferPool("drain", (long) PIECES_AT_ONCE * PIECE_BYTES);
    private final AtomicLong drainedBytes = new AtomicLong();
    private final AtomicLong lostFiles = new AtomicLong();

    /** Groups of which a piece runs; changed with the lock of changes. */
    private final Set<String> busy = ConcurrentHashMap.newKeySet();

    /** Groups of which a piece was given out, which waits for its turn or runs. */
    private final Set<String> given = ConcurrentHashMap.newKeySet();

    private final BooleanSupplier mayDrain;

    @GuardedBy("changes")
    private boolean voided;

    /**
     * @param changes held by whoever changes staged files
     * @param mayDrain whether the device may be written; called with that lock
     */
    Drain(
            VolumeIo device,
            DeviceNames deviceNames,
            Journal journal,
            Overlay overlay,
            ReentrantLock changes,
            BooleanSupplier mayDrain) {
        this.mayDrain = mayDrain;
        this.device = device;
        this.journal = journal;
        this.overlay = overlay;
        this.changes = changes;
        this.idle = changes.newCondition();
        this.area = new StagingArea(device, deviceNames);
        this.names = new NamesDrain(device, deviceNames, journal, overlay, area);
    }

    /** Waits until no piece of these files runs; the caller holds the lock of changes. */
    @SuppressWarnings("GuardedBy") // the caller holds the lock of changes
    void awaitIdle(List<String> paths) {
        while (!busy.isEmpty() && paths.stream().anyMatch(this::isBusy)) {
            idle.awaitUninterruptibly();
        }
    }

    @SuppressWarnings("GuardedBy") // the caller holds the lock of changes
    private boolean isBusy(String path) {
        return overlay.at(path).filter(file -> busy.contains(file.group)).isPresent()
                || overlay.claiming(path)
                        .filter(file -> busy.contains(file.group))
                        .isPresent();
    }

    /** As {@link #next(boolean)} for a piece that runs only while the device may be written. */
    Optional<Piece> next() {
        return next(false);
    }

    /**
     * The next piece, of the oldest group that has none; empty when there is nothing to do beside those given out.
     *
     * @param spill whether it runs even while the volume only reads
     */
    Optional<Piece> next(boolean spill) {
        for (String group : overlay.groups(given.size() + SPARE_GROUPS)) {
            if (given.add(group)) {
                return Optional.of(new Piece(group, spill));
            }
        }
        return !overlay.directories().isEmpty() && given.add(DIRECTORIES)
                ? Optional.of(new Piece(DIRECTORIES, spill))
                : Optional.empty();
    }

    /** Drains these files now, on this thread. */
    long now(Set<String> groups) throws IOException {
        long bytes = 0;
        for (String group : groups) {
            while (!overlay.group(group).isEmpty()) {
                bytes += new Piece(group, true).runNow();
            }
        }
        return bytes;
    }

    /** Drains all that is staged, also what comes meanwhile. */
    void all() throws IOException {
        while (!overlay.isEmpty()) {
            directoriesNow();
            now(new LinkedHashSet<>(overlay.groups(Integer.MAX_VALUE)));
        }
    }

    /** Makes all staged directories, now. */
    void directoriesNow() throws IOException {
        if (!overlay.directories().isEmpty()) {
            new Piece(DIRECTORIES, true).runNow();
        }
    }

    /** @return false when the piece must not run any more */
    private boolean begin(Piece piece) {
        changes.lock();
        try {
            while (busy.contains(piece.group)) {
                idle.awaitUninterruptibly();
            }
            return (piece.spill || mayDrain.getAsBoolean()) && busy.add(piece.group);
        } finally {
            changes.unlock();
        }
    }

    /**
     * After the journal has failed: what is on disk of its last records is not known, so a start must not take them for
     * files that are gone by now.
     */
    @SuppressWarnings("GuardedBy") // the caller holds the lock of changes
    void voidUnsynced() throws IOException {
        if (!voided) {
            names.voidUnsynced();
            voided = true;
        }
    }

    /** It can be used again; the caller holds the lock of changes. */
    @SuppressWarnings("GuardedBy") // the caller holds the lock of changes
    void journalCleared() throws IOException {
        names.forgetVoided();
        voided = false;
    }

    /** As {@link #voidUnsynced} for a caller without the lock. */
    void voidJournal() throws IOException {
        changes.lock();
        try {
            voidUnsynced();
        } finally {
            changes.unlock();
        }
    }

    boolean isRunning() {
        return !busy.isEmpty();
    }

    long drainedBytes() {
        return drainedBytes.get();
    }

    long lostFiles() {
        return lostFiles.get();
    }

    /** A bounded part of the work; it is run, or given back. */
    final class Piece {
        private final String group;
        private final Optional<String> path;

        private final boolean spill;

        private Piece(String group, boolean spill) {
            this.group = group;
            this.spill = spill;
            this.path = overlay.group(group).stream()
                    .map(file -> file.name().or(file::device))
                    .flatMap(Optional::stream)
                    .findFirst();
        }

        /** One of the files it is about; empty when it is about none. */
        Optional<String> path() {
            return path;
        }

        /** @return bytes that the device got; 0 also when the volume only reads meanwhile */
        long run() throws IOException {
            try {
                return runNow();
            } finally {
                giveBack();
            }
        }

        private long runNow() throws IOException {
            if (!begin(this)) {
                return 0;
            }
            try {
                if (group.equals(DIRECTORIES)) {
                    names.makeDirectories(overlay.directories().keySet());
                    free();
                    return 0;
                }
                List<StagedFile> files = overlay.group(group);
                if (files.isEmpty()) {
                    return 0;
                }
                if (!journal.trySync(
                        files.stream().mapToLong(StagedFile::lastLsn).max().orElse(0))) {
                    voidJournal();
                }
                long bytes = writeBytes(files);
                drainedBytes.addAndGet(bytes);
                if (files.stream().allMatch(file -> file.name().isEmpty() || file.extents.allWritten())) {
                    finish(files);
                }
                return bytes;
            } finally {
                release(Set.of(group));
            }
        }

        /** Another piece may be given out about these files. */
        void giveBack() {
            given.remove(group);
        }

        private void finish(List<StagedFile> files) throws IOException {
            Optional<Set<String>> others = takeOthers(files);
            if (others.isEmpty()) {
                return; // another piece uses a name; the next one of this group goes on
            }
            try {
                // The end of a file that another group still has under one of these names, too.
                boolean failed =
                        (!others.get().isEmpty() && !journal.trySync(journal.lastLsn())) || journal.hasFailed();
                if (failed) {
                    voidJournal();
                }
                nameAndRemove(files, failed);
                free();
            } finally {
                release(others.get());
            }
        }

        private void nameAndRemove(List<StagedFile> files, boolean journalFailed) throws IOException {
            Set<StagedFile> drained = new LinkedHashSet<>();
            try {
                names.drain(files, journalFailed, drained);
            } finally {
                changes.lock();
                try {
                    drained.forEach(overlay::remove); // nothing is staged of a file that is recorded as drained
                } finally {
                    changes.unlock();
                }
            }
        }

        /** The groups of other files that the device has under names of these; empty when one of them is busy. */
        private Optional<Set<String>> takeOthers(List<StagedFile> files) {
            changes.lock();
            try {
                Set<String> others = new HashSet<>();
                for (StagedFile file : files) {
                    file.name()
                            .flatMap(overlay::claiming)
                            .map(other -> other.group)
                            .ifPresent(others::add);
                }
                others.remove(group);
                if (!Collections.disjoint(others, busy)) {
                    return Optional.empty();
                }
                busy.addAll(others);
                return Optional.of(others);
            } finally {
                changes.unlock();
            }
        }
    }

    private void release(Set<String> groups) {
        changes.lock();
        try {
            busy.removeAll(groups);
            idle.signalAll();
        } finally {
            changes.unlock();
        }
    }

    /** Frees segments that nothing staged needs. */
    private void free() throws IOException {
        changes.lock();
        try {
            journal.free(overlay.oldest());
        } catch (IOException e) {
            journal.fail("free", e);
        } finally {
            changes.unlock();
        }
    }

    private long writeBytes(List<StagedFile> files) throws IOException {
        long left = PIECE_BYTES;
        for (StagedFile file : files) {
            if (left > 0 && file.name().isPresent()) {
                left -= writeBytes(file, (int) left);
            }
        }
        return PIECE_BYTES - left;
    }

    private long writeBytes(StagedFile file, int most) throws IOException {
        if (file.device().isEmpty()) {
            area.make();
            String path = StagingArea.pathOf(file.id);
            device.create(path);
            overlay.moved(file, path);
            file.cutDone();
        }
        String path = file.device().orElseThrow();
        if (file.cutTo() >= 0) {
            device.truncate(path, file.cutTo());
            file.cutDone();
        }
        List<Extent> extents = overlay.unwritten(file, most);
        if (extents.isEmpty()) {
            return 0;
        }
        Copy copy = new Copy(path, buffers.allocate(PIECE_BYTES));
        try {
            for (Extent extent : extents) {
                if (!copy.add(extent)) {
                    lose(file);
                    return copy.bytes;
                }
            }
            copy.flush();
        } finally {
            copy.buffer.release();
        }
        overlay.written(file, extents);
        return copy.bytes;
    }

    /** The journal does not have the bytes any more: the file is missing from now on, and is rebuilt elsewhere. */
    private void lose(StagedFile file) {
        LOG.error(
                "event=staged_file_lost volume={} file={} journal={} note=reported_missing",
                device.describe(),
                file.name().orElse(""),
                journal.describe());
        lostFiles.incrementAndGet();
        changes.lock();
        try {
            overlay.lose(file);
        } finally {
            changes.unlock();
        }
    }

    /** Writes extents to a file of the device, those that follow each other together. */
    private final class Copy {
        private final String path;
        private final ByteBuf buffer;
        private final ByteBuffer memory;
        private long at;
        private long bytes;

        Copy(String path, ByteBuf buffer) {
            this.path = path;
            this.buffer = buffer;
            this.memory = buffer.nioBuffer(0, PIECE_BYTES);
        }

        /** @return false when the journal does not give the bytes */
        boolean add(Extent extent) throws IOException {
            if (extent.offset() != at + memory.position()) {
                flush();
                at = extent.offset();
            }
            CRC32C crc = new CRC32C();
            for (int done = 0; done < extent.bytes(); ) {
                if (!memory.hasRemaining()) {
                    flush();
                }
                int part = Math.min(memory.remaining(), extent.bytes() - done);
                ByteBuffer into = memory.slice(memory.position(), part);
                try {
                    journal.read(extent.segment(), extent.position() + done, into);
                } catch (IOException e) {
                    LOG.error("event=journal_unreadable journal={}", journal.describe(), e);
                    journal.fail("read", e);
                    return false;
                }
                crc.update(into.flip());
                memory.position(memory.position() + part);
                done += part;
            }
            return !extent.whole() || extent.crc() == (int) crc.getValue();
        }

        void flush() throws IOException {
            int count = memory.position();
            if (count > 0) {
                device.write(path, at, memory.flip());
                memory.clear();
                at += count;
                bytes += count;
            }
        }
    }
}
