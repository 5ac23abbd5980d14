package io.ecfs.datanode.store.io;

import io.ecfs.buffer.FileSlice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Passes every call on to another port; a subclass does more at some. As safe for several threads as that one. */
public abstract class ForwardingVolumeIo implements VolumeIo {
    private final VolumeIo disk;

    /** @param disk closed with this */
    protected ForwardingVolumeIo(VolumeIo disk) {
        this.disk = disk;
    }

    @Override
    public int read(String file, long offset, ByteBuffer into) throws IOException {
        return disk.read(file, offset, into);
    }

    @Override
    public Optional<FileSlice> lend(String file, long offset, int bytes) throws IOException {
        return disk.lend(file, offset, bytes);
    }

    @Override
    public void write(String file, long offset, ByteBuffer from) throws IOException {
        disk.write(file, offset, from);
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
