package io.ecfs.datanode.store.ring;

import io.ecfs.datanode.store.io.VolumeFullException;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.ring.device.DeviceNames;
import io.ecfs.datanode.store.ring.device.DrainedFile;
import io.ecfs.datanode.store.ring.device.LsnRanges;
import io.ecfs.datanode.store.ring.device.StagingArea;
import io.ecfs.datanode.store.ring.journal.Journal;
import io.ecfs.datanode.store.ring.journal.JournalRecord.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last steps of draining files whose bytes the device has: they are synced, get their names, and are recorded as
 * drained. No one else may change these files meanwhile, nor those that the device has under their names.
 *
 * <p>After a crash between these steps a file is in the {@link StagingArea}, or where the journal has it, or at its
 * name, searched in this order ({@link OverlayLoad}). That is never ambiguous: a name is given only when no other
 * staged file claims it on the device, except a deleted one, which the renaming replaces, and one that is moved aside
 * first. What gets a name so waits in the staging area until the name is free: as long as it is not there, and has not
 * left its former place, what is at the name is not its own.
 */
final class NamesDrain {
    private static final Logger LOG = LoggerFactory.getLogger(NamesDrain.class);

    /** No file: that there is a list has a start search names before former places. */
    private static final LsnRanges NOTHING = LsnRanges.of(List.of(0L));

    private final VolumeIo device;
    private final DeviceNames names;
    private final Journal journal;
    private final Overlay overlay;
    private final StagingArea area;
    private final DrainedFile fallback;

    /** Deleted files whose names the device has given to others, by these, until that is recorded. */
    private final Map<StagedFile, Set<StagedFile>> replacedBy = new ConcurrentHashMap<>();

    /** Files that were moved aside and of which the journal, which is full, has no record of that. */
    private final Set<StagedFile> unrecorded = ConcurrentHashMap.newKeySet();

    NamesDrain(VolumeIo device, DeviceNames names, Journal journal, Overlay overlay, StagingArea area) {
        this.device = device;
        this.names = names;
        this.journal = journal;
        this.overlay = overlay;
        this.area = area;
        this.fallback = new DrainedFile(area);
    }

    /**
     * Drains the files, unless the journal fails meanwhile.
     *
     * @param journalFailed whether the journal has failed, and its last records are void
     * @param drained gets the files that are recorded as drained, also when the call fails: they are no longer staged
     */
    void drain(List<StagedFile> files, boolean journalFailed, Set<StagedFile> drained) throws IOException {
        for (StagedFile file : files) {
            if (file.name().isPresent()) {
                settle(file);
            }
        }
        // A renaming that replaced another file of the group comes before the end of that one.
        List<StagedFile> inOrder = files.stream()
                .sorted(Comparator.comparingLong(StagedFile::lastNamed)
                        .thenComparing(file -> file.name().isEmpty()))
                .toList();
        new Pass(inOrder, journalFailed, drained).run();
    }

    /** The device's file has just the bytes of the file, on disk. */
    private void settle(StagedFile file) throws IOException {
        String path = file.device().orElseThrow();
        long there = device.length(path).orElseThrow(() -> new NoSuchFileException(device.describe() + "/" + path));
        if (there > file.length()) {
            device.truncate(path, file.length());
        } else if (there < file.length()) {
            device.write(path, file.length() - 1, ByteBuffer.allocate(1)); // zeros up to there
        }
        device.sync(path);
    }

    /** Makes those of these directories that are staged; on disk when it returns. */
    void makeDirectories(Collection<String> directories) throws IOException {
        for (String directory : directories) {
            Long lsn = overlay.directories().get(directory);
            if (lsn != null) {
                journal.trySync(lsn);
                device.createDirectory(directory);
                names.sync(VolumeIo.parent(directory));
                noteLsns(List.of(lsn));
                overlay.removeDirectory(directory);
            }
        }
    }

    /**
     * Notes on the device that files of the journal's last records are gone. That is also the record behind the last
     * one: its append may have failed after it had landed.
     */
    void voidUnsynced() throws IOException {
        overlay.forgetEnded(journal.durable());
        LsnRanges gone = LsnRanges.of(overlay.ended());
        long from = Math.max(journal.durable() + 1, journal.firstLsn());
        for (long staged : overlay.introducedFrom(from)) {
            gone.add(from, staged - 1);
            from = staged + 1;
        }
        gone.add(from, journal.lastLsn() + 1);
        fallback.add(gone);
    }

