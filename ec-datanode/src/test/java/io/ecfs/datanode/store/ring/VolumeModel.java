package io.ecfs.datanode.store.ring;

import io.ecfs.datanode.store.io.VolumeIo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a plain volume shows after calls, and what it may show after a loss of power: of each directory's changes of
 * names some first part, at least what was synced; of each file what was synced, and any part of what was not.
 */
final class VolumeModel {
    private final Map<String, ModelFile> names = new TreeMap<>();
    private final Map<String, List<NameChange>> journals = new TreeMap<>();
    private final Map<String, Entry> durable = new HashMap<>();
    private final Set<String> syncing = new HashSet<>();
    private long changes;

    /** Content of a file, as seen and as of its last sync. */
    private static final class ModelFile {
        byte[] bytes = {};
        byte[] synced = {};
        final List<Update> unsynced = new ArrayList<>();

        void apply(Update update) {
            unsynced.add(update);
            bytes = update.on(bytes);
        }
    }

    /** A write, or with null a truncation. */
    private record Update(int at, byte[] bytes) {
        byte[] on(byte[] before) {
            if (bytes == null) {
                return at < before.length ? Arrays.copyOf(before, at) : before;
            }
            byte[] after = Arrays.copyOf(before, Math.max(before.length, at + bytes.length));
            System.arraycopy(bytes, 0, after, at, bytes.length);
            return after;
        }
    }

    private record NameChange(long number, Map<String, Optional<ModelFile>> names, boolean syncedOnly) {}

    private record Entry(Optional<ModelFile> file, long change) {}

    void create(String path) {
        ModelFile file = new ModelFile();
        names.put(path, file);
        note(VolumeIo.parent(path), Map.of(path, Optional.of(file)), false);
    }

    void write(String path, int offset, byte[] bytes) {
        names.get(path).apply(new Update(offset, bytes));
    }

    void truncate(String path, int length) {
        if (length < names.get(path).bytes.length) {
            names.get(path).apply(new Update(length, null));
        }
    }

    void rename(String from, String to) {
        if (from.equals(to)) {
            return;
        }
        ModelFile file = names.remove(from);
        names.put(to, file);
        note(VolumeIo.parent(to), Map.of(from, Optional.empty(), to, Optional.of(file)), false);
        if (!VolumeIo.parent(from).equals(VolumeIo.parent(to))) {
            note(VolumeIo.parent(from), Map.of(from, Optional.empty()), true);
        }
    }

    void delete(String path) {
        names.remove(path);
        note(VolumeIo.parent(path), Map.of(path, Optional.empty()), false);
    }

    void sync(String path) {
        ModelFile file = names.get(path);
        file.synced = file.bytes;
        file.unsynced.clear();
    }

    /** What a sync of these directories begins with may be on disk, even if it does not end. */
    void beginSync(Collection<String> directories) {
        syncing.clear();
        syncing.addAll(directories);
    }

    void syncDirectory(String directory) {
        toDisk(durable, journals.getOrDefault(directory, List.of()));
        journals.remove(directory);
    }

    boolean has(String path) {
        return names.containsKey(path);
    }

    Map<String, byte[]> content() {
        Map<String, byte[]> all = new TreeMap<>();
        names.forEach((path, file) -> all.put(path, file.bytes));
        return all;
    }

    /** After the end of a process all that was done is as good as synced. */
    void processEnded() {
        List.copyOf(journals.keySet()).forEach(this::syncDirectory);
        names.keySet().forEach(this::sync);
    }

    /** Returns whether the sync of a directory could take both names of a file. */
    boolean hasUnsyncedRenamings() {
        return journals.values().stream().flatMap(List::stream).anyMatch(NameChange::syncedOnly);
    }

