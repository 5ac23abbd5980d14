package io.ecfs.datanode.store;

import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Volumes by path, as the datanode's home records them in its {@code VOLUMES} file. A drive that is not mounted leaves
 * an empty directory; only this record distinguishes it from a new drive. Written before the volumes are served.
 * Thread-confined: used at a start.
 */
final class KnownVolumes {
    private static final String NAME = "VOLUMES";
    private static final String VERSION_KEY = "version";
    private static final String VERSION = "1";
    private static final String ENTRY = "volume.";
    private static final String UNKNOWN = "-";

    private final VolumeIo home;
    private final boolean complete;
    private final Map<String, String> uuidByPath;
    private boolean changed;

    private KnownVolumes(VolumeIo home, boolean complete, Map<String, String> uuidByPath) {
        this.home = home;
        this.complete = complete;
        this.uuidByPath = uuidByPath;
    }

    /**
     * @param fresh the home never belonged to a cluster, so that no volume can be known
     * @throws EcfsException {@code MALFORMED}, {@code INCOMPATIBLE_VERSION}
     */
    static KnownVolumes read(VolumeIo home, boolean fresh) throws IOException {
        Optional<Map<String, String>> found = TextFile.read(home, NAME);
        Map<String, String> uuidByPath = new TreeMap<>();
        if (found.isEmpty()) {
            return new KnownVolumes(home, fresh, uuidByPath);
        }
        String version = found.get().getOrDefault(VERSION_KEY, "none");
        if (!version.equals(VERSION)) {
            throw new EcfsException(
                    ErrorCode.INCOMPATIBLE_VERSION,
                    home.describe() + "/" + NAME + " has version " + version + ", this program knows " + VERSION
                            + ": nothing was changed; start the release that wrote it");
        }
        found.get().forEach((key, value) -> {
            int space = value.indexOf(' ');
            if (key.startsWith(ENTRY) && space > 0) {
                uuidByPath.put(value.substring(space + 1), value.substring(0, space));
            }
        });
        return new KnownVolumes(home, true, uuidByPath);
    }

    /**
     * Returns whether an empty directory at this path can only be a new volume. A home of a release without this record
     * has no paths.
     */
    boolean newAt(String path) {
        return complete && !uuidByPath.containsKey(path);
    }

    /** The uuid of the volume that belongs there, for people. */
    Optional<String> at(String path) {
        return Optional.ofNullable(uuidByPath.get(path)).filter(uuid -> !uuid.equals(UNKNOWN));
    }

    /** Uuids of all of them. */
    Set<String> uuids() {
        Set<String> all = new TreeSet<>(uuidByPath.values());
        all.remove(UNKNOWN);
        return all;
    }

    /** The volume was opened there. */
    void opened(String path, String uuid) {
        changed |= !uuid.equals(uuidByPath.put(path, uuid));
    }

    /** Nothing was found there, and nothing may be made there at the next start either. */
    void missed(String path) {
        changed |= uuidByPath.putIfAbsent(path, UNKNOWN) == null;
    }

    /** On disk when it returns. */
    void write() throws IOException {
        if (complete && !changed) {
            return;
        }
        Map<String, String> values = new LinkedHashMap<>();
        values.put(VERSION_KEY, VERSION);
        uuidByPath.forEach((path, uuid) -> values.put(ENTRY + values.size(), uuid + " " + path));
        TextFile.write(home, NAME, values);
        changed = false;
    }
}
