package io.ecfs.datanode.store.memory;

import io.ecfs.datanode.store.io.VolumeIo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * Names of files and directories as the process sees them, and as the disk has them. Each directory has a journal of
 * its own: its changes reach the disk in order, and a power failure leaves some first part of them, at least what was
 * synced, whatever became of other directories. That is all POSIX promises; ext4 and XFS, which have one journal, leave
 * less to chance.
 *
 * <p>A rename between two directories is one change, in the journal of the directory that gets the name: after a power
 * failure a file has its old name or its new one. But the sync of the directory that it left puts the end of the old
 * name on disk, and not the new name: until the directory that gets it is synced too, a power failure takes both. A
 * directory that is lost takes along what is in it.
 */
final class MemoryTree {
    final TreeMap<String, MemoryFile> files = new TreeMap<>();
    final TreeSet<String> directories = new TreeSet<>();
    private final Map<String, Entry> durable = new TreeMap<>();
    private final SortedMap<String, List<Change>> journals = new TreeMap<>();
    private long changes;

    /**
     * Target of a name.
     *
     * @param file empty for a directory
     */
    private record Node(Optional<MemoryFile> file) {}

    /**
     * A name on the disk, or one that was removed there.
     *
     * @param change number of the change that put it there: an older one, of another directory's journal, that comes
     *     later is void
     */
    private record Entry(Optional<Node> node, long change) {}

    /** @param syncedOnly reaches the disk by the sync of its directory alone */
    private record Change(long number, Map<String, Optional<Node>> names, boolean syncedOnly) {}

    MemoryTree() {
        directories.add("");
    }

    void addDirectory(String directory) {
        directories.add(directory);
        note(VolumeIo.parent(directory), Map.of(directory, Optional.of(new Node(Optional.empty()))));
    }

    void add(String path, MemoryFile file) {
        files.put(path, file);
        note(VolumeIo.parent(path), Map.of(path, there(file)));
    }

    void remove(String path) {
        files.remove(path);
        note(VolumeIo.parent(path), Map.of(path, Optional.empty()));
    }

    void rename(String from, String to) {
        MemoryFile file = files.remove(from);
        files.put(to, file);
        note(VolumeIo.parent(to), Map.of(from, Optional.empty(), to, there(file)));
        if (!VolumeIo.parent(from).equals(VolumeIo.parent(to))) {
            note(VolumeIo.parent(from), new Change(changes++, Map.of(from, Optional.empty()), true));
        }
    }

    void sync(String directory) {
        Optional.ofNullable(journals.remove(directory)).ifPresent(this::toDisk);
    }

    void syncAll() {
        journals.values().forEach(this::toDisk);
        journals.clear();
    }

    /** Of each directory's changes that are not on disk, some first part gets there; the others are gone. */
    void losePower(RandomGenerator random) {
        for (List<Change> journal : journals.values()) {
            toDisk(journal.subList(0, random.nextInt(journal.size() + 1)).stream()
                    .filter(change -> !change.syncedOnly)
                    .toList());
        }
        journals.clear();
        files.clear();
        directories.clear();
        directories.add("");
        durable.forEach((path, entry) -> entry.node.ifPresent(
                node -> { // parents come before what is in them
                    if (directories.contains(VolumeIo.parent(path))) {
                        node.file.ifPresentOrElse(file -> files.put(path, file), () -> directories.add(path));
                    }
                }));
        durable.keySet().removeIf(path -> !files.containsKey(path) && !directories.contains(path));
    }

    private static Optional<Node> there(MemoryFile file) {
        return Optional.of(new Node(Optional.of(file)));
    }

    private void note(String directory, Map<String, Optional<Node>> names) {
        note(directory, new Change(changes++, names, false));
    }

    private void note(String directory, Change change) {
        journals.computeIfAbsent(directory, name -> new ArrayList<>()).add(change);
    }

    private void toDisk(List<Change> first) {
        for (Change change : first) {
            change.names.forEach((path, node) -> {
                Entry before = durable.get(path);
                if (before == null || before.change < change.number) {
                    durable.put(path, new Entry(node, change.number));
                }
            });
        }
    }
}
