package io.ecfs.bench.koh.run;

import io.ecfs.buffer.FileSlice;
import io.ecfs.datanode.store.io.ForwardingVolumeIo;
import io.ecfs.datanode.store.io.VolumeIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** Counts the bytes of one volume: those of chunks, and of all that lies beside them. */
final class CountingVolumeIo extends ForwardingVolumeIo {
    private final VolumeCounter counter;

    CountingVolumeIo(VolumeIo disk, VolumeCounter counter) {
        super(disk);
        this.counter = counter;
    }

    @Override
    public int read(String file, long offset, ByteBuffer into) throws IOException {
        int bytes = super.read(file, offset, into);
        counter.read(file, offset, bytes);
        return bytes;
    }

    @Override
    public Optional<FileSlice> lend(String file, long offset, int bytes) throws IOException {
        Optional<FileSlice> lent = super.lend(file, offset, bytes);
        if (lent.isPresent()) {
            counter.read(file, offset, bytes);
        }
        return lent;
    }

    @Override
    public void write(String file, long offset, ByteBuffer from) throws IOException {
        int bytes = from.remaining();
        super.write(file, offset, from);
        counter.written(file, offset, bytes);
    }

    @Override
    public void sync(String file) throws IOException {
        super.sync(file);
        counter.synced(file);
    }

    @Override
    public void syncAll(List<String> files) throws IOException {
        super.syncAll(files);
        files.forEach(counter::synced);
    }

    @Override
    public void close() {
        super.close();
        counter.close();
    }
}
