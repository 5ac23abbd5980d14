package io.ecfs.jmh;

import io.ecfs.code.CodeSpec;
import java.nio.ByteBuffer;

/**
 * Stripes in one piece of memory, their cells back to back: one stripe that stays in cache, or a ring of them that does
 * not fit any cache. Not safe for several threads.
 */
final class Workload {
    /** A ring has at least so many bytes. */
    private static final long RING_BYTES = 320L << 20;

    private static final int PAGE = 4096;

    private final CodeSpec spec;
    private final int cellBytes;
    private final int stripes;
    private final int batch;
    private final ByteBuffer[][] cells;
    private int next;

    /**
     * @param memory aligned to a page
     * @param cells for example {@code hot-64k} or {@code stream-1024k}; the cell in use is the largest multiple of the
     *     code's sub-chunks times 64 bytes that is not above
     */
    Workload(CodeSpec spec, String cells, ByteBuffer memory) {
        this.spec = spec;
        String[] words = cells.replace("k", "").split("-", -1);
        int unit = 64 * spec.subChunks();
        this.cellBytes = Integer.parseInt(words[1]) * 1024 / unit * unit;
        boolean hot = words[0].equals("hot");
        int chunks = spec.chunks();
        this.stripes = hot ? 1 : (int) ((RING_BYTES + (long) chunks * cellBytes - 1) / ((long) chunks * cellBytes));
        this.batch = hot ? 32 : 8;
        this.cells = new ByteBuffer[stripes][chunks];
        for (int s = 0; s < stripes; s++) {
            for (int c = 0; c < chunks; c++) {
                this.cells[s][c] = memory.slice((s * chunks + c) * cellBytes, cellBytes);
            }
        }
    }

    /** Memory for any workload, filled with bytes that look random. */
    static ByteBuffer memory() {
        int bytes = (int) (RING_BYTES + (64L << 20));
        ByteBuffer memory = ByteBuffer.allocateDirect(bytes + PAGE).alignedSlice(PAGE);
        long mixed = 88172645463325252L;
        for (int at = 0; at + 8 <= bytes; at += 8) {
            mixed ^= mixed << 13;
            mixed ^= mixed >>> 7;
            mixed ^= mixed << 17;
            memory.putLong(at, mixed);
        }
        return memory;
    }

    CodeSpec spec() {
        return spec;
    }

    int cellBytes() {
        return cellBytes;
    }

    int stripes() {
        return stripes;
    }

    /** The number of stripes of one operation. */
    int batch() {
        return batch;
    }

    /** The next stripe of the ring. */
    int next() {
        int stripe = next;
        next = next + 1 == stripes ? 0 : next + 1;
        return stripe;
    }

    /** By chunk index. */
    ByteBuffer[] stripe(int stripe) {
        return cells[stripe];
    }
}