    /** Returns whether a plain volume could show this after a loss of power; if not, the reason. */
    Optional<String> refuses(Map<String, byte[]> seen) {
        List<String> directories = List.copyOf(journals.keySet());
        List<String> reasons = new ArrayList<>();
        boolean possible = search(directories, 0, new HashMap<>(durable), seen, reasons);
        return possible
                ? Optional.empty()
                : Optional.of("seen " + seen.keySet() + ": "
                        + reasons.stream().distinct().limit(20).toList() + ", on disk "
                        + durable.entrySet().stream()
                                .filter(entry -> entry.getValue().file.isPresent())
                                .map(Map.Entry::getKey)
                                .sorted()
                                .toList()
                        + ", not synced " + text());
    }

    private String text() {
        StringBuilder all = new StringBuilder();
        journals.forEach((directory, journal) -> {
            all.append(directory).append("/: ");
            for (NameChange change : journal) {
                change.names.forEach((path, file) ->
                        all.append(file.isPresent() ? " +" : " -").append(path));
                all.append(change.syncedOnly ? " (synced only);" : ";");
            }
        });
        return all.toString();
    }

    private boolean search(
            List<String> directories,
            int next,
            Map<String, Entry> onDisk,
            Map<String, byte[]> seen,
            List<String> reasons) {
        if (next == directories.size()) {
            return fits(onDisk, seen, reasons);
        }
        List<NameChange> journal = journals.get(directories.get(next));
        for (int prefix = 0; prefix <= journal.size(); prefix++) {
            Map<String, Entry> with = new HashMap<>(onDisk);
            toDisk(
                    with,
                    journal.subList(0, prefix).stream()
                            .filter(change -> !change.syncedOnly || syncing.contains(directories.get(next)))
                            .toList());
            if (search(directories, next + 1, with, seen, reasons)) {
                return true;
            }
        }
        return false;
    }

    private static boolean fits(Map<String, Entry> onDisk, Map<String, byte[]> seen, List<String> reasons) {
        Map<String, ModelFile> files = new TreeMap<>();
        onDisk.forEach((path, entry) -> entry.file.ifPresent(file -> files.put(path, file)));
        if (!files.keySet().equals(seen.keySet())) {
            return false;
        }
        for (Map.Entry<String, ModelFile> entry : files.entrySet()) {
            Optional<String> reason = refuses(entry.getValue(), seen.get(entry.getKey()));
            if (reason.isPresent()) {
                reasons.add(entry.getKey() + " " + reason.get());
                return false;
            }
        }
        return true;
    }

    private static Optional<String> refuses(ModelFile file, byte[] seen) {
        int least = file.synced.length;
        int most = file.synced.length;
        for (Update update : file.unsynced) {
            least = Math.min(least, update.bytes == null ? update.at : least);
            most = Math.max(most, update.bytes == null ? most : update.at + update.bytes.length);
        }
        if (seen.length < least || seen.length > most) {
            return Optional.of("has " + seen.length + " bytes, not " + least + " to " + most);
        }
        for (int i = 0; i < seen.length; i++) {
            if (!mayBe(file, i, seen[i])) {
                return Optional.of("has a byte at " + i + " of " + seen.length + " that was not there");
            }
        }
        return Optional.empty();
    }

    private static boolean mayBe(ModelFile file, int position, byte seen) {
        if (position < file.synced.length ? seen == file.synced[position] : seen == 0) {
            return true;
        }
        for (Update update : file.unsynced) {
            if (update.bytes == null) {
                if (seen == 0 && position >= update.at) {
                    return true;
                }
            } else if (position >= update.at
                    && position < update.at + update.bytes.length
                    && seen == update.bytes[position - update.at]) {
                return true;
            }
        }
        return false;
    }

    private void note(String directory, Map<String, Optional<ModelFile>> changed, boolean syncedOnly) {
        journals.computeIfAbsent(directory, name -> new ArrayList<>())
                .add(new NameChange(changes++, changed, syncedOnly));
    }

    private static void toDisk(Map<String, Entry> disk, List<NameChange> first) {
        for (NameChange change : first) {
            change.names.forEach((path, file) -> {
                Entry before = disk.get(path);
                if (before == null || before.change < change.number) {
                    disk.put(path, new Entry(file, change.number));
                }
            });
        }
    }
}
