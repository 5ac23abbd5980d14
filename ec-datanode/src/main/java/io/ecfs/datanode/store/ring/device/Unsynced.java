package io.ecfs.datanode.store.ring.device;

import io.ecfs.datanode.store.io.VolumeIo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Files and directories of the device that were changed there and not synced since. A mark is set before a change, and
 * again when it has landed; it is dropped after a sync, if none was set since that began: so a sync that another one
 * finds under way is not taken for its own. Thread-safe.
 */
public final class Unsynced {
    /** Of a path without a mark. */
    static final long NO_MARK = 0;

    private final Map<String, Long> files = new ConcurrentHashMap<>();
    private final Map<String, Long> directories = new ConcurrentHashMap<>();
    private final Set<String> known = ConcurrentHashMap.newKeySet(); // synced by this process
    private final AtomicLong marks = new AtomicLong(NO_MARK);
    private final boolean unknown;

    /** @param unknown whether an earlier process may have left others: then none is known to be synced */
    public Unsynced(boolean unknown) {
        this.unknown = unknown;
    }

    public void changed(String file) {
        files.put(file, marks.incrementAndGet());
    }

    public void named(String path) {
        directories.put(VolumeIo.parent(path), marks.incrementAndGet());
    }

    /** Call before a renaming: what is not synced of the file is so under both names. */
    public void renames(String from, String to) {
        named(from);
        named(to);
        if (has(from)) {
            changed(to);
        }
    }

    /** @param mark of the old name before the renaming */
    public void renamed(String from, String to, long mark) {
        renames(from, to);
        files.remove(from, mark);
        known.remove(from);
    }

    /** @param mark of the file before it was deleted */
    public void deleted(String file, long mark) {
        named(file);
        files.remove(file, mark);
        known.remove(file);
    }

    public boolean has(String file) {
        return files.containsKey(file) || (unknown && !known.contains(file));
    }

    public boolean hasDirectory(String directory) {
        return directories.containsKey(directory) || (unknown && !known.contains(directory));
    }

    /** The mark of a file; take it before the file is synced. */
    public long mark(String file) {
        return files.getOrDefault(file, NO_MARK);
    }

    public long directoryMark(String directory) {
        return directories.getOrDefault(directory, NO_MARK);
    }

    /** The file has been synced, or is gone. */
    public void synced(String file, long mark) {
        files.remove(file, mark);
        note(file);
    }

    public void directorySynced(String directory, long mark) {
        directories.remove(directory, mark);
        note(directory);
    }

    private void note(String path) {
        if (unknown) {
            known.add(path);
        }
    }

    public boolean isEmpty() {
        return files.isEmpty() && directories.isEmpty();
    }

    public List<String> files() {
        return sorted(files.keySet());
    }

    public List<String> directories() {
        return sorted(directories.keySet());
    }

    private static List<String> sorted(Set<String> paths) {
        List<String> all = new ArrayList<>(paths);
        all.sort(null);
        return all;
    }
}
