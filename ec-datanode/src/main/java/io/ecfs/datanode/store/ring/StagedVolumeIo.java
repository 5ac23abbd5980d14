package io.ecfs.datanode.store.ring;

import io.ecfs.buffer.FileSlice;
import io.ecfs.datanode.store.io.UnreadableFileException;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.ring.device.DeviceNames;
import io.ecfs.datanode.store.ring.device.MarkerFile;
import io.ecfs.datanode.store.ring.device.StagingArea;
import io.ecfs.datanode.store.ring.device.Unsynced;
import io.ecfs.datanode.store.ring.journal.Journal;
import io.ecfs.datanode.store.ring.journal.JournalMissingException;
import io.ecfs.datanode.store.ring.journal.JournalRecord.Operation;
import io.ecfs.datanode.store.ring.journal.JournalTerms;
import io.ecfs.env.Clock;
import io.ecfs.env.Randomness;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A volume's port that stages changes in a journal while the volume only reads, and behaves like the port below for
 * every sequence of calls, also after a crash and after a loss of power.
 *
 * <pre>
 *   change --> {@link StagedChanges}: to the device, or a record in the {@link Journal} and an entry of the
 *              {@link Overlay}
 *   read   --> bytes of the journal over bytes of the device, as the overlay has them
 *   sync   --> {@link StagedSyncs}: the journal is synced, and what the device got before
 *   {@link Drain}: overlay --> device, in pieces that the volume's queue runs
 * </pre>
 *
 * Readers take no lock while they wait for a disk: a file that the drain moves meanwhile is read again.
 */
public final class StagedVolumeIo implements VolumeIo {
    private final VolumeIo device;
    private final Journal journal;
    private final Overlay overlay;
    private final StagedChanges changes;
    private final StagedSyncs syncs;
    private final ReadsInFlight reads = new ReadsInFlight();
    private final StagedRoles roles;

    private StagedVolumeIo(
            VolumeIo device, Journal journal, Overlay overlay, StagedChanges changes, StagedSyncs syncs, Clock clock) {
        this.device = device;
        this.journal = journal;
        this.overlay = overlay;
        this.changes = changes;
        this.syncs = syncs;
        this.roles = new StagedRoles(device, journal, overlay, changes, syncs, reads, clock);
    }

    /**
     * Locks the volume and takes over what an earlier process staged: then the volume begins as one that only reads,
     * otherwise as one outside of a ring.
     *
     * @param device closed with this
     * @param journal port of a directory of another device for this volume's journal alone; closed with this
     * @param synced whether nothing on the device waits to be written, of earlier processes either
     * @throws JournalMissingException when the device needs another journal
     */
    public static StagedVolumeIo open(
            VolumeIo device, VolumeIo journal, JournalTerms terms, boolean synced, Clock clock, Randomness randomness)
            throws IOException {
        device.lock();
        journal.lock();
        Unsynced unsynced = new Unsynced(!synced);
        DeviceNames names = new DeviceNames(device, unsynced);
        Journal staged = new Journal(
                journal,
                terms.segmentBytes(),
                randomness::nextLong,
                new MarkerFile(new StagingArea(device, names), terms.outlivesPower()));
        MarkerFile.require(device, staged.id(), journal.describe());
        Overlay overlay = new Overlay();
        int lost = new OverlayLoad(device, names, staged, overlay).run();
        StagedChanges changes = new StagedChanges(device, names, unsynced, staged, overlay, terms, clock);
        changes.lost(lost);
        StagedSyncs syncs =
                new StagedSyncs(device, names, unsynced, staged, overlay, terms, changes.drain(), changes.spills());
        return new StagedVolumeIo(device, staged, overlay, changes, syncs, clock);
    }

    /**
     * For a volume without a journal.
     *
     * @throws JournalMissingException when it needs one
     */
    public static void requireNoneNeeded(VolumeIo device) throws IOException {
        MarkerFile.require(device, OptionalLong.empty(), "the configuration");
    }

    /** What the volume does, and what it does next. */
    public StagedRoles roles() {
        return roles;
    }

    /** Its counters and gauges. */
    public StagedCounts counts() {
        return changes.counts(roles.lateSwitches());
    }

    /** Pieces of the drain, for the volume's queue. */
    Drain drain() {
        return changes.drain();
    }

