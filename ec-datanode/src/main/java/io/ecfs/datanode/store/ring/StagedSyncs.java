package io.ecfs.datanode.store.ring;

import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.ring.device.DeviceNames;
import io.ecfs.datanode.store.ring.device.StagingArea;
import io.ecfs.datanode.store.ring.device.Unsynced;
import io.ecfs.datanode.store.ring.journal.Journal;
import io.ecfs.datanode.store.ring.journal.JournalTerms;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts on disk what callers of a {@link StagedVolumeIo} sync: the journal, what the device got before it was staged,
 * or, where the journal does not outlive the loss of power or has failed, the staged files themselves. Writes of the
 * device for that are counted as spills while the volume only reads. Any thread.
 */
final class StagedSyncs {
    private static final Logger LOG = LoggerFactory.getLogger(StagedSyncs.class);

    private final VolumeIo device;
    private final DeviceNames names;
    private final Unsynced unsynced;
    private final Journal journal;
    private final Overlay overlay;
    private final JournalTerms terms;
    private final Drain drain;
    private final Spills spills;

    StagedSyncs(
            VolumeIo device,
            DeviceNames names,
            Unsynced unsynced,
            Journal journal,
            Overlay overlay,
            JournalTerms terms,
            Drain drain,
            Spills spills) {
        this.device = device;
        this.names = names;
        this.unsynced = unsynced;
        this.journal = journal;
        this.overlay = overlay;
        this.terms = terms;
        this.drain = drain;
        this.spills = spills;
    }

    void sync(String file) throws IOException {
        Overlay.Found found = overlay.find(file);
        if (found.staged().isPresent()) {
            StagedFile staged = found.staged().get();
            if (lateBase(staged).isPresent()) {
                spills.add(SpillReason.LATE_SYNC);
                syncBase(staged);
            }
            syncStaged(staged.lastLsn(), Set.of(staged.group), false);
        } else if (!found.untouched()) {
            throw new NoSuchFileException(device.describe() + "/" + file);
        } else if (unsynced.has(file)) {
            spills.add(SpillReason.LATE_SYNC);
            syncDevice(file);
        } else if (device.length(file).isEmpty()) {
            throw new NoSuchFileException(device.describe() + "/" + file);
        }
    }

    void syncDirectory(String directory) throws IOException {
        if (isLate(directory)) {
            spills.add(SpillReason.LATE_SYNC);
            names.sync(directory);
        }
        syncStaged(journal.lastLsn(), groupsIn(directory), true); // also of files that are deleted again
    }

    /** @param parents the directories of all of the files */
    void syncAll(List<String> files, List<String> parents) throws IOException {
        List<StagedFile> staged =
                files.stream().map(overlay::at).flatMap(Optional::stream).toList();
        boolean late = files.stream().anyMatch(unsynced::has)
                || staged.stream().anyMatch(file -> lateBase(file).isPresent())
                || parents.stream().anyMatch(this::isLate);
        if (late) {
            spills.add(SpillReason.LATE_SYNC);
            for (StagedFile file : staged) {
                syncBase(file);
            }
            syncAllDevice(files.stream()
                    .filter(file -> overlay.find(file).untouched())
                    .filter(file -> !overlay.hasDirectory(VolumeIo.parent(file)))
                    .toList());
            for (String directory : parents) {
                if (isLate(directory)) {
                    names.sync(directory);
                }
            }
        }
        Set<String> groups = new LinkedHashSet<>();
        staged.forEach(file -> groups.add(file.group));
        parents.forEach(directory -> groups.addAll(groupsIn(directory)));
        syncStaged(journal.lastLsn(), groups, true);
    }

    /** The device's file of a staged one, if that was changed there and is not on disk; the drain syncs its own. */
    private Optional<String> lateBase(StagedFile file) {
        return terms.outlivesPower() && !journal.hasFailed()
                ? file.device().filter(path -> !StagingArea.has(path)).filter(unsynced::has)
                : Optional.empty();
    }

    private boolean isLate(String directory) {
        return unsynced.hasDirectory(directory) && !overlay.hasDirectory(directory);
    }

    /** The drain, which may move the file meanwhile, syncs it as well. */
    private void syncBase(StagedFile file) throws IOException {
        Optional<String> base = lateBase(file);
        if (base.isEmpty()) {
            return;
        }
        try {
            syncDevice(base.get());
        } catch (NoSuchFileException e) {
            if (file.device().equals(base)) {
                throw e;
            }
        }
    }

    private void syncDevice(String file) throws IOException {
        long mark = unsynced.mark(file);
        device.sync(file);
        unsynced.synced(file, mark);
    }

    private void syncAllDevice(List<String> files) throws IOException {
        if (files.isEmpty()) {
            return;
        }
        List<Long> marks = files.stream().map(unsynced::mark).toList();
        device.syncAll(files);
        for (int i = 0; i < marks.size(); i++) {
            unsynced.synced(files.get(i), marks.get(i));
        }
    }

    /**
     * Puts on disk what is staged.
     *
     * @param lsn at least up to this record
     * @param groups at least these files
     * @param directories and the directories
     */
    private void syncStaged(long lsn, Set<String> groups, boolean directories) throws IOException {
        if (terms.outlivesPower() || journal.hasFailed()) {
            if (!journal.trySync(lsn)) {
                drainAllNow();
            }
        } else if (!groups.isEmpty() || (directories && !overlay.directories().isEmpty())) {
            spills.add(SpillReason.VOLATILE_SYNC);
            drain.now(groups);
            if (directories) {
                drain.directoriesNow();
            }
        }
    }

    /** What is on disk of the journal is not known: all that it staged goes to the device. */
    private void drainAllNow() throws IOException {
        spills.add(SpillReason.JOURNAL_FAILED);
        drain.voidJournal();
        drain.all();
    }

    /** Drains what a loss of power would take with the journal, at the end of the process. */
    void drainVolatile() {
        try {
            if (!terms.outlivesPower()) {
                drain.all();
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("event=journal_not_drained volume={} error=\"{}\"", device.describe(), e.toString());
        }
    }

    /** Groups of files with a name, or a former name, in a directory. */
    private Set<String> groupsIn(String directory) {
        Set<String> groups = new LinkedHashSet<>();
        for (StagedFile file : overlay.files()) {
            if (file.name()
                            .filter(path -> VolumeIo.parent(path).equals(directory))
                            .isPresent()
                    || file.device()
                            .filter(path -> VolumeIo.parent(path).equals(directory))
                            .isPresent()) {
                groups.add(file.group);
            }
        }
        return groups;
    }

    /** Syncs what the device got by passing changes. */
    void settle() throws IOException {
        for (String file : unsynced.files()) {
            long mark = unsynced.mark(file);
            try {
                device.sync(file);
            } catch (NoSuchFileException e) {
                LOG.debug("event=sync_left_out volume={} file={}", device.describe(), file, e); // deleted meanwhile
            }
            unsynced.synced(file, mark);
        }
        for (String directory : unsynced.directories()) {
            names.sync(directory);
        }
    }

    /**
     * Returns whether a sync would drain what is staged itself. Also while the volume writes: it would go on when the
     * turn is over, and what is staged is drained anyway.
     */
    boolean syncSpills() {
        return !terms.outlivesPower() && !overlay.isEmpty() && !journal.hasFailed();
    }
}
