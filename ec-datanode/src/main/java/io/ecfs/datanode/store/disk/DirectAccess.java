package io.ecfs.datanode.store.disk;

import io.ecfs.buffer.BufferPool;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Reads and writes a file past the page cache, in blocks of {@link #BLOCK} bytes. What shares its first or last block
 * with other bytes is read, changed and written again; the caller orders the calls on one file, so nothing is lost.
 */
final class DirectAccess {
    static final int BLOCK = 4096;

    private static final int MOST_BYTES = 1 << 20;
    private static final int AT_ONCE = 256;

    private final BufferPool buffers = new BufferPool("direct I/O", (long) AT_ONCE * (MOST_BYTES + BLOCK));

    int read(FileChannel file, long offset, ByteBuffer into) throws IOException {
        int total = 0;
        ByteBuf memory = buffers.allocate(MOST_BYTES + BLOCK);
        try {
            ByteBuffer blocks = aligned(memory);
            while (into.hasRemaining()) {
                long at = offset + total;
                long from = at / BLOCK * BLOCK;
                int skipped = (int) (at - from);
                blocks.clear().limit(roundUp(Math.min(MOST_BYTES, skipped + into.remaining())));
                fill(file, from, blocks);
                int count = Math.min(into.remaining(), blocks.position() - skipped);
                if (count <= 0) {
                    break;
                }
                into.put(blocks.slice(skipped, count));
                total += count;
            }
            return total;
        } finally {
            memory.release();
        }
    }

    void write(FileChannel file, long offset, ByteBuffer bytes) throws IOException {
        long length = Math.max(file.size(), offset + bytes.remaining());
        ByteBuf memory = buffers.allocate(MOST_BYTES + BLOCK);
        try {
            ByteBuffer blocks = aligned(memory);
            for (long at = offset; bytes.hasRemaining(); ) {
                long from = at / BLOCK * BLOCK;
                int skipped = (int) (at - from);
                int count = Math.min(bytes.remaining(), MOST_BYTES - skipped);
                int end = roundUp(skipped + count);
                edges(file, from, skipped, skipped + count, end, blocks);
                blocks.clear().position(skipped);
                int limit = bytes.limit();
                blocks.put(bytes.limit(bytes.position() + count));
                bytes.limit(limit);
                blocks.position(0).limit(end);
                for (long to = from; blocks.hasRemaining(); ) {
                    to += file.write(blocks, to);
                }
                at += count;
            }
        } finally {
            memory.release();
        }
        if (file.size() > length) {
            file.truncate(length);
        }
    }

    /** Reads the first and the last block, as far as they stay; zeros behind the end of the file. */
    private static void edges(FileChannel file, long from, int skipped, int used, int end, ByteBuffer blocks)
            throws IOException {
        if (skipped > 0) {
            block(file, from, blocks.slice(0, BLOCK));
        }
        if (used < end && (end > BLOCK || skipped == 0)) {
            block(file, from + end - BLOCK, blocks.slice(end - BLOCK, BLOCK));
        }
    }

    private static void block(FileChannel file, long from, ByteBuffer block) throws IOException {
        fill(file, from, block);
        while (block.hasRemaining()) {
            block.put((byte) 0);
        }
    }

    private static void fill(FileChannel file, long from, ByteBuffer blocks) throws IOException {
        while (blocks.hasRemaining()) {
            int read = file.read(blocks, from + blocks.position());
            if (read < 0) {
                return;
            }
            if (blocks.position() % BLOCK > 0) {
                return; // the end of the file
            }
        }
    }

    private static ByteBuffer aligned(ByteBuf memory) {
        return memory.nioBuffer(0, MOST_BYTES + BLOCK).alignedSlice(BLOCK);
    }

    private static int roundUp(int bytes) {
        return (bytes + BLOCK - 1) / BLOCK * BLOCK;
    }
}
