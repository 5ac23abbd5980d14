package io.ecfs.sim.script;

import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.fault.profile.FaultKind;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.sim.cluster.ChunkOnDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * Damage of one chunk, and its files as they were before.
 *
 * @param bytes of the file of its bytes
 * @param sums of the file of its header and checksums
 */
record ChunkDamage(ChunkOnVolume chunk, ChunkOnDisk files, byte[] bytes, byte[] sums) {
    /** The files of a sound chunk. */
    static ChunkDamage of(ChunkOnVolume chunk, ChunkOnDisk files) throws IOException {
        return new ChunkDamage(chunk, files, content(files.disk(), files.data()), content(files.disk(), files.sum()));
    }

    /** Damages it in any way that concerns one chunk alone. */
    void apply(FaultKind kind, SplittableRandom random) throws IOException {
        MemoryVolumeIo disk = files.disk();
        switch (kind) {
            case FLIP_DATA -> disk.flipBit(files.data(), random.nextInt(bytes.length), random.nextInt(Byte.SIZE));
            case FLIP_CHECKSUM -> {
                int at = ChunkOnDisk.HEADER_BYTES + random.nextInt(sums.length - ChunkOnDisk.HEADER_BYTES);
                disk.flipBit(files.sum(), at, random.nextInt(Byte.SIZE));
            }
            case CUT -> disk.truncate(files.data(), random.nextInt(bytes.length));
            case DELETE -> disk.delete(files.data());
            case FORGE -> files.falsify();
            default -> throw new IllegalArgumentException(kind + " damages no single chunk");
        }
    }

    /** Puts the files of another chunk in place of its own. */
    void become(ChunkDamage other) throws IOException {
        write(other.bytes(), other.sums());
    }

    /** Puts its files back, unless the datanode has deleted what is left of them. */
    void undo() throws IOException {
        if (files.disk().length(files.sum()).isPresent()) {
            write(bytes, sums);
        }
    }

    private void write(byte[] data, byte[] sum) throws IOException {
        replace(files.disk(), files.data(), data);
        replace(files.disk(), files.sum(), sum);
    }

    private static byte[] content(MemoryVolumeIo disk, String file) throws IOException {
        ByteBuffer content =
                ByteBuffer.allocate(Math.toIntExact(disk.length(file).orElseThrow()));
        disk.read(file, 0, content);
        return content.array();
    }

    private static void replace(MemoryVolumeIo disk, String file, byte[] content) throws IOException {
        if (disk.length(file).isEmpty()) {
            disk.create(file);
        }
        disk.truncate(file, 0);
        disk.write(file, 0, ByteBuffer.wrap(content));
    }
}