    /** The journal is empty: numbers that were noted may be given again. */
    void forgetVoided() throws IOException {
        fallback.delete();
    }

    private void note(Collection<StagedFile> drained) throws IOException {
        noteLsns(drained.stream().map(file -> file.id).toList());
    }

    private void noteLsns(List<Long> drained) throws IOException {
        try {
            for (long lsn : drained) {
                journal.append(Operation.DRAINED, lsn, "", 0);
            }
            journal.sync();
        } catch (VolumeFullException e) {
            LOG.debug("event=journal_disk_full journal={}", journal.describe(), e); // until segments are freed
            noteFull(LsnRanges.of(drained));
        } catch (IOException e) {
            journal.fail("drain", e);
            fallback.add(LsnRanges.of(drained));
        }
    }

    /** Files without a note stay staged, but some of them may have a record in the journal: nothing must follow it. */
    private void noteFull(LsnRanges drained) throws IOException {
        try {
            fallback.add(drained);
        } catch (IOException e) {
            journal.fail("drain", e);
            throw e;
        }
    }

    private static Set<String> parentsOf(String path) {
        Set<String> parents = new TreeSet<>(); // the shorter come first
        for (String up = VolumeIo.parent(path); !up.isEmpty(); up = VolumeIo.parent(up)) {
            parents.add(up);
        }
        return parents;
    }

    /** The names of some files whose bytes are settled. */
    private final class Pass {
        private final List<StagedFile> files;
        private final boolean journalFailed;
        private final Set<StagedFile> drained;
        private final Set<String> gained = new TreeSet<>();
        private final Set<String> left = new TreeSet<>();

        Pass(List<StagedFile> files, boolean journalFailed, Set<StagedFile> drained) {
            this.files = files;
            this.journalFailed = journalFailed;
            this.drained = drained;
        }

        void run() throws IOException {
            try {
                giveNames();
            } catch (IOException e) {
                if (files.stream().anyMatch(unrecorded::contains)) {
                    journal.fail("drain", e); // such a file must not get another name
                }
                throw e;
            }
        }

        private void giveNames() throws IOException {
            for (StagedFile file : files) {
                if (file.isLost()) {
                    put(file, StagingArea.lostPathOf(file.id));
                } else if (file.name().isEmpty()) {
                    delete(file);
                } else if (file.name().equals(file.device())) {
                    names.settle(VolumeIo.parent(file.name().get())); // put there by an earlier attempt
                } else if (clear(file.name().get(), file)) {
                    put(file, file.name().get());
                } else {
                    sync();
                    return; // the next piece goes on
                }
            }
            sync();
            noteDrained(files);
        }

        private void delete(StagedFile file) throws IOException {
            String path = file.device().orElseThrow();
            if (overlay.claiming(path).filter(claiming -> claiming == file).isPresent()) {
                try {
                    device.delete(path);
                } catch (NoSuchFileException e) {
                    LOG.debug("event=staged_deletion_repeated volume={} file={}", device.describe(), path, e);
                }
            }
            left.add(VolumeIo.parent(path)); // also when another file has replaced it: that has to be on disk
        }

        private void put(StagedFile file, String path) throws IOException {
            String before = file.device().orElseThrow();
            makeDirectories(parentsOf(path));
            if (StagingArea.has(path)) {
                area.make();
            }
            Optional<StagedFile> replaced = there(path, file).filter(other -> isAt(other, path));
            names.rename(before, path);
            overlay.moved(file, path);
            replaced.ifPresent(other -> replacedBy
                    .computeIfAbsent(file, successor -> ConcurrentHashMap.newKeySet())
                    .add(other));
            gained.add(VolumeIo.parent(path));
            left.add(VolumeIo.parent(before));
        }

        /**
         * Has the device give a name to a file: another one is moved aside, a deleted one is replaced.
         *
         * @return false when the journal failed meanwhile: the name must not be given before its last records are void
         */
        private boolean clear(String name, StagedFile file) throws IOException {
            Optional<StagedFile> there = there(name, file);
            if (there.isEmpty()) {
                return true;
            }
            StagedFile other = there.get();
            if (!isAt(other, name)) {
                return left(name, other);
            }
            if (other.name().isEmpty() && !other.isLost()) {
                return replace(other, file);
            }
            stage(file);
            device.sync(name); // a sync of a file takes for granted that what lies aside is on disk
            stage(other);
            return noteMove(name, other);
        }

