package io.ecfs.datanode.store.ring;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Files and directories of the device that were changed there and not synced since. Thread-safe. */
final class Unsynced {
    private final Set<String> files = ConcurrentHashMap.newKeySet();
    private final Set<String> directories = ConcurrentHashMap.newKeySet();
    private final Set<String> known = ConcurrentHashMap.newKeySet(); // synced by this process
    private final boolean unknown;

    /** @param unknown whether an earlier process may have left others: then none is known to be synced */
    Unsynced(boolean unknown) {
        this.unknown = unknown;
    }

    void changed(String file) {
        files.add(file);
    }

    void named(String path) {
        directories.add(NamesDrain.parent(path));
    }

    void renamed(String from, String to) {
        named(from);
        named(to);
        if (files.remove(from)) {
            files.add(to);
        }
    }

    void deleted(String file) {
        named(file);
        files.remove(file);
        known.remove(file);
    }

    boolean has(String file) {
        return files.contains(file) || (unknown && !known.contains(file));
    }

    boolean hasDirectory(String directory) {
        return directories.contains(directory) || (unknown && !known.contains(directory));
    }

    /** Call before the file is synced: a change that comes meanwhile counts again. */
    void remove(String file) {
        files.remove(file);
        note(file);
    }

    void removeDirectory(String directory) {
        directories.remove(directory);
        note(directory);
    }

    private void note(String path) {
        if (unknown) {
            known.add(path);
        }
    }

    boolean isEmpty() {
        return files.isEmpty() && directories.isEmpty();
    }

    List<String> files() {
        List<String> all = new ArrayList<>(files);
        all.sort(null);
        return all;
    }

    List<String> directories() {
        List<String> all = new ArrayList<>(directories);
        all.sort(null);
        return all;
    }
}
