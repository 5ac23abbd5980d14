package io.ecfs.datanode.store.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Names of files and directories as the process sees them, and as the disk has them. Changes of names reach the disk in order,
 * as a journaling file system writes them: a power failure leaves some first part of them, at least what was synced.
 */
final class MemoryTree {
    final TreeMap<String, MemoryFile> files = new TreeMap<>();
    final TreeSet<String> directories = new TreeSet<>();
    private final TreeMap<String, MemoryFile> durableFiles = new TreeMap<>();
    private final TreeSet<String> durableDirectories = new TreeSet<>();
    private final List<Change> unsynced = new ArrayList<>();

    private interface Edit {
        void apply(Map<String, MemoryFile> files, Set<String> directories);
    }

    private record Change(String directory, String otherDirectory, Edit edit) {}

    MemoryTree() {
        directories.add("");
        durableDirectories.add("");
    }

    void addDirectory(String directory) {
        change(parent(directory), parent(directory), (files, directories) -> directories.add(directory));
    }

    void add(String path, MemoryFile file) {
        change(parent(path), parent(path), (files, directories) -> files.put(path, file));
    }

    void remove(String path) {
        change(parent(path), parent(path), (files, directories) -> files.remove(path));
    }

    void rename(String from, String to) {
        change(parent(from), parent(to), (files, directories) -> files.put(to, files.remove(from)));
    }

    void sync(String directory) {
        int last = unsynced.size() - 1;
        while (last >= 0
                && !unsynced.get(last).directory.equals(directory)
                && !unsynced.get(last).otherDirectory.equals(directory)) {
            last--;
        }
        toDisk(last + 1);
    }

    void syncAll() {
        toDisk(unsynced.size());
    }

    /** @param survivors how many of the unsynced changes reach the disk */
    void losePower(int survivors) {
        toDisk(survivors);
        unsynced.clear();
        files.clear();
        files.putAll(durableFiles);
        directories.clear();
        directories.addAll(durableDirectories);
    }

    int unsyncedChanges() {
        return unsynced.size();
    }

    static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash < 0 ? "" : path.substring(0, slash);
    }

    private void change(String directory, String otherDirectory, Edit edit) {
        edit.apply(files, directories);
        unsynced.add(new Change(directory, otherDirectory, edit));
    }

    private void toDisk(int count) {
        List<Change> first = unsynced.subList(0, count);
        first.forEach(change -> change.edit.apply(durableFiles, durableDirectories));
        first.clear();
    }
}
