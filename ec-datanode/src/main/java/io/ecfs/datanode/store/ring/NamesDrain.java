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
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last steps of draining files whose bytes the device has: they are synced, get their names, and are recorded as
 * drained. No one else may change these files meanwhile, nor those that the device has under their names.
 *
 * <p>After a crash between these steps a file is in the {@link StagingArea}, or where the journal has it, or at its
 * name, searched in this order ({@link OverlayLoad}). That is never ambiguous: a name is given only when no other
 * staged file claims it on the device, except a deleted one, which the renaming replaces, and one that is moved aside
 * first.
 */
final class NamesDrain {
    private static final Logger LOG = LoggerFactory.getLogger(NamesDrain.class);

    private final VolumeIo device;
    private final DeviceNames names;
    private final Journal journal;
    private final Overlay overlay;
    private final StagingArea area;
    private final DrainedFile fallback;

    NamesDrain(VolumeIo device, DeviceNames names, Journal journal, Overlay overlay, StagingArea area) {
        this.device = device;
        this.names = names;
        this.journal = journal;
        this.overlay = overlay;
        this.area = area;
        this.fallback = new DrainedFile(area);
    }

    /**
     * @return the files that are as they should be now, on disk: all of them, and those that they replaced; none when
     *     the journal failed meanwhile
     */
    Set<StagedFile> drain(List<StagedFile> files) throws IOException {
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
        return new Pass(inOrder).run();
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

    /**
     * Records where the device has a file, on disk: it may leave that place again before it is drained. Without a
     * journal a start searches it at its name first.
     *
     * @return false when the journal failed meanwhile
     */
    private boolean noteMove(StagedFile file) {
        try {
            if (!journal.hasFailed()) {
                journal.append(Operation.MOVED, file.id, file.device().orElseThrow(), 0);
                journal.sync();
            }
            return true;
        } catch (IOException e) {
            journal.fail("drain", e);
            return false;
        }
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
            fallback.add(LsnRanges.of(drained));
        } catch (IOException e) {
            journal.fail("drain", e);
            fallback.add(LsnRanges.of(drained));
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
        private final Set<StagedFile> replaced = new LinkedHashSet<>();
        private final Set<String> gained = new TreeSet<>();
        private final Set<String> left = new TreeSet<>();

        Pass(List<StagedFile> files) {
            this.files = files;
        }

        /** @return the files that are on disk as they should be; none when the journal failed meanwhile */
        Set<StagedFile> run() throws IOException {
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
                    return Set.of(); // the next piece goes on
                }
            }
            sync();
            return noted(files);
        }

        private void delete(StagedFile file) throws IOException {
            String path = file.device().orElseThrow();
            if (overlay.claiming(path).filter(claiming -> claiming == file).isPresent()) {
                try {
                    device.delete(path);
                } catch (NoSuchFileException e) {
                    LOG.debug("event=staged_deletion_repeated volume={} file={}", device.describe(), path, e);
                }
                left.add(VolumeIo.parent(path));
            }
        }

        private void put(StagedFile file, String path) throws IOException {
            String before = file.device().orElseThrow();
            makeDirectories(parentsOf(path));
            if (StagingArea.has(path)) {
                area.make();
            }
            names.rename(before, path);
            overlay.moved(file, path);
            gained.add(VolumeIo.parent(path));
            left.add(VolumeIo.parent(before));
        }

        /**
         * Has the device give a name to a file: another one is moved aside, a deleted one is replaced.
         *
         * @return false when the journal failed meanwhile: the name must not be given before its last records are void
         */
        private boolean clear(String name, StagedFile file) throws IOException {
            Optional<StagedFile> there = overlay.claiming(name).filter(claiming -> claiming != file);
            if (there.isEmpty()) {
                return true;
            }
            StagedFile other = there.get();
            if (!other.device().equals(Optional.of(name))) {
                return left(name, other);
            }
            if (other.name().isEmpty() && !other.isLost()) {
                if (journal.hasFailed()) { // its end may not be on disk
                    fallback.add(LsnRanges.of(List.of(other.id)));
                }
                replaced.add(other);
                return true;
            }
            device.sync(name); // a sync of a file takes for granted that what lies aside is on disk
            area.make();
            String aside = StagingArea.pathOf(other.id);
            names.rename(name, aside);
            names.sync(StagingArea.DIRECTORY);
            names.sync(VolumeIo.parent(name));
            overlay.moved(other, aside);
            overlay.vacated(name); // a start finds the file in the staging area first
            return noteMove(other);
        }

        /** As {@link #clear} when the other file has just left the name. */
        private boolean left(String name, StagedFile other) throws IOException {
            names.sync(VolumeIo.parent(other.device().orElseThrow()));
            names.sync(VolumeIo.parent(name));
            if (files.contains(other)) {
                sync();
                noted(List.of(other));
                return true;
            }
            overlay.vacated(name);
            return noteMove(other);
        }

        /** Records these as drained, after those that they replaced: one of these alone would take its name along. */
        private Set<StagedFile> noted(List<StagedFile> some) throws IOException {
            if (!replaced.isEmpty()) {
                note(replaced);
            }
            note(some);
            Set<StagedFile> drained = new LinkedHashSet<>(replaced);
            drained.addAll(some);
            return drained;
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
