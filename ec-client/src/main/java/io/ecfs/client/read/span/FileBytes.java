package io.ecfs.client.read.span;

import io.ecfs.buffer.MemoryBudget;
import java.nio.ByteBuffer;
import java.util.List;

/** Bytes of a file with the memory they were reserved from. The owner closes it, once. */
public final class FileBytes implements AutoCloseable {
    private final GroupBytes bytes;
    private final long shift;
    private final MemoryBudget budget;
    private final long reserved;

    FileBytes(GroupBytes bytes, long shift, MemoryBudget budget, long reserved) {
        this.bytes = bytes;
        this.shift = shift;
        this.budget = budget;
        this.reserved = reserved;
    }

    /**
     * Bytes of a file that were copied.
     *
     * @param budget has as many bytes reserved, which it gets back
     */
    public static FileBytes inMemory(long from, byte[] bytes, MemoryBudget budget) {
        return new FileBytes(new HeapBytes(from, bytes), 0, budget, bytes.length);
    }

    /** File offset of the first byte. */
    public long from() {
        return bytes.from() - shift;
    }

    /** File offset behind the last byte. */
    public long to() {
        return bytes.to() - shift;
    }

    public boolean contains(long position) {
        return from() <= position && position < to();
    }

    /** Copies bytes from {@code position} on, as many as are here and the target takes. */
    public void copyTo(long position, ByteBuffer target) {
        long end = Math.min(to(), position + target.remaining());
        bytes.copyTo(position + shift, end + shift, target);
    }

    /** Bytes [{@code position}, {@code end}) where they are, in their order, valid until {@link #close}. */
    public List<ByteBuffer> slices(long position, long end) {
        return bytes.slices(position + shift, end + shift);
    }

    @Override
    public void close() {
        bytes.close();
        budget.release(reserved);
    }
}