        private Optional<StagedFile> there(String path, StagedFile file) {
            return overlay.claiming(path).filter(claiming -> claiming != file);
        }

        private static boolean isDone(StagedFile file) {
            return file.isLost()
                    ? isAt(file, StagingArea.lostPathOf(file.id))
                    : file.name().equals(file.device());
        }

        private static boolean isAt(StagedFile file, String path) {
            return file.device().equals(Optional.of(path));
        }

        /** Has the device move a file to the staging area, on disk: a start finds it there before anywhere else. */
        private void stage(StagedFile file) throws IOException {
            String before = file.device().orElseThrow();
            String aside = StagingArea.pathOf(file.id);
            if (before.equals(aside)) {
                names.settle(StagingArea.DIRECTORY); // moved by an earlier attempt
                return;
            }
            area.make();
            names.rename(before, aside);
            overlay.moved(file, aside);
            names.sync(VolumeIo.parent(before)); // the staging area first
        }

        /**
         * As {@link #clear} when the renaming replaces a deleted file. Its end is recorded behind the renaming: a start
         * must not take its bytes for those of the successor. Without a journal it is recorded before the renaming,
         * since the journal may not have it; so the successor is in the staging area meanwhile.
         */
        private boolean replace(StagedFile other, StagedFile file) throws IOException {
            if (journalFailed || unrecorded.contains(file)) {
                stage(file);
                fallback.add(LsnRanges.of(List.of(other.id)));
                return true;
            }
            return !journal.hasFailed();
        }

        /** As {@link #clear} when the other file has just left the name. */
        private boolean left(String name, StagedFile other) throws IOException {
            names.sync(VolumeIo.parent(other.device().orElseThrow()));
            names.sync(VolumeIo.parent(name));
            if (files.contains(other) && isDone(other)) {
                sync();
                noteDrained(List.of(other));
                return true;
            }
            noteReplaced(List.of(other));
            return noteMove(name, other);
        }

        /**
         * Records where the device has a file that left a name, on disk: the name is given to another one before this
         * one is drained. Without a record a start searches it in the staging area, and then at its own name.
         *
         * @return false when the journal failed meanwhile
         */
        private boolean noteMove(String name, StagedFile file) throws IOException {
            if (!journalFailed) {
                try {
                    journal.append(Operation.MOVED, file.id, file.device().orElseThrow(), 0);
                    journal.sync();
                    unrecorded.remove(file);
                } catch (VolumeFullException e) {
                    LOG.debug("event=journal_disk_full journal={}", journal.describe(), e); // until segments are freed
                    if (!isAt(file, StagingArea.pathOf(file.id))) {
                        journal.fail("drain", e); // it may get another name before it is drained
                        return false;
                    }
                    unrecorded.add(file);
                    fallback.add(NOTHING);
                } catch (IOException e) {
                    journal.fail("drain", e);
                    return false;
                }
            }
            overlay.vacated(name);
            return true;
        }

        /** Records these as drained, after those that they replaced: one of these alone would take its name along. */
        private void noteDrained(List<StagedFile> some) throws IOException {
            noteReplaced(some);
            note(some);
            drained.addAll(some);
            unrecorded.removeAll(some);
        }

        private void noteReplaced(List<StagedFile> by) throws IOException {
            Set<StagedFile> replaced = new LinkedHashSet<>();
            by.forEach(file -> replaced.addAll(replacedBy.getOrDefault(file, Set.of())));
            if (!replaced.isEmpty()) {
                note(replaced);
                drained.addAll(replaced);
            }
            by.forEach(replacedBy::remove);
        }

        /** What gets a name first: the end of the old name alone would lose the file. */
        private void sync() throws IOException {
            Set<String> all = new LinkedHashSet<>(gained);
            all.addAll(left);
            for (String directory : all) {
                if (!directory.equals(StagingArea.DIRECTORY) || gained.contains(directory)) {
                    names.sync(directory);
                }
            }
        }
    }
}
