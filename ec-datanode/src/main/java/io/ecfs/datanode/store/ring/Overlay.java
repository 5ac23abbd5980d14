package io.ecfs.datanode.store.ring;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.datanode.store.ring.journal.Journal;
import io.ecfs.datanode.store.ring.journal.JournalRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The files of a volume that differ from those of its device, and how. Changed only by records of the journal, in
 * order, and by the drain; so a start that reads the journal finds the same.
 *
 * <pre>
 *   names:   path as callers see it  --> file
 *   claims:  path on the device      --> file that has its bytes there; callers do not see it under this name, unless
 *                                        that is its name as well
 * </pre>
 *
 * Any thread; no call waits for a disk.
 */
final class Overlay {
    @GuardedBy("this")
    private final NavigableMap<Long, StagedFile> files = new TreeMap<>();

    @GuardedBy("this")
    private final NavigableMap<String, StagedFile> names = new TreeMap<>();

    @GuardedBy("this")
    private final Map<String, StagedFile> claims = new HashMap<>();

    /** Former places of files on the device, as long as the journal does not have the new ones. */
    @GuardedBy("this")
    private final Map<String, StagedFile> left = new HashMap<>();

    /** In order of their oldest files. */
    @GuardedBy("this")
    private final Map<String, List<StagedFile>> groups = new LinkedHashMap<>();

    @GuardedBy("this")
    private final NavigableMap<String, Long> directories = new TreeMap<>();

    /** Files whose ends are records of the journal alone: lsn of the end, and file. */
    @GuardedBy("this")
    private final NavigableMap<Long, Long> ended = new TreeMap<>();

    @GuardedBy("this")
    private long bytes;

    @GuardedBy("this")
    private long extents;

    /** How often something got to another place on the device. */
    @GuardedBy("this")
    private long moves;

    private volatile boolean empty = true;

    /** Returns whether nothing is staged: cheap. */
    boolean isEmpty() {
        return empty;
    }

    /** The staged file of a name. */
    synchronized Optional<StagedFile> at(String path) {
        return Optional.ofNullable(names.get(path));
    }

    /** The file whose bytes the device has under this path, or had until just now. */
    synchronized Optional<StagedFile> claiming(String path) {
        return Optional.ofNullable(claims.get(path)).or(() -> Optional.ofNullable(left.get(path)));
    }

    /** Who knows about a path. */
    synchronized Found find(String path) {
        StagedFile file = names.get(path);
        if (file != null) {
            return new Found(Optional.of(file), false);
        }
        return new Found(Optional.empty(), !claims.containsKey(path) && !left.containsKey(path));
    }

    /**
     * @param staged the file of this name
     * @param untouched the device alone knows; otherwise, without a staged file, there is none of this name
     */
    record Found(Optional<StagedFile> staged, boolean untouched) {}

    synchronized Optional<StagedFile> file(long id) {
        return Optional.ofNullable(files.get(id));
    }

    synchronized List<StagedFile> files() {
        return List.copyOf(files.values());
    }

    /** Changes when names of the device that were listed before may be wrong. */
    synchronized long moves() {
        return moves;
    }

    /** What a record changes, at once and at each start; nothing when it is about a file that is not staged. */
    synchronized void apply(Journal.Place at) {
        JournalRecord record = at.record();
        long lsn = record.lsn();
        Optional<StagedFile> file = file(record.file());
        switch (record.operation()) {
            case CREATE -> add(StagedFile.created(lsn, record.path()));
            case OPEN -> add(StagedFile.opened(lsn, record.path(), record.offset()));
            case WRITE -> file.ifPresent(there -> write(there, lsn, Extent.of(at)));
            case TRUNCATE -> file.ifPresent(there -> truncate(there, lsn, record.offset()));
            case RENAME -> {
                // The file that was replaced may still be known when the records of the other one are freed.
                file(record.offset()).ifPresent(replaced -> delete(replaced, lsn));
                file.ifPresent(there -> rename(there, lsn, record.path()));
            }
            case DELETE -> file.ifPresent(there -> delete(there, lsn));
            case DIRECTORY -> addDirectory(lsn, record.path());
            case DRAINED -> drained(record.file());
            case MOVED -> file.ifPresent(there -> moved(there, record.path()));
        }
    }

    /** The device has the file or the directory that this record introduced. */
    synchronized void drained(long lsn) {
        file(lsn).ifPresent(this::remove);
        directories().forEach((path, introduced) -> {
            if (introduced == lsn) {
                removeDirectory(path);
            }
        });
    }

    @GuardedBy("this")
    private void add(StagedFile file) {
        files.put(file.id, file);
        file.name().ifPresent(path -> names.put(path, file));
        file.device().ifPresent(path -> claims.put(path, file));
        groups.computeIfAbsent(file.group, group -> new ArrayList<>()).add(file);
        empty = false;
    }

    private synchronized void write(StagedFile file, long lsn, Extent extent) {
        long before = file.extents.bytes();
        int count = file.extents.count();
        file.write(lsn, extent);
        bytes += file.extents.bytes() - before;
        extents += file.extents.count() - count;
    }

    private synchronized void truncate(StagedFile file, long lsn, long length) {
        long before = file.extents.bytes();
        int count = file.extents.count();
        file.truncate(lsn, length);
        bytes += file.extents.bytes() - before;
        extents += file.extents.count() - count;
    }

    /** Gives the file a name; the one that had it is deleted. */
    private synchronized void rename(StagedFile file, long lsn, String to) {
        Optional.ofNullable(names.get(to)).filter(there -> there != file).ifPresent(there -> delete(there, lsn));
        unname(file);
        file.named(lsn, Optional.of(to));
        names.put(to, file);
    }

