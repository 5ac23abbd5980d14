package io.ecfs.bench.bed.erails.cluster;

import io.ecfs.bench.bed.cluster.ChunkReadVolumeIo;
import io.ecfs.datanode.store.io.VolumeIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A volume on a modelled flash device. Bytes of chunks take the device's time when they are read, and every change
 * does: of bytes by their number, of names and lengths by a page. What it got is on disk as far as the model goes, so a
 * sync returns at once and the machine's own disk is not waited for.
 */
final class FlashVolumeIo extends ChunkReadVolumeIo {
    private final FlashDisk device;

    FlashVolumeIo(VolumeIo disk, FlashDisk device) {
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
        device.write(bytes);
    }

    @Override
    public void createDirectory(String directory) throws IOException {
        super.createDirectory(directory);
        device.change();
    }

    @Override
    public void create(String file) throws IOException {
        super.create(file);
        device.change();
    }

    @Override
    public void truncate(String file, long length) throws IOException {
        super.truncate(file, length);
        device.change();
    }

    @Override
    public void rename(String from, String to) throws IOException {
        super.rename(from, to);
        device.change();
    }

    @Override
    public void delete(String file) throws IOException {
        super.delete(file);
        device.change();
    }

    @Override
    public void sync(String file) {
        // as the class comment says
    }

    @Override
    public void syncDirectory(String directory) {
        // as the class comment says
    }

    @Override
    public void syncAll(List<String> files) {
        // as the class comment says
    }
}
