package io.ecfs.bench.bed.cluster;

import io.ecfs.buffer.FileSlice;
import io.ecfs.datanode.store.io.ForwardingVolumeIo;
import io.ecfs.datanode.store.io.VolumeIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A port of a volume that accounts for the bytes of chunks that are read, whether they are copied or lent. */
public abstract class ChunkReadVolumeIo extends ForwardingVolumeIo {
    private static final String BYTES_OF_A_CHUNK = ".data";

    protected ChunkReadVolumeIo(VolumeIo disk) {
        super(disk);
    }

    /** Accounts for bytes of a chunk that the port behind this one has read. */
    protected abstract void chunkRead(int bytes) throws IOException;

    /** Returns whether a file has bytes of a chunk, and not its checksums or names. */
    protected static boolean isOfAChunk(String file) {
        return file.endsWith(BYTES_OF_A_CHUNK);
    }

    @Override
    public final int read(String file, long offset, ByteBuffer into) throws IOException {
        int read = super.read(file, offset, into);
        if (isOfAChunk(file)) {
            chunkRead(read);
        }
        return read;
    }

    @Override
    public final Optional<FileSlice> lend(String file, long offset, int bytes) throws IOException {
        Optional<FileSlice> lent = super.lend(file, offset, bytes);
        if (lent.isPresent() && isOfAChunk(file)) {
            chunkRead(bytes);
        }
        return lent;
    }
}
