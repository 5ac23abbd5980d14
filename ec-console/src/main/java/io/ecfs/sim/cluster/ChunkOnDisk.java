package io.ecfs.sim.cluster;

import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.transfer.ChunkPayload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The files of one chunk.
 *
 * @param port to the disk, with what is staged for it
 * @param data file of its bytes, below the volume
 */
public record ChunkOnDisk(MemoryVolumeIo disk, VolumeIo port, String data) {
    /** Before the checksums of a chunk; docs/formats.md. */
    public static final int HEADER_BYTES = 512;

    /** The file of its header and checksums. */
    public String sum() {
        return data.replace(".data", ".sum");
    }

    /** Gives the chunk another first byte, and the window the checksum of that: the disk finds nothing wrong. */
    public void falsify() throws IOException {
        long length = port.length(data).orElse(0);
        ByteBuffer window = ByteBuffer.allocate(Math.toIntExact(Math.min(ChunkPayload.WINDOW_BYTES, length)));
        port.read(data, 0, window);
        window.put(0, (byte) ~window.get(0)).flip();
        CRC32C crc = new CRC32C();
        crc.update(window.duplicate());
        ByteBuffer checksum = ByteBuffer.allocate(Integer.BYTES).putInt(0, (int) crc.getValue());
        port.write(data, 0, window);
        port.write(sum(), HEADER_BYTES, checksum);
    }
}
