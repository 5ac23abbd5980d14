package io.ecfs.datanode.store.ring;

import io.ecfs.datanode.store.io.VolumeFullException;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.ring.device.DeviceDirectories;
import io.ecfs.datanode.store.ring.device.DeviceNames;
import io.ecfs.datanode.store.ring.device.DrainedFile;
import io.ecfs.datanode.store.ring.device.LsnRanges;
import io.ecfs.datanode.store.ring.device.StagingArea;
import io.ecfs.datanode.store.ring.journal.Journal;
import io.ecfs.datanode.store.ring.journal.JournalLoad;
import io.ecfs.datanode.store.ring.journal.JournalRecord;
import io.ecfs.datanode.store.ring.journal.JournalRecord.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills an {@link Overlay} from the journal at a start. Records about files that no earlier record introduced are
 * skipped: those files were drained before the segments of their first records were freed.
 *
 * <p>A crash in a piece of the drain leaves a file elsewhere on the device than the journal has it. It is searched in
 * the staging area, where the journal has it, and at its name, and the journal gets to know where it is, before
 * anything else can take one of these places.
 */
final class OverlayLoad implements JournalLoad.Receiver {
    private static final Logger LOG = LoggerFactory.getLogger(OverlayLoad.class);

    private final VolumeIo device;
    private final DeviceNames names;
    private final DeviceDirectories directories;
    private final Journal journal;
    private final Overlay overlay;
    private final StagingArea area;
    private final DrainedFile drainedElsewhere;
    private final Map<Long, String> lostOfDevice = new TreeMap<>(); // behind the damage, by file
    private final Map<Long, String> lostNew = new TreeMap<>();
    private final Set<Long> damaged = new TreeSet<>();
    private boolean broken;
    private boolean journalFailed; // of the process before this one
    private int withoutBase;

    OverlayLoad(VolumeIo device, DeviceNames names, Journal journal, Overlay overlay) {
        this.device = device;
        this.names = names;
        this.directories = new DeviceDirectories(device);
        this.journal = journal;
        this.overlay = overlay;
        this.area = new StagingArea(device, names);
        this.drainedElsewhere = new DrainedFile(area);
    }

    /** @return how many files are lost, because the journal is damaged or the device has lost theirs */
    int run() throws IOException {
        boolean whole = journal.load(this);
        LsnRanges listed = drainedElsewhere.read();
        journalFailed = !listed.isEmpty();
        Set<Long> elsewhere = known();
        elsewhere.removeIf(id -> !listed.contains(id));
        removeDrained(elsewhere);
        List<StagedFile> files = overlay.files();
        Set<String> pending = new HashSet<>(device.list(StagingArea.DIRECTORY));
        Set<String> taken = new HashSet<>();
        // Deleted files last: what they had may have been replaced by another one's renaming.
        for (StagedFile file : files) {
            if (file.name().isPresent()) {
                locate(file, pending).ifPresent(taken::add);
            }
        }
        for (StagedFile file : files) {
            if (file.name().isEmpty()) {
                locateDeleted(file, pending, taken);
            }
        }
        removeOrphans();
        int lost = whole ? loseDamaged() : loseAll();
        if (whole && !journal.isEmpty()) {
            // Records that follow may have numbers that the file lists.
            for (long id : elsewhere) {
                append(Operation.DRAINED, id, "");
            }
            if (!journal.hasFailed()) {
                journal.sync();
            }
        }
        overlay.vacated();
        if (journal.isEmpty() || !journal.hasFailed()) { // otherwise the next start finds the same records
            drainedElsewhere.delete();
        }
        return lost + withoutBase;
    }

    /** Files and directories that the records are about. */
    private Set<Long> known() {
        Set<Long> all = new TreeSet<>(lostOfDevice.keySet());
        all.addAll(lostNew.keySet());
        overlay.files().forEach(file -> all.add(file.id));
        all.addAll(overlay.directories().values());
        return all;
    }

    /** A journal without room takes no more: what it has is drained, and the next start searches again. */
    private void append(Operation operation, long file, String path) throws IOException {
        try {
            if (!journal.hasFailed()) {
                journal.append(operation, file, path, 0);
            }
        } catch (VolumeFullException e) {
            journal.fail("start", e);
        }
    }

    @Override
    public void record(Journal.Place at) {
        overlay.apply(at);
    }

    @Override
    public void damaged(JournalRecord record) {
        damaged.add(record.file());
    }

    @Override
    public void lost(List<JournalRecord> behind) {
        broken = true;
        for (JournalRecord record : behind) {
            switch (record.operation()) {
                case OPEN -> lostOfDevice.put(record.lsn(), record.path());
                case CREATE -> lostNew.put(record.lsn(), record.path());
                case DELETE -> lostNew.remove(record.file());
                case RENAME -> {
                    lostNew.remove(record.offset());
                    lostNew.computeIfPresent(record.file(), (id, name) -> record.path());
                }
                case DRAINED -> removeDrained(Set.of(record.file()));
                default -> {}
            }
        }
    }

