package io.ecfs.datanode.store.ring.device;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.datanode.store.io.VolumeIo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Syncs directories of the device in an order in which no file loses both of its names: the sync of a directory that a
 * file left puts the end of its old name on disk, and not the new name. So the directory that it went to comes first.
 * The callers of a volume see to that for their own renamings; this does for syncs that are not theirs.
 */
public final class DeviceNames {
    private final VolumeIo device;
    private final Unsynced unsynced;

    /** Directories that must be synced before a directory is, and the last renaming that requires it. */
    @GuardedBy("this")
    private final Map<String, Map<String, Long>> before = new HashMap<>();

    @GuardedBy("this")
    private long renamings;

    public DeviceNames(VolumeIo device, Unsynced unsynced) {
        this.device = device;
        this.unsynced = unsynced;
    }

    /** Renames a file, so that its directories count as not synced. */
    public void rename(String from, String to) throws IOException {
        expect(from, to);
        named(from, to); // before it as well: the answer may get lost
        device.rename(from, to);
        named(from, to);
    }

    private void named(String from, String to) {
        unsynced.named(from);
        unsynced.named(to);
    }

    /** Notes a renaming that follows. */
    public void expect(String from, String to) throws IOException {
        String left = VolumeIo.parent(from);
        String gained = VolumeIo.parent(to);
        if (left.equals(gained)) {
            return;
        }
        if (inOrder(gained).contains(left)) { // another file went the other way
            sync(gained);
        }
        synchronized (this) {
            before.computeIfAbsent(left, directory -> new LinkedHashMap<>()).put(gained, ++renamings);
        }
    }

    /** Returns when the names of the directory are on disk, and those of files that left it. */
    public void sync(String directory) throws IOException {
        for (String next : inOrder(directory)) {
            long noted = renamings();
            long mark = unsynced.directoryMark(next);
            device.syncDirectory(next);
            unsynced.directorySynced(next, mark);
            forget(next, noted);
        }
    }

    /** As {@link #sync}, unless it is known that the names of the directory are on disk. */
    public void settle(String directory) throws IOException {
        if (unsynced.hasDirectory(directory)) {
            sync(directory);
        }
    }

    private synchronized long renamings() {
        return renamings;
    }

    /** The directory is on disk with the renamings up to this one. */
    private synchronized void forget(String directory, long upTo) {
        before.getOrDefault(directory, Map.of()).values().removeIf(renaming -> renaming <= upTo);
        before.values()
                .forEach(first ->
                        first.computeIfPresent(directory, (gained, renaming) -> renaming <= upTo ? null : renaming));
        before.values().removeIf(Map::isEmpty);
    }

    private synchronized List<String> inOrder(String directory) {
        List<String> order = new ArrayList<>();
        add(directory, order, new HashSet<>());
        return order;
    }

    @GuardedBy("this")
    private void add(String directory, List<String> order, Set<String> seen) {
        if (seen.add(directory)) {
            before.getOrDefault(directory, Map.of()).keySet().forEach(first -> add(first, order, seen));
            order.add(directory);
        }
    }
}
