package io.ecfs.sim.cluster;

import io.ecfs.message.FilePath;
import io.ecfs.sim.cluster.Expectation.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Contents that all clients together may expect to find, by path. Every path has at most one client that changes it.
 */
public final class Ledger {
    private final TreeMap<FilePath, Expectation> files = new TreeMap<>();
    private final TreeMap<FilePath, List<Outcome.Written>> ever = new TreeMap<>();
    private final TreeMap<FilePath, List<Outcome.Written>> relics = new TreeMap<>();
    private final TreeMap<FilePath, UpdatedFile> updated = new TreeMap<>();
    private long tags;

    long newTag() {
        return ++tags;
    }

    public Expectation at(FilePath path) {
        return files.getOrDefault(path, Expectation.absent());
    }

    void put(FilePath path, Expectation expectation) {
        if (relics.containsKey(path)) {
            return;
        }
        files.put(path, expectation);
        List<Outcome.Written> written = ever.computeIfAbsent(path, p -> new ArrayList<>());
        expectation.outcomes().stream()
                .filter(Outcome.Written.class::isInstance)
                .map(Outcome.Written.class::cast)
                .forEach(written::add);
    }

    /**
     * The namenodes know of an earlier time: what is there may be of any moment, or gone; only it must never be
     * anything else.
     */
    void rolledBack() {
        relics.putAll(ever);
        files.keySet().removeAll(relics.keySet());
        updated.values().forEach(UpdatedFile::rolledBack);
    }

    /** Returns whether a rollback left the path's contents open. */
    public boolean relic(FilePath path) {
        return relics.containsKey(path);
    }

    /** Returns whether a relic may read so: it is the beginning of what was once at its path. */
    public boolean once(FilePath path, byte[] bytes) {
        return relics.get(path).stream()
                .anyMatch(file -> bytes.length <= file.most() && Contents.firstDifference(file.tag(), bytes) < 0);
    }

    UpdatedFile newUpdated(FilePath path) {
        UpdatedFile file = new UpdatedFile(path);
        updated.put(path, file);
        return file;
    }

    /** Files that are updated in place, in the order of their names. */
    public List<UpdatedFile> updated() {
        return List.copyOf(updated.values());
    }

    /** Paths whose contents a rollback left open. */
    public List<FilePath> relics() {
        return List.copyOf(relics.keySet());
    }

    /** In the order of their names. */
    public List<FilePath> paths() {
        return List.copyOf(files.keySet());
    }

    /** Paths below the directory whose closed files are known for certain. */
    public List<FilePath> certain(FilePath directory) {
        return files.entrySet().stream()
                .filter(entry -> directory.contains(entry.getKey()))
                .filter(entry -> entry.getValue().certain().isPresent())
                .map(Map.Entry::getKey)
                .toList();
    }
}
