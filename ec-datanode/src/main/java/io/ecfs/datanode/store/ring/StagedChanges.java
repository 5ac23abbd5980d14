package io.ecfs.datanode.store.ring;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.datanode.store.io.VolumeFullException;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.ring.device.DeviceDirectories;
import io.ecfs.datanode.store.ring.device.DeviceNames;
import io.ecfs.datanode.store.ring.device.Unsynced;
import io.ecfs.datanode.store.ring.journal.Journal;
import io.ecfs.datanode.store.ring.journal.JournalRecord.Operation;
import io.ecfs.datanode.store.ring.journal.JournalTerms;
import io.ecfs.env.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides for each change of a {@link StagedVolumeIo} whether it is staged or goes to the device. Changes are staged
 * one at a time, in the order of the journal; those that go to the device go at once.
 */
final class StagedChanges {
    /** Changes below this size are small: they spill at any pace, larger ones at that of {@link SpillPace}. */
    static final int SMALL_BYTES = 64 << 10;

    /** Room that a full journal has for small changes. */
    private static final long RESERVE = 16L * SMALL_BYTES;

    /** Most staged files and extents: some 64 MiB of heap. From there on writes spill as with a full journal. */
    static final int MOST_ENTRIES = 1 << 18;

    /** Usually longer than a change takes. */
    private static final Duration LOCK_WAIT = Duration.ofMillis(2);

    /** From one attempt to remove a journal whose disk fails to the next. */
    private static final Duration END_AGAIN = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(StagedChanges.class);

    private final VolumeIo device;
    private final DeviceNames names;
    private final Journal journal;
    private final Overlay overlay;
    private final JournalTerms terms;
    private final Unsynced unsynced;
    private final Drain drain;
    private final DeviceDirectories directories;
    private final SpillPace pace;
    private final Spills spills = new Spills(() -> role().passes());
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicInteger passing = new AtomicInteger();
    private final Clock clock;
    private volatile long passedAt;
    private volatile VolumeRole role = VolumeRole.OUTSIDE;
    private volatile long freeBytes;
    private volatile int lost;

    /** When the journal could not be removed. */
    private volatile OptionalLong notEndedAt = OptionalLong.empty();

    StagedChanges(
            VolumeIo device,
            DeviceNames names,
            Unsynced unsynced,
            Journal journal,
            Overlay overlay,
            JournalTerms terms,
            Clock clock)
            throws IOException {
        this.device = device;
        this.names = names;
        this.journal = journal;
        this.overlay = overlay;
        this.terms = terms;
        this.unsynced = unsynced;
        this.clock = clock;
        this.drain = new Drain(device, names, journal, overlay, lock, () -> role.passes() || journal.hasFailed());
        this.directories = new DeviceDirectories(device);
        this.pace = new SpillPace(clock.nanos());
        this.passedAt = clock.nanos();
    }

    /** A change of a file, in both ways. */
    abstract static class Change {
        private final List<String> paths;
        private final int bytes;
        private final Optional<String> directory;
        private final boolean named;
        private long mark;

        /**
         * @param paths that it is about
         * @param directory that it needs
         * @param named whether it changes names
         */
        Change(List<String> paths, int bytes, Optional<String> directory, boolean named) {
            this.paths = paths;
            this.bytes = bytes;
            this.directory = directory;
            this.named = named;
        }

        /** Appends records and changes the overlay. */
        abstract void stage() throws IOException;

        /** Changes the device. */
        abstract void pass() throws IOException;

        /** Notes what the device will have to sync. */
        abstract void passes(Unsynced unsynced, DeviceNames names) throws IOException;

        /**
         * Notes it again: a sync meanwhile may have come before the change.
         *
         * @param before mark of the first path when the change began
         */
        abstract void passed(Unsynced unsynced, long before);
    }

    /** What becomes of a change. */
    private enum Way {
        STAGE,
        PASS,
        /** Its files are drained before it goes to the device. */
        DRAIN_FIRST
    }

