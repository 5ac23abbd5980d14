package io.ecfs.code;

import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.kernel.Kernels;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Direct buffers whose bytes tell where they belong, with guard bytes around them. */
public final class Cells {
    private static final int GUARD = 7;
    private static final byte GUARD_BYTE = (byte) 0xa5;

    private Cells() {}

    /** An empty cell of {@code bytes} bytes, {@code offset} bytes into a larger buffer. */
    public static ByteBuffer blank(int bytes, int offset) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(GUARD + offset + bytes + GUARD);
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, GUARD_BYTE);
        }
        return buffer.position(GUARD + offset).limit(GUARD + offset + bytes);
    }

    public static ByteBuffer blank(int bytes) {
        return blank(bytes, 0);
    }

    /** A data cell whose byte at p is a function of chunk and p that repeats neither in p nor across chunks. */
    public static ByteBuffer data(int chunk, int bytes) {
        ByteBuffer cell = blank(bytes, chunk % 9);
        for (int p = 0; p < bytes; p++) {
            cell.put(cell.position() + p, dataByte(chunk, p));
        }
        return cell;
    }

    static byte dataByte(int chunk, int p) {
        int mixed = (chunk + 1) * 0x9e3779b1 ^ (p + 1) * 0x85ebca6b;
        return (byte) (mixed ^ mixed >>> 13 ^ mixed >>> 24);
    }

    public static ByteBuffer[] array(int count, IntFunction<ByteBuffer> cell) {
        return IntStream.range(0, count).mapToObj(cell).toArray(ByteBuffer[]::new);
    }

    public static byte[] bytes(ByteBuffer cell) {
        byte[] copy = new byte[cell.remaining()];
        cell.get(cell.position(), copy);
        return copy;
    }

    /** Whether the bytes outside [position, limit) are as {@link #blank} made them. */
    public static boolean guarded(ByteBuffer cell) {
        ByteBuffer all = cell.duplicate().clear();
        for (int i = 0; i < all.capacity(); i++) {
            if ((i < cell.position() || i >= cell.limit()) && all.get(i) != GUARD_BYTE) {
                return false;
            }
        }
        return true;
    }

    /** The code on the Java kernel. */
    static ErasureCode code(String spec) {
        return ErasureCodes.create(CodeSpec.parse(spec), Kernels.java());
    }

    /** All chunks of one stripe of the code, data that encodes its position and its parity. */
    static ByteBuffer[] stripe(ErasureCode code, int bytes) {
        ByteBuffer[] data = array(code.dataChunks(), chunk -> data(chunk, bytes));
        ByteBuffer[] parity = array(code.parityChunks(), i -> blank(bytes, i % 5));
        code.encode(data, parity);
        ByteBuffer[] all = new ByteBuffer[code.chunks()];
        System.arraycopy(data, 0, all, 0, data.length);
        System.arraycopy(parity, 0, all, data.length, parity.length);
        return all;
    }

    /** The sub-chunks of a cell in the given ranges, one behind the other. */
    static ByteBuffer subChunks(ByteBuffer cell, List<SubChunkRange> ranges, int subChunks) {
        int size = cell.remaining() / subChunks;
        int count = ranges.stream().mapToInt(SubChunkRange::count).sum();
        ByteBuffer gathered = blank(count * size);
        int at = gathered.position();
        for (SubChunkRange range : ranges) {
            gathered.put(at, cell, cell.position() + range.from() * size, range.count() * size);
            at += range.count() * size;
        }
        return gathered;
    }

    /** All subsets of [0, n) with at most {@code most} members. */
    public static List<ChunkSet> subsets(int n, int most) {
        List<ChunkSet> result = new ArrayList<>();
        for (int bits = 0; bits < 1 << n; bits++) {
            if (Integer.bitCount(bits) <= most) {
                int chosen = bits;
                result.add(ChunkSet.of(IntStream.range(0, n)
                        .filter(i -> (chosen >>> i & 1) != 0)
                        .toArray()));
            }
        }
        return result;
    }
}
