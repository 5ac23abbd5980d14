package io.ecfs.bench.bed.cluster;

import io.ecfs.buffer.FileSlice;
import io.ecfs.datanode.store.io.VolumeIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A door to a disk on which the bytes of chunks take a device's time. All else, headers, checksums and names, takes
 * what the disk behind it takes: a model has one time for a chunk, as the paper's has.
 */
final class DeviceVolumeIo implements VolumeIo {
    private static final String BYTES_OF_A_CHUNK = ".data";

    private final VolumeIo disk;
    private final ModelledDevice device;

    DeviceVolumeIo(VolumeIo disk, ModelledDevice device) {
        this.disk = disk;
        this.device = device;
    }

    @Override
    public int read(String file, long offset, ByteBuffer into) throws IOException {
        int read = disk.read(file, offset, into);
        if (file.endsWith(BYTES_OF_A_CHUNK)) {
            device.read(read);
        }
        return read;
    }

    @Override
    public Optional<FileSlice> lend(String file, long offset, int bytes) throws IOException {
        Optional<FileSlice> lent = disk.lend(file, offset, bytes);
        if (lent.isPresent() && file.endsWith(BYTES_OF_A_CHUNK)) {
            device.read(bytes);
        }
        return lent;
    }

    @Override
    public void write(String file, long offset, ByteBuffer from) throws IOException {
        int bytes = from.remaining();
        disk.write(file, offset, from);
        if (file.endsWith(BYTES_OF_A_CHUNK)) {
            device.write(bytes);
        }
    }

    @Override
    public void lock() throws IOException {
        disk.lock();
    }

    @Override
    public void createDirectory(String directory) throws IOException {
        disk.createDirectory(directory);
    }

    @Override
    public void create(String file) throws IOException {
        disk.create(file);
    }

    @Override
    public OptionalLong length(String file) throws IOException {
        return disk.length(file);
    }

    @Override
    public void truncate(String file, long length) throws IOException {
        disk.truncate(file, length);
    }

    @Override
    public void sync(String file) throws IOException {
        disk.sync(file);
    }

    @Override
    public void syncDirectory(String directory) throws IOException {
        disk.syncDirectory(directory);
    }

    @Override
    public void syncAll(List<String> files) throws IOException {
        disk.syncAll(files);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        disk.rename(from, to);
    }

    @Override
    public void delete(String file) throws IOException {
        disk.delete(file);
    }

    @Override
    public List<String> list(String directory) throws IOException {
        return disk.list(directory);
    }

    @Override
    public Space space() throws IOException {
        return disk.space();
    }

    @Override
    public Optional<LocalFile> local(String file) throws IOException {
        return disk.local(file);
    }

    @Override
    public String describe() {
        return disk.describe();
    }

    @Override
    public void close() {
        disk.close();
    }
}