    /** A piece of the drain has ended: the device took so many bytes. */
    void drained(long bytes, long nanos) {
        changes.pace().measured(bytes, nanos);
        changes.drained();
    }

    /** Returns whether a piece may be drained although the volume only reads, and counts it: the journal is full. */
    boolean takeSpill() {
        return changes.takeSpill();
    }

    /**
     * Returns whether a sync would drain what is staged itself, since the journal does not survive
     * the loss of power.
     */
    public boolean syncSpills() {
        return syncs.syncSpills();
    }

    /** How long an acknowledgement should be delayed, since the journal fills up. */
    public Duration acknowledgementDelay() {
        return changes.delay();
    }

    @Override
    public void lock() {
        // since it was opened
    }

    @Override
    public int read(String file, long offset, ByteBuffer into) throws IOException {
        return reads.count(() -> readMerged(file, offset, into));
    }

    private int readMerged(String file, long offset, ByteBuffer into) throws IOException {
        int start = into.position();
        while (true) {
            Overlay.Found found = overlay.find(file);
            if (found.staged().isEmpty()) {
                requireUntouched(found, file);
                return device.read(file, offset, into);
            }
            StagedFile staged = found.staged().get();
            Overlay.Plan plan = overlay.plan(staged, offset, into.remaining());
            try {
                for (StagedFile.Part part : plan.parts()) {
                    read(file, plan, part, into);
                }
                if (overlay.stands(staged, plan)) {
                    return into.position() - start;
                }
            } catch (IOException e) {
                if (overlay.stands(staged, plan)) {
                    throw e;
                }
            }
            into.position(start);
        }
    }

    private void read(String file, Overlay.Plan plan, StagedFile.Part part, ByteBuffer into) throws IOException {
        ByteBuffer target = into.slice(into.position(), part.bytes());
        if (part.staged().isPresent()) {
            Extent extent = part.staged().get();
            try {
                journal.read(extent.segment(), extent.position(), target);
            } catch (IOException e) {
                throw new UnreadableFileException(file, describe() + ": staged bytes of " + file + " are lost", e);
            }
        } else if (part.onDevice()) {
            device.read(plan.device().orElseThrow(), part.offset(), target);
        }
        while (target.hasRemaining()) { // a hole, or the device lost its end with its power
            target.put((byte) 0);
        }
        into.position(into.position() + part.bytes());
    }

    private void requireUntouched(Overlay.Found found, String file) throws NoSuchFileException {
        if (!found.untouched()) {
            throw missing(file);
        }
    }

    private NoSuchFileException missing(String file) {
        return new NoSuchFileException(describe() + "/" + file);
    }

    @Override
    public Optional<FileSlice> lend(String file, long offset, int bytes) throws IOException {
        Overlay.Found found = overlay.find(file);
        if (found.staged().isPresent()) {
            return Optional.empty();
        }
        requireUntouched(found, file);
        return reads.count(() -> device.lend(file, offset, bytes));
    }

    @Override
    public OptionalLong length(String file) throws IOException {
        return changes.length(file);
    }

    @Override
    public List<String> list(String directory) throws IOException {
        while (true) {
            long moves = overlay.moves();
            List<String> onDevice = device.list(directory);
            List<String> names = overlay.list(directory, onDevice);
            if (overlay.moves() == moves) {
                return directory.isEmpty()
                        ? names.stream()
                                .filter(name -> !name.equals(StagingArea.DIRECTORY))
                                .toList()
                        : names;
            }
        }
    }

    @Override
    public Space space() throws IOException {
        return changes.space();
    }

    @Override
    public Optional<LocalFile> local(String file) throws IOException {
        Overlay.Found found = overlay.find(file);
        if (found.staged().isPresent()) {
            return Optional.empty();
        }
        requireUntouched(found, file);
        return device.local(file);
    }

    @Override
    public void createDirectory(String directory) throws IOException {
        changes.createDirectory(directory);
    }