    void change(Change change) throws IOException {
        accepted.addAndGet(change.bytes);
        Optional<SpillReason> spill = Optional.empty();
        while (true) {
            Way way = take(change, spill);
            if (way == Way.STAGE) {
                return;
            } else if (way == Way.PASS) {
                try {
                    change.pass();
                    change.passed(unsynced, change.mark);
                } catch (IOException | RuntimeException e) {
                    changedInPart(change);
                    throw e;
                } finally {
                    passed();
                }
                return;
            }
            spill = Optional.of(journal.hasFailed() ? SpillReason.JOURNAL_FAILED : SpillReason.JOURNAL_FULL);
            drainFirst(change);
        }
    }

    /** Stages the change, or counts it as one that passes; the caller does the rest. */
    private Way take(Change change, Optional<SpillReason> spill) throws IOException {
        lock.lock();
        try {
            drain.awaitIdle(change.paths);
            if (journal.hasFailed()) {
                drain.voidUnsynced();
            }
            boolean untouched =
                    change.paths.stream().allMatch(path -> overlay.find(path).untouched())
                            && change.directory.filter(overlay::hasDirectory).isEmpty();
            boolean unusable = journal.hasFailed() || spill.isPresent();
            if (untouched && (role.passes() || unusable)) {
                beginPass(
                        change, spill.or(() -> unusable ? Optional.of(SpillReason.JOURNAL_FAILED) : Optional.empty()));
                return Way.PASS;
            }
            if (unusable || isFull(change.bytes)) {
                return Way.DRAIN_FIRST;
            }
            return stage(change);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void beginPass(Change change, Optional<SpillReason> spill) throws IOException {
        // Names get to disk in their order.
        if (change.named && !journal.hasFailed() && !journal.trySync(journal.lastLsn())) {
            drain.voidUnsynced();
        }
        change.mark = unsynced.mark(change.paths.get(0));
        change.passes(unsynced, names);
        spill.ifPresent(spills::add);
        passing.incrementAndGet();
    }

    /** A write that failed may have written some. */
    private void changedInPart(Change change) {
        if (!change.named) {
            change.passed(unsynced, change.mark);
        }
    }

    private void passed() {
        passedAt = clock.nanos();
        passing.decrementAndGet();
    }

    @GuardedBy("lock")
    private Way stage(Change change) throws IOException {
        requireRoom(change.bytes);
        if (change.named) {
            for (String path : change.paths) {
                settleName(path);
            }
        }
        try {
            change.stage();
            overlay.forgetEnded(journal.durable());
            return Way.STAGE;
        } catch (JournalFullException e) {
            LOG.debug("event=journal_disk_full journal={}", journal.describe(), e);
            return Way.DRAIN_FIRST;
        } catch (IOException e) {
            if (!journal.hasFailed()) {
                throw e;
            }
            return Way.DRAIN_FIRST;
        }
    }

    /**
     * Names that the device got, and did not sync, come before what is staged now: those in the directory of the path,
     * and those of the directories above. Otherwise a loss of power leaves records about a file that the device does
     * not have under this name, or without their directory.
     */
    @GuardedBy("lock")
    private void settleName(String path) throws IOException {
        String directory = path;
        while (!directory.isEmpty()) {
            directory = VolumeIo.parent(directory);
            if (unsynced.hasDirectory(directory) && !overlay.hasDirectory(directory) && directories.has(directory)) {
                spills.add(SpillReason.LATE_SYNC);
                names.sync(directory);
            }
        }
    }

    /** Returns whether a change of so many bytes would go to the device. */
    boolean isFull(int bytes) {
        long reserve = bytes < SMALL_BYTES ? RESERVE : 0;
        boolean heapFull = bytes > 0 && overlay.entries() >= MOST_ENTRIES;
        return heapFull || journal.bytes() + bytes > terms.bytes() + reserve;
    }

    /** @throws VolumeFullException when the device could not take it later */
    private void requireRoom(int bytes) throws IOException {
        if (bytes > 0 && freeBytes - overlay.bytes() < bytes + (1L << 30)) {
            space();
            if (freeBytes - overlay.bytes() < bytes) {
                throw new VolumeFullException(device.describe() + ": no space for " + bytes + " more staged bytes");
            }
        }
    }

    private void drainFirst(Change change) throws IOException {
        boolean large = change.bytes >= SMALL_BYTES;
        if (large && !journal.hasFailed() && !role.passes() && !pace.take(change.bytes, clock.nanos())) {
            throw new VolumeFullException(device.describe() + ": its journal is full, " + journal.bytes() + " of "
                    + terms.bytes() + " bytes");
        }
        if (change.directory.filter(overlay::hasDirectory).isPresent()) {
            drain.directoriesNow();
        }
        drain.now(groupsOf(change.paths));
    }

    private Set<String> groupsOf(List<String> paths) {
        Set<String> groups = new LinkedHashSet<>();
        for (String path : paths) {
            overlay.at(path).map(file -> file.group).ifPresent(groups::add);
            overlay.claiming(path).map(file -> file.group).ifPresent(groups::add);
        }
        return groups;
    }

    /** The staged file of a name; one of the device becomes staged. The caller holds the lock. */
    @SuppressWarnings("GuardedBy") // a Change calls it, which runs under the lock
    StagedFile staged(String path) throws IOException {
        Overlay.Found found = overlay.find(path);
        if (found.staged().isPresent()) {
            return found.staged().get();
        }
        OptionalLong length = found.untouched() ? device.length(path) : OptionalLong.empty();
        if (length.isEmpty()) {
            throw new NoSuchFileException(device.describe() + "/" + path);
        }
        settleName(path);
        long lsn = stage(Operation.OPEN, 0, path, length.getAsLong());
        return overlay.file(lsn).orElseThrow();
    }

    /**
     * Appends a record, and changes the overlay by it. The caller holds the lock.
     *
     * @return its lsn
     */
    @SuppressWarnings("GuardedBy") // a Change calls it, which runs under the lock
    long stage(Operation operation, long file, String path, long offset, ByteBuffer bytes) throws IOException {
        try {
            Journal.Place at = journal.append(operation, file, path, offset, bytes);
            overlay.apply(at);
            return at.record().lsn();
        } catch (VolumeFullException e) {
            throw new JournalFullException(e);
        }
    }

    /** As {@link #stage(Operation, long, String, long, ByteBuffer)} of a record without bytes. */
    long stage(Operation operation, long file, String path, long offset) throws IOException {
        return stage(operation, file, path, offset, ByteBuffer.allocate(0));
    }

    @SuppressWarnings("GuardedBy") // a Change calls it, which runs under the lock
    void requireDirectory(String directory) throws IOException {
        if (!overlay.hasDirectory(directory) && !directories.has(directory)) {
            throw new NoSuchFileException(device.describe() + "/" + directory);
        }
    }

    OptionalLong length(String path) throws IOException {
        Overlay.Found found = overlay.find(path);
        if (found.staged().isPresent()) {
            return OptionalLong.of(overlay.length(found.staged().get()));
        }
        return found.untouched() ? device.length(path) : OptionalLong.empty();
    }

    void createDirectory(String directory) throws IOException {
        lock.lock();
        try {
            if (overlay.hasDirectory(directory) || directories.has(directory)) {
                return;
            }
            boolean below = overlay.hasDirectory(VolumeIo.parent(directory));
            if (!journal.hasFailed() && (!role.passes() || below) && stageDirectories(directory)) {
                return;
            }
        } finally {
            lock.unlock();
        }
        drain.directoriesNow();
        device.createDirectory(directory);
        for (String up = directory; !up.isEmpty(); up = VolumeIo.parent(up)) {
            unsynced.named(up);
        }
    }

    /** @return false when the journal does not take them */
    @GuardedBy("lock")
    private boolean stageDirectories(String directory) throws IOException {
        try {
            for (int slash = directory.indexOf('/'); slash > 0; slash = directory.indexOf('/', slash + 1)) {
                stageDirectory(directory.substring(0, slash));
            }
            stageDirectory(directory);
            return true;
        } catch (JournalFullException e) {
            spills.add(SpillReason.JOURNAL_FULL);
            return false;
        } catch (IOException e) {
            if (!journal.hasFailed()) {
                throw e;
            }
            spills.add(SpillReason.JOURNAL_FAILED);
            return false;
        }
    }

    @GuardedBy("lock")
    private void stageDirectory(String directory) throws IOException {
        if (!overlay.hasDirectory(directory) && !directories.has(directory)) {
            settleName(directory);
            stage(Operation.DIRECTORY, 0, directory, 0);
        }
    }

    VolumeIo.Space space() throws IOException {
        VolumeIo.Space space = device.space();
        freeBytes = space.freeBytes();
        return new VolumeIo.Space(space.capacityBytes(), Math.max(0, space.freeBytes() - overlay.bytes()));
    }

    VolumeRole role() {
        return role;
    }

    /** The role decides where changes go from now on. */
    void role(VolumeRole next) {
        lock.lock();
        try {
            role = next;
        } finally {
            lock.unlock();
        }
    }

    /**
     * As {@link #role(VolumeRole)}, for a thread that must not wait for a disk.
     *
     * @return false when a change waits for one
     */
    boolean tryRole(VolumeRole next) {
        try {
            if (!lock.tryLock() && !lock.tryLock(LOCK_WAIT.toNanos(), TimeUnit.NANOSECONDS)) {
                return false;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        try {
            role = next;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the device has been left alone for so long, and has nothing to sync. */
    boolean isQuiet(Duration since) {
        return passing.get() == 0
                && !drain.isRunning()
                && unsynced.isEmpty()
                && clock.nanos() - passedAt >= since.toNanos();
    }

    /** Returns whether {@link StagedSyncs#settle} has something to do, and nothing more comes. */
    boolean mustSettle() {
        return passing.get() == 0 && !unsynced.isEmpty();
    }

    boolean journalHasFailed() {
        return journal.hasFailed();
    }

    /** A piece of the drain has ended. */
    void drained() {
        passedAt = clock.nanos();
    }

    void lost(int files) {
        lost = files;
    }

    Spills spills() {
        return spills;
    }

    Drain drain() {
        return drain;
    }

    SpillPace pace() {
        return pace;
    }

    /** Returns whether a piece may be drained while the volume only reads, and counts it. */
    boolean takeSpill() {
        boolean full = !role.passes() && !overlay.isEmpty() && isFull(SMALL_BYTES);
        boolean may = full && pace.take(Drain.PIECE_BYTES, clock.nanos());
        if (may) {
            spills.add(SpillReason.JOURNAL_FULL);
        }
        return may;
    }

    /** By the journal or by the heap, whichever is fuller. */
    Duration delay() {
        if (overlay.isEmpty() || role.passes()) {
            return Duration.ZERO;
        }
        double ofHeap = (double) overlay.entries() / MOST_ENTRIES;
        return JournalTerms.delay(Math.max(ofHeap, terms.used(journal.bytes())));
    }

    /** Returns whether {@link #endJournal} has something to do; after a failure, not for a while. */
    boolean mayEndJournal() {
        OptionalLong failed = notEndedAt;
        return overlay.isEmpty()
                && !journal.isEmpty()
                && (failed.isEmpty() || clock.nanos() - failed.getAsLong() >= END_AGAIN.toNanos());
    }

    /** Forgets a journal of which nothing is needed any more. */
    void endJournal() throws IOException {
        lock.lock();
        try {
            if (overlay.isEmpty() && !journal.isEmpty() && !drain.isRunning()) {
                if (journal.clear()) {
                    drain.journalCleared();
                } else {
                    notEndedAt = OptionalLong.of(clock.nanos());
                }
            }
        } finally {
            lock.unlock();
        }
    }

    StagedCounts counts(long lateSwitches) {
        return new StagedCounts(
                role,
                overlay.bytes(),
                journal.bytes(),
                terms.bytes(),
                accepted.get(),
                drain.drainedBytes(),
                pace.rate(),
                spills.counts(),
                lateSwitches,
                lost + drain.lostFiles());
    }

    /** The disk of the journal has no room. */
    private static final class JournalFullException extends IOException {
        private static final long serialVersionUID = 1L;

        JournalFullException(VolumeFullException cause) {
            super(cause.getMessage(), cause);
        }
    }
}
