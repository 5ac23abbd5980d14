package io.ecfs.datanode.store.ring;

import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.ring.device.DeviceDirectories;
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
import java.util.function.BooleanSupplier;
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
    private final BooleanSupplier passes;

    /** @param passes whether the device may be written */
    StagedSyncs(
            VolumeIo device,
            DeviceNames names,
            Unsynced unsynced,
            Journal journal,
            Overlay overlay,
            JournalTerms terms,
            Drain drain,
            Spills spills,
            BooleanSupplier passes) {
        this.device = device;
        this.names = names;
        this.unsynced = unsynced;
        this.journal = journal;
        this.overlay = overlay;
        this.terms = terms;
        this.drain = drain;
        this.spills = spills;
        this.passes = passes;
    }

    void sync(String file) throws IOException {
        Overlay.Found found = overlay.find(file);
        if (found.staged().isPresent()) {
            syncStaged(found.staged().get());
        } else if (!found.untouched()) {
            throw new NoSuchFileException(device.describe() + "/" + file);
        } else {
            syncDevice(file);
        }
    }

    private void syncDevice(String file) throws IOException {
        if (unsynced.has(file)) {
            lateSync();
            long mark = unsynced.mark(file);
            device.sync(file);
            unsynced.synced(file, mark);
        } else if (device.length(file).isEmpty()) {
            throw new NoSuchFileException(device.describe() + "/" + file);
        }
    }

    private void lateSync() {
        if (!passes.getAsBoolean()) {
            spills.add(SpillReason.LATE_SYNC);
        }
    }

    private void syncStaged(StagedFile file) throws IOException {
        if (journal.hasFailed()) {
            drainAllNow();
            return;
        }
        if (!terms.outlivesPower()) {
            drainNow(Set.of(file.group));
            return;
        }
        Optional<String> base = file.device().filter(path -> !StagingArea.has(path));
        if (base.isPresent() && unsynced.has(base.get())) {
            syncBase(file, base.get());
        }
        syncJournal(file.lastLsn());
    }

    /** The drain, which may move the file meanwhile, syncs it as well. */
    private void syncBase(StagedFile file, String base) throws IOException {
        try {
            syncDevice(base);
        } catch (NoSuchFileException e) {
            if (file.device().equals(Optional.of(base))) {
                throw e;
            }
        }
    }

    private void syncJournal(long lsn) throws IOException {
        if (!journal.trySync(lsn)) {
            drainAllNow();
        }
    }

    /** What is on disk of the journal is not known: all that it staged goes to the device. */
    private void drainAllNow() throws IOException {
        spills.add(SpillReason.JOURNAL_FAILED);
        drain.voidJournal();
        while (!overlay.isEmpty()) {
            drain.directoriesNow();
            drain.now(new LinkedHashSet<>(overlay.groups(Integer.MAX_VALUE)));
        }
    }

    /** Drains what a loss of power would take with the journal, at the end of the process. */
    void drainVolatile() {
        try {
            while (!terms.outlivesPower() && !overlay.isEmpty()) {
                drain.directoriesNow();
                drain.now(new LinkedHashSet<>(overlay.groups(Integer.MAX_VALUE)));
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("event=journal_not_drained volume={} error=\"{}\"", device.describe(), e.toString());
        }
    }

    private void drainNow(Set<String> groups) throws IOException {
        if (!passes.getAsBoolean()) {
            spills.add(SpillReason.VOLATILE_SYNC);
        }
        drain.now(groups);
    }

    void syncDirectory(String directory) throws IOException {
        if (unsynced.hasDirectory(directory) && !overlay.hasDirectory(directory)) {
            lateSync();
            names.sync(directory);
        }
        if (journal.hasFailed()) {
            drainAllNow();
        } else if (terms.outlivesPower()) {
            syncJournal(journal.lastLsn()); // also of files that are deleted again
        } else {
            Set<String> groups = groupsIn(directory);
            if (!groups.isEmpty() || !overlay.directories().isEmpty()) {
                drainNow(groups);
            }
            drain.directoriesNow();
        }
    }

    /** Groups of files with a name, or a former name, in a directory. */
    private Set<String> groupsIn(String directory) {
        Set<String> groups = new LinkedHashSet<>();
        for (StagedFile file : overlay.files()) {
            if (file.name()
                            .filter(path -> DeviceDirectories.parent(path).equals(directory))
                            .isPresent()
                    || file.device()
                            .filter(path -> DeviceDirectories.parent(path).equals(directory))
                            .isPresent()) {
                groups.add(file.group);
            }
        }
        return groups;
    }

    void syncAll(List<String> files, List<String> parents) throws IOException {
        Set<String> groups = new LinkedHashSet<>();
        boolean late = parents.stream().anyMatch(unsynced::hasDirectory);
        for (String file : files) {
            Overlay.Found found = overlay.find(file);
            found.staged().ifPresent(staged -> groups.add(staged.group));
            late |= unsynced.has(file)
                    || found.staged()
                            .flatMap(StagedFile::device)
                            .filter(unsynced::has)
                            .isPresent();
        }
        if (late) {
            lateSync();
            for (String file : files) {
                Optional<StagedFile> staged = overlay.at(file);
                if (staged.isPresent()) {
                    syncStaged(staged.get());
                }
            }
            List<String> onDevice = files.stream()
                    .filter(file -> overlay.find(file).untouched())
                    .filter(file -> !overlay.hasDirectory(DeviceDirectories.parent(file)))
                    .toList();
            if (!onDevice.isEmpty()) {
                List<Long> marks = onDevice.stream().map(unsynced::mark).toList();
                device.syncAll(onDevice);
                for (int i = 0; i < marks.size(); i++) {
                    unsynced.synced(onDevice.get(i), marks.get(i));
                }
            }
        }
        for (String directory : parents) {
            syncDirectory(directory);
        }
        if (journal.hasFailed()) {
            drainAllNow();
        } else if (terms.outlivesPower()) {
            syncJournal(journal.lastLsn());
        } else if (!groups.isEmpty()) {
            drainNow(groups);
        }
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
