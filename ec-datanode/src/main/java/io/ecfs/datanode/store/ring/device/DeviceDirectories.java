package io.ecfs.datanode.store.ring.device;

import io.ecfs.datanode.store.io.VolumeIo;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The directories of a device; none is ever removed. Thread-safe. */
public final class DeviceDirectories {
    private final VolumeIo device;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    public DeviceDirectories(VolumeIo device) {
        this.device = device;
        known.add("");
    }

    public boolean has(String directory) throws IOException {
        if (known.contains(directory)) {
            return true;
        }
        String parent = VolumeIo.parent(directory);
        String name = directory.substring(parent.isEmpty() ? 0 : parent.length() + 1);
        boolean there = has(parent) && device.list(parent).contains(name);
        if (there) {
            known.add(directory);
        }
        return there;
    }
}
