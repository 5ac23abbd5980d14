package io.ecfs.bench.bed.cluster;

import io.ecfs.buffer.FileSlice;
import io.ecfs.datanode.store.io.ForwardingVolumeIo;
import io.ecfs.datanode.store.io.VolumeIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A door to a disk on which the bytes of chunks take a device's time. All else, headers, checksums and names, takes
 * what the disk behind it takes: a model has one time for a chunk, as the paper's has.
 */
final class DeviceVolumeIo extends ForwardingVolumeIo {
    private static final String BYTES_OF_A_CHUNK = ".data";

    private final ModelledDevice device;

    DeviceVolumeIo(VolumeIo disk, ModelledDevice device) {
        super(disk);
        this.device = device;
    }

    @Override
    public int read(String file, long offset, ByteBuffer into) throws IOException {
        int read = super.read(file, offset, into);
        if (file.endsWith(BYTES_OF_A_CHUNK)) {
            device.read(read);
        }
        return read;
    }

    @Override
    public Optional<FileSlice> lend(String file, long offset, int bytes) throws IOException {
        Optional<FileSlice> lent = super.lend(file, offset, bytes);
        if (lent.isPresent() && file.endsWith(BYTES_OF_A_CHUNK)) {
            device.read(bytes);
        }
        return lent;
    }

    @Override
    public void write(String file, long offset, ByteBuffer from) throws IOException {
        int bytes = from.remaining();
        super.write(file, offset, from);
        if (file.endsWith(BYTES_OF_A_CHUNK)) {
            device.write(bytes);
        }
    }
}
