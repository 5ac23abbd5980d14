package io.ecfs.datanode.store.ring;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.datanode.store.io.VolumeIo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Syncs directories of the device in an order in which no file loses both of its names: the sync of a directory that a
 * file left puts the end of its old name on disk, and not the new name. So the directory that it went to comes first.
 * The callers of a volume see to that for their own renamings; this does for syncs that they did not ask for.
 */
final class DeviceNames {
    private final VolumeIo device;
    private final Unsynced unsynced;

    /** Directories that must be synced before a directory is. */
    @GuardedBy("this")
    private final Map<String, Set<String>> before = new HashMap<>();

    DeviceNames(VolumeIo device, Unsynced unsynced) {
        this.device = device;
        this.unsynced = unsynced;
    }

    void rename(String from, String to) throws IOException {
        expect(from, to);
        device.rename(from, to);
    }

    /** Notes a renaming that follows. */
    void expect(String from, String to) throws IOException {
        String left = NamesDrain.parent(from);
        String gained = NamesDrain.parent(to);
        if (left.equals(gained)) {
            return;
        }
        if (inOrder(gained).contains(left)) { // another file went the other way
            sync(gained);
        }
        synchronized (this) {
            before.computeIfAbsent(left, directory -> new LinkedHashSet<>()).add(gained);
        }
    }

    /** Returns when the names of the directory are on disk, and those of files that left it. */
    void sync(String directory) throws IOException {
        for (String next : inOrder(directory)) {
            synchronized (this) {
                before.remove(next);
                before.values().forEach(first -> first.remove(next));
            }
            unsynced.removeDirectory(next);
            device.syncDirectory(next);
        }
    }

    private synchronized List<String> inOrder(String directory) {
        List<String> order = new ArrayList<>();
        add(directory, order, new HashSet<>());
        return order;
    }

    @GuardedBy("this")
    private void add(String directory, List<String> order, Set<String> seen) {
        if (seen.add(directory)) {
            before.getOrDefault(directory, Set.of()).forEach(first -> add(first, order, seen));
            order.add(directory);
        }
    }
}
