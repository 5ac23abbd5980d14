package io.ecfs.datanode.store.ring.device;

import io.ecfs.datanode.store.io.VolumeIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Files that are drained although the journal can no longer record it, on the volume itself: their records must not
 * count at the next start. Thread-safe.
 */
public final class DrainedFile {
    private static final String NAME = StagingArea.DIRECTORY + "/drained";

    private final VolumeIo device;
    private final DeviceNames names;

    public DrainedFile(VolumeIo device, DeviceNames names) {
        this.device = device;
        this.names = names;
    }

    public Set<Long> read() throws IOException {
        Set<Long> drained = new HashSet<>();
        OptionalLong length = device.length(NAME);
        if (length.isPresent()) {
            ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(length.getAsLong()));
            device.read(NAME, 0, all);
            for (all.flip(); all.remaining() >= Long.BYTES; ) {
                drained.add(all.getLong());
            }
        }
        return drained;
    }

    /** On disk when it returns. */
    public synchronized void add(Collection<Long> files) throws IOException {
        OptionalLong length = device.length(NAME);
        if (length.isEmpty()) {
            device.createDirectory(StagingArea.DIRECTORY);
            device.create(NAME);
        }
        ByteBuffer all = ByteBuffer.allocate(files.size() * Long.BYTES);
        files.forEach(all::putLong);
        long end = length.orElse(0);
        device.write(NAME, end - end % Long.BYTES, all.flip());
        device.sync(NAME);
        names.sync(StagingArea.DIRECTORY);
        names.sync("");
    }

    public synchronized void delete() throws IOException {
        if (device.length(NAME).isPresent()) {
            device.delete(NAME);
            names.sync(StagingArea.DIRECTORY);
        }
    }
}
