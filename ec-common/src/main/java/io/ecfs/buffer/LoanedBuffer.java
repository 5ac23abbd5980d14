package io.ecfs.buffer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;

/** A view of pooled memory whose last release ends the loan. Its capacity is fixed. */
final class LoanedBuffer extends UnpooledDirectByteBuf {
    private final BufferPool pool;
    private final ByteBuf memory;
    private final int bytes;

    LoanedBuffer(BufferPool pool, ByteBufAllocator allocator, ByteBuf memory, int bytes) {
        super(allocator, memory.nioBuffer(0, bytes), bytes);
        this.pool = pool;
        this.memory = memory;
        this.bytes = bytes;
        clear();
    }

    @Override
    public ByteBuf capacity(int newCapacity) {
        if (newCapacity != bytes) {
            throw new UnsupportedOperationException("a loaned buffer keeps its capacity of " + bytes + " bytes");
        }
        return this;
    }

    @Override
    protected void deallocate() {
        super.deallocate();
        pool.ended(memory, bytes);
    }
}
