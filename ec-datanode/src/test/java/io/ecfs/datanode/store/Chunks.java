package io.ecfs.datanode.store;

import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.env.ManualTime;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.chunk.SentBefore;
import io.ecfs.transfer.ChunkPayload;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.UUID;

/** Chunks for tests: bytes that tell their own position, volumes on any port. */
public final class Chunks {
    public static final Policy POLICY = Policy.parse("rs-3-2-8k");
    public static final int CELL = POLICY.cellBytes();
    public static final VolumeIdentity OWNER = new VolumeIdentity("", "dn1", "dn1-uuid", "");

    private Chunks() {}

    public static ChunkId id(long group, int index) {
        return new ChunkId(new GroupId(group), index, 0);
    }

    /**
     * What a writer that did not miss anything has sent of a chunk.
     *
     * @param lastRecord number of its last tail record; -1: none
     */
    static SentBefore sent(Volume volume, ChunkId chunk, long lastRecord) {
        return new SentBefore(volume.find(chunk).orElseThrow().bytes(), lastRecord);
    }

    /** As a datanode opens a volume that may be new, on a clock that stands. */
    public static VolumeTerms terms(long reserveBytes) {
        return new VolumeTerms(reserveBytes, ReadErrorAllowance.USUAL, new ManualTime(1), true);
    }

    public static Volume open(VolumeIo io, Random random) throws java.io.IOException {
        return Volume.open(io, OWNER, terms(0), () -> new UUID(random.nextLong(), random.nextLong()));
    }

    /** Byte of a chunk at a position: no two cells or chunks are alike. */
    public static byte byteAt(ChunkId chunk, long position) {
        long mixed =
                (chunk.group().value() * 31 + chunk.index()) * 0x9E3779B97F4A7C15L + position * 0xBF58476D1CE4E5B9L;
        return (byte) (mixed >>> 56 ^ mixed >>> 24);
    }

    /** A sealed payload with the chunk's bytes [offset, offset + bytes). */
    public static ByteBuf payload(ChunkId chunk, long offset, int bytes) {
        ByteBuf payload = Unpooled.buffer(ChunkPayload.payloadBytes(bytes));
        payload.writeZero(ChunkPayload.checksumBytes(bytes));
        for (int i = 0; i < bytes; i++) {
            payload.writeByte(byteAt(chunk, offset + i));
        }
        ChunkPayload.seal(payload, bytes);
        return payload;
    }

    static void append(Volume volume, ChunkId chunk, long writer, long offset, int bytes, boolean tail)
            throws io.ecfs.error.EcfsException {
        volume.append(chunk, writer, offset, bytes, tail ? 3 * (offset + bytes) : 0, payload(chunk, offset, bytes));
    }

    /**
     * In place of a finalised chunk's files come those of the chunk with the same id of another cluster: sound, and
     * other bytes.
     */
    public static void copyFromAnotherCluster(MemoryVolumeIo disk, Volume here, ChunkId chunk)
            throws java.io.IOException {
        MemoryVolumeIo other = new MemoryVolumeIo("other", 64 << 20, new Random(99));
        int bytes = (int) here.find(chunk).orElseThrow().bytes();
        try (Volume volume = open(other, new Random(98))) {
            ByteBuf payload = payload(id(chunk.group().value() + 1000, chunk.index()), 0, bytes);
            volume.put(chunk, Stamp.NONE, POLICY, 1, bytes, 3L * bytes, true, payload);
        }
        String data = new ChunkFiles(ChunkFiles.Place.FINALISED, chunk).data();
        String sum = new ChunkFiles(ChunkFiles.Place.FINALISED, chunk).sum();
        for (String file : new String[] {data, sum}) {
            ByteBuffer content = ByteBuffer.allocate((int) other.length(file).orElseThrow());
            other.read(file, 0, content);
            disk.delete(file);
            disk.create(file);
            disk.write(file, 0, content.flip());
        }
    }

    /** A finalised chunk of {@code bytes} bytes. */
    public static void finalised(Volume volume, ChunkId chunk, int bytes) throws io.ecfs.error.EcfsException {
        volume.create(chunk, Stamp.NONE, POLICY, 1);
        for (int at = 0; at < bytes; at += CELL) {
            append(volume, chunk, 1, at, Math.min(CELL, bytes - at), false);
        }
        volume.finish(chunk, 1, bytes, 3L * bytes, true);
    }
}
