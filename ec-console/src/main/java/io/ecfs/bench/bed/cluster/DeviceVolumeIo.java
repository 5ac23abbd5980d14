package io.ecfs.bench.bed.cluster;

import io.ecfs.datanode.store.io.VolumeIo;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A door to a disk on which the bytes of chunks take a device's time. All else, headers, checksums and names, takes
 * what the disk behind it takes: a model has one time for a chunk, as the paper's has.
 */
final class DeviceVolumeIo extends ChunkReadVolumeIo {
    private final ModelledDevice device;

    DeviceVolumeIo(VolumeIo disk, ModelledDevice device) {
        super(disk);
        this.device = device;
    }

    @Override
    protected void chunkRead(int bytes) throws IOException {
        device.read(bytes);
    }

    @Override
    public void write(String file, long offset, ByteBuffer from) throws IOException {
        int bytes = from.remaining();
        super.write(file, offset, from);
        if (isOfAChunk(file)) {
            device.write(bytes);
        }
    }
}
