package io.ecfs.namenode.row;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.VolumeId;
import java.util.Arrays;

/** Keys that several tables share, and the arithmetic of key ranges. */
public final class Keys {
    public static final byte[] FIRST = new byte[0];

    private Keys() {}

    public static byte[] number(long id) {
        return new RowWriter().i64(id).bytes();
    }

    /** The smallest key after {@code key}. */
    public static byte[] after(byte[] key) {
        return Arrays.copyOf(key, key.length + 1);
    }

    /** The end of the range of all keys that begin with {@code prefix}; null when that range has no end. */
    public static byte[] afterPrefix(byte[] prefix) {
        for (int i = prefix.length - 1; i >= 0; i--) {
            if (prefix[i] != (byte) 0xFF) {
                byte[] end = Arrays.copyOf(prefix, i + 1);
                end[i]++;
                return end;
            }
        }
        return null;
    }

    /** (volume, group, index, generation): tables by volume. */
    public static byte[] chunk(VolumeId volume, ChunkId chunk) {
        return new RowWriter()
                .i32(volume.value())
                .i64(chunk.group().value())
                .u8(chunk.index())
                .i32(chunk.generation())
                .bytes();
    }

    public static byte[] volume(VolumeId volume) {
        return new RowWriter().i32(volume.value()).bytes();
    }

    public static VolumeId volumeOf(byte[] chunkKey) {
        return new VolumeId(new RowReader(chunkKey).i32());
    }

    public static ChunkId chunkOf(byte[] chunkKey) {
        RowReader key = new RowReader(chunkKey);
        key.i32();
        ChunkId chunk = new ChunkId(new GroupId(key.i64()), key.u8(), key.i32());
        key.end();
        return chunk;
    }
}