    /** Its bytes are lost: it has no name any more, and what the device has of it is not shown. */
    synchronized void lose(StagedFile file) {
        unname(file);
        file.lose();
        if (file.device().isEmpty()) {
            remove(file);
        }
    }

    /** A file that the device never had is gone at once, and its bytes never get there. */
    private synchronized void delete(StagedFile file, long lsn) {
        unname(file);
        file.named(lsn, Optional.empty());
        if (file.device().isEmpty()) {
            remove(file);
            ended.put(lsn, file.id);
        }
    }

    /** The journal has the ends of files up to this record on disk. */
    synchronized void forgetEnded(long durable) {
        ended.headMap(durable, true).clear();
    }

    /** Files whose ends are not known to be on disk. */
    synchronized List<Long> ended() {
        return List.copyOf(ended.values());
    }

    /** Lsns from this one on that introduced files and directories that are staged, in order. */
    synchronized NavigableSet<Long> introducedFrom(long lsn) {
        NavigableSet<Long> found = new TreeSet<>(files.tailMap(lsn, true).keySet());
        directories.values().stream().filter(one -> one >= lsn).forEach(found::add);
        return found;
    }

    @GuardedBy("this")
    private void unname(StagedFile file) {
        file.name().ifPresent(name -> names.remove(name, file));
    }

    /** The device has the file there. */
    synchronized void moved(StagedFile file, String device) {
        moves++;
        file.device().ifPresent(before -> {
            if (claims.remove(before, file)) {
                left.put(before, file);
            }
        });
        file.at(Optional.of(device));
        claims.put(device, file);
    }

    /** A start does not take what is there for the file that was. */
    synchronized void vacated(String path) {
        left.remove(path);
    }

    /** The journal has where all files are. */
    synchronized void vacated() {
        left.clear();
    }

    /** The device has what was staged of the file, and it is synced there. */
    synchronized void remove(StagedFile file) {
        if (files.remove(file.id) == null) {
            return;
        }
        moves++;
        unname(file);
        file.device().ifPresent(path -> claims.remove(path, file));
        left.values().removeIf(file::equals);
        bytes -= file.extents.bytes();
        extents -= file.extents.count();
        List<StagedFile> group = groups.get(file.group);
        group.remove(file);
        if (group.isEmpty()) {
            groups.remove(file.group);
        }
        file.gone();
        empty = files.isEmpty() && directories.isEmpty();
    }

    private synchronized void addDirectory(long lsn, String path) {
        directories.putIfAbsent(path, lsn);
        empty = false;
    }

    synchronized boolean hasDirectory(String path) {
        return directories.containsKey(path);
    }

    /** Directories that the device has not, parents first. */
    synchronized NavigableMap<String, Long> directories() {
        return new TreeMap<>(directories);
    }

    synchronized void removeDirectory(String path) {
        moves++;
        directories.remove(path);
        empty = files.isEmpty() && directories.isEmpty();
    }

    /** Names of groups of files, oldest first, at most so many. */
    synchronized List<String> groups(int most) {
        return groups.keySet().stream().limit(most).toList();
    }

    /** Files of a group, oldest first. */
    synchronized List<StagedFile> group(String name) {
        return List.copyOf(groups.getOrDefault(name, List.of()));
    }

    /** Names in a directory, given those that the device has there. */
    synchronized List<String> list(String directory, List<String> onDevice) {
        String prefix = directory.isEmpty() ? "" : directory + "/";
        TreeSet<String> found = new TreeSet<>();
        for (String name : onDevice) {
            if (!claims.containsKey(prefix + name) && !left.containsKey(prefix + name)) {
                found.add(name);
            }
        }
        addNames(found, names.tailMap(prefix, true).keySet(), prefix);
        addNames(found, directories.tailMap(prefix, true).keySet(), prefix);
        return List.copyOf(found);
    }

    private static void addNames(Set<String> found, Iterable<String> sorted, String prefix) {
        for (String path : sorted) {
            if (!path.startsWith(prefix)) {
                return;
            }
            if (path.indexOf('/', prefix.length()) < 0 && path.length() > prefix.length()) {
                found.add(path.substring(prefix.length()));
            }
        }
    }

    /** First record that is still needed; {@link Long#MAX_VALUE} when none is. */
    synchronized long oldest() {
        long file = files.isEmpty() ? Long.MAX_VALUE : files.firstKey();
        return directories.values().stream().mapToLong(lsn -> lsn).reduce(file, Math::min);
    }

    /** Files and extents: what the overlay takes of the heap. */
    synchronized long entries() {
        return files.size() + extents;
    }

    /** Staged bytes that are still needed. */
    synchronized long bytes() {
        return bytes;
    }

    /** Bytes of a file for a reader, and the version of the file for which they are right. */
    synchronized Plan plan(StagedFile file, long from, int most) {
        return new Plan(file.parts(from, most), file.device(), file.version());
    }

    /** Returns whether what was planned was there all the time. */
    synchronized boolean stands(StagedFile file, Plan plan) {
        return file.version() == plan.version;
    }

    synchronized long length(StagedFile file) {
        return file.length();
    }

    synchronized List<Extent> unwritten(StagedFile file, int most) {
        return file.extents.unwritten(most);
    }

    synchronized void written(StagedFile file, List<Extent> extents) {
        file.extents.written(extents);
    }

    /** @param device path of the device's file, for the parts on the device */
    record Plan(List<StagedFile.Part> parts, Optional<String> device, long version) {}
}
