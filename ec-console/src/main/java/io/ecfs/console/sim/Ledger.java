package io.ecfs.console.sim;

import io.ecfs.message.FilePath;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What all clients together may expect to find, by path. Every path has at most one client that changes it. */
final class Ledger {
    private final TreeMap<FilePath, Expectation> files = new TreeMap<>();
    private long tags;

    long newTag() {
        return ++tags;
    }

    Expectation at(FilePath path) {
        return files.getOrDefault(path, Expectation.absent());
    }

    void put(FilePath path, Expectation expectation) {
        files.put(path, expectation);
    }

    /** In the order of their names. */
    List<FilePath> paths() {
        return List.copyOf(files.keySet());
    }

    /** Paths below the directory whose closed files are known for certain. */
    List<FilePath> certain(FilePath directory) {
        return files.entrySet().stream()
                .filter(entry -> directory.contains(entry.getKey()))
                .filter(entry -> entry.getValue().certain().isPresent())
                .map(Map.Entry::getKey)
                .toList();
    }
}