    private void removeDrained(Set<Long> ids) {
        for (long id : ids) {
            lostOfDevice.remove(id);
            lostNew.remove(id);
            overlay.drained(id);
        }
    }

    /** @return where the device has the file */
    private Optional<String> locate(StagedFile file, Set<String> pending) throws IOException {
        file.redo();
        String aside = StagingArea.pathOf(file.id);
        String name = file.name().orElseThrow();
        if (pending.contains(StagingArea.nameOf(file.id))) {
            return at(file, aside);
        }
        boolean atName = exists(name)
                && overlay.claiming(name)
                        .filter(other -> other != file && !pending.contains(StagingArea.nameOf(other.id)))
                        .isEmpty();
        if (journalFailed && atName) { // it may have been moved aside before, and another one lies at its place
            return at(file, name);
        }
        if (file.device().isPresent() && exists(file.device().get())) {
            return file.device();
        }
        if (atName) {
            return at(file, name);
        }
        if (file.device().isPresent()) {
            // Its renaming to a name that a deleted file claims was done, if the device has anything there.
            if (exists(name)) {
                return at(file, name);
            }
            LOG.error("event=staged_file_without_base volume={} file={}", device.describe(), name);
            overlay.lose(file);
            withoutBase++;
        }
        return Optional.empty();
    }

    private Optional<String> at(StagedFile file, String path) throws IOException {
        if (!file.device().equals(Optional.of(path))) {
            overlay.moved(file, path);
            if (!broken) {
                names.settle(VolumeIo.parent(path)); // or a loss of power makes the record wrong
                append(Operation.MOVED, file.id, path);
            }
        }
        return Optional.of(path);
    }

    private void locateDeleted(StagedFile file, Set<String> pending, Set<String> taken) throws IOException {
        String aside = StagingArea.pathOf(file.id);
        if (pending.contains(StagingArea.nameOf(file.id))) {
            at(file, aside);
            return;
        }
        Optional<String> path = file.device();
        if (path.isEmpty() || taken.contains(path.get()) || !exists(path.get())) {
            overlay.remove(file);
            if (!broken) {
                if (path.isPresent()) {
                    settleIfThere(VolumeIo.parent(path.get()));
                }
                append(Operation.DRAINED, file.id, "");
            }
        }
    }

    /** A device that has lost the directory has none of its names either. */
    private void settleIfThere(String directory) throws IOException {
        if (directories.has(directory)) {
            names.settle(directory);
        }
    }

    /** Files of the staging area that no staged file claims were deleted before they had a name. */
    private void removeOrphans() throws IOException {
        List<String> removed = new ArrayList<>();
        for (String name : device.list(StagingArea.DIRECTORY)) {
            String path = StagingArea.DIRECTORY + "/" + name;
            if (StagingArea.isPending(name) && overlay.claiming(path).isEmpty()) {
                device.delete(path);
                removed.add(name);
            }
        }
        if (!removed.isEmpty()) {
            names.sync(StagingArea.DIRECTORY);
            LOG.info("event=staging_area_cleaned volume={} files={}", device.describe(), removed.size());
        }
    }

    /** Files of which a record is damaged are missing from now on; the drain puts what the device has of them aside. */
    private int loseDamaged() {
        int lost = 0;
        for (long id : damaged) {
            Optional<StagedFile> file = overlay.file(id);
            if (file.isPresent()) {
                logLost(nameOf(file.get()));
                overlay.lose(file.get());
                lost++;
            }
        }
        return lost;
    }

    private static String nameOf(StagedFile file) {
        return file.name().or(file::device).orElse("");
    }

    private void logLost(String name) {
        LOG.error(
                "event=staged_file_lost volume={} file={} journal={} note=reported_missing",
                device.describe(),
                name,
                journal.describe());
    }

    /** What the damaged journal staged is missing from now on; the device's parts of it stay in the staging area. */
    private int loseAll() throws IOException {
        List<StagedFile> lost = overlay.files();
        area.make();
        Set<String> left = new TreeSet<>();
        for (StagedFile file : lost) {
            logLost(nameOf(file));
            if (file.device().isPresent() && exists(file.device().get())) {
                names.rename(file.device().get(), StagingArea.lostPathOf(file.id));
                left.add(VolumeIo.parent(file.device().get()));
            }
            overlay.remove(file);
        }
        Set<String> paths = new TreeSet<>(lostOfDevice.values());
        paths.addAll(lostNew.values());
        for (String path : paths) {
            logLost(path);
            if (exists(path)) {
                names.rename(path, StagingArea.lostPathOf(path));
                left.add(VolumeIo.parent(path));
            }
        }
        names.sync(StagingArea.DIRECTORY);
        for (String directory : left) {
            names.sync(directory);
        }
        overlay.directories().keySet().forEach(overlay::removeDirectory);
        if (!journal.clear()) { // the next start would take it for a loss of what comes now
            throw new IOException(journal.describe() + ": the damaged journal cannot be removed");
        }
        return lost.size() + paths.size();
    }

    private boolean exists(String path) throws IOException {
        return device.length(path).isPresent();
    }
}