    @Override
    public void create(String file) throws IOException {
        changes.change(new StagedChanges.Change(List.of(file), 0, Optional.of(VolumeIo.parent(file)), true) {
            @Override
            public void stage() throws IOException {
                if (changes.length(file).isPresent()) {
                    throw new FileAlreadyExistsException(describe() + "/" + file);
                }
                changes.requireDirectory(VolumeIo.parent(file));
                changes.stage(Operation.CREATE, 0, file, 0);
            }

            @Override
            public void pass() throws IOException {
                device.create(file);
            }

            @Override
            public void passes(Unsynced unsynced, DeviceNames names) {
                unsynced.named(file);
            }

            @Override
            public void passed(Unsynced unsynced, long before) {
                unsynced.named(file);
            }
        });
    }

    @Override
    public void write(String file, long offset, ByteBuffer from) throws IOException {
        changes.change(new StagedChanges.Change(List.of(file), from.remaining(), Optional.empty(), false) {
            @Override
            public void stage() throws IOException {
                StagedFile staged = changes.staged(file);
                if (from.hasRemaining()) {
                    changes.stage(Operation.WRITE, staged.id, "", offset, from.duplicate());
                    from.position(from.limit());
                }
            }

            @Override
            public void pass() throws IOException {
                device.write(file, offset, from);
            }

            @Override
            public void passes(Unsynced unsynced, DeviceNames names) {
                unsynced.changed(file);
            }

            @Override
            public void passed(Unsynced unsynced, long before) {
                unsynced.changed(file);
            }
        });
    }

    @Override
    public void truncate(String file, long length) throws IOException {
        changes.change(new StagedChanges.Change(List.of(file), 0, Optional.empty(), false) {
            @Override
            public void stage() throws IOException {
                StagedFile staged = changes.staged(file);
                if (length < overlay.length(staged)) {
                    changes.stage(Operation.TRUNCATE, staged.id, "", length);
                }
            }

            @Override
            public void pass() throws IOException {
                device.truncate(file, length);
            }

            @Override
            public void passes(Unsynced unsynced, DeviceNames names) {
                unsynced.changed(file);
            }

            @Override
            public void passed(Unsynced unsynced, long before) {
                unsynced.changed(file);
            }
        });
    }

    @Override
    public void rename(String from, String to) throws IOException {
        if (from.equals(to)) {
            if (changes.length(from).isEmpty()) {
                throw missing(from);
            }
            return;
        }
        changes.change(new StagedChanges.Change(List.of(from, to), 0, Optional.of(VolumeIo.parent(to)), true) {
            @Override
            public void stage() throws IOException {
                StagedFile staged = changes.staged(from);
                changes.requireDirectory(VolumeIo.parent(to));
                // What the device has of a replaced file is not shown any more.
                long replaced = changes.length(to).isPresent() ? changes.staged(to).id : 0;
                changes.stage(Operation.RENAME, staged.id, to, replaced);
            }

            @Override
            public void pass() throws IOException {
                device.rename(from, to);
            }

            @Override
            public void passes(Unsynced unsynced, DeviceNames names) throws IOException {
                names.expect(from, to);
                unsynced.renames(from, to);
            }

            @Override
            public void passed(Unsynced unsynced, long before) {
                unsynced.renamed(from, to, before);
            }
        });
    }

    @Override
    public void delete(String file) throws IOException {
        changes.change(new StagedChanges.Change(List.of(file), 0, Optional.empty(), true) {
            @Override
            public void stage() throws IOException {
                changes.stage(Operation.DELETE, changes.staged(file).id, "", 0);
            }

            @Override
            public void pass() throws IOException {
                device.delete(file);
            }

            @Override
            public void passes(Unsynced unsynced, DeviceNames names) {
                unsynced.named(file);
            }

            @Override
            public void passed(Unsynced unsynced, long before) {
                unsynced.deleted(file, before);
            }
        });
    }

    @Override
    public void sync(String file) throws IOException {
        syncs.sync(file);
    }

    @Override
    public void syncDirectory(String directory) throws IOException {
        syncs.syncDirectory(directory);
    }

    @Override
    public void syncAll(List<String> files) throws IOException {
        List<String> directories = new ArrayList<>();
        for (String file : files) {
            if (!directories.contains(VolumeIo.parent(file))) {
                directories.add(VolumeIo.parent(file));
            }
        }
        syncs.syncAll(files, directories);
    }

    @Override
    public String describe() {
        return device.describe();
    }

    @Override
    public void close() {
        syncs.drainVolatile();
        journal.close();
        device.close();
    }
}
