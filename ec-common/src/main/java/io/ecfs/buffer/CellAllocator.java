package io.ecfs.buffer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.util.internal.CleanableDirectBuffer;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Netty's pooled allocator, but for large direct buffers that never grow: cells, and frames that carry them. Their
 * memory comes from {@link RetainedMemory}: Netty's own arenas put few buffers of that size into one piece of memory
 * and return the piece to the system whenever all of it is free, so that a busy process would fault in and zero the
 * same pages over and over.
 */
public final class CellAllocator extends PooledByteBufAllocator {
    /** Smallest large buffer; Netty caches smaller ones per thread, or packs them by the dozen. */
    static final int LARGE_BYTES = 64 << 10;

    /**
     * Arenas grow by 2^6 pages, half a MiB, instead of four: they serve only small buffers here.
     */
    private static final int SMALL_CHUNK_ORDER = 6;

    /**
     * Unused allocators. Netty binds an allocator's arenas to each thread that ever allocated from it, for as long as
     * the thread lives: a process that opens and closes clients all day would retain the arenas of all of them.
     */
    private static final Deque<CellAllocator> IDLE = new ConcurrentLinkedDeque<>();

    private final RetainedMemory memory;
    private final AtomicLong largeBytes = new AtomicLong();

    /** An allocator that takes large buffers from the memory that the process retains. */
    CellAllocator() {
        this(RetainedMemory.OF_PROCESS);
    }

    CellAllocator(RetainedMemory memory) {
        super(
                true,
                defaultNumHeapArena(),
                defaultNumDirectArena(),
                defaultPageSize(),
                SMALL_CHUNK_ORDER,
                defaultSmallCacheSize(),
                defaultNormalCacheSize(),
                defaultUseCacheForAllThreads());
        this.memory = memory;
    }

    /** Returns an allocator for the caller's exclusive use until {@link #giveBack}. */
    public static CellAllocator take() {
        CellAllocator idle = IDLE.pollFirst();
        return idle == null ? new CellAllocator() : idle;
    }

    /**
     * Ends the use that {@link #take} began; called once. Buffers not yet released stay valid, and count for the next
     * user.
     */
    public void giveBack() {
        IDLE.addFirst(this);
    }

    /** Bytes of buffers not yet released. */
    public long usedBytes() {
        return pinnedDirectMemory() + pinnedHeapMemory() + largeBytes.get();
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        if (initialCapacity < LARGE_BYTES || initialCapacity != maxCapacity) {
            return super.newDirectBuffer(initialCapacity, maxCapacity);
        }
        return toLeakAwareBuffer(new LargeBuffer(memory.take(initialCapacity), initialCapacity));
    }

    /** A buffer over retained memory, which its last release returns. */
    private final class LargeBuffer extends UnpooledDirectByteBuf {
        private final CleanableDirectBuffer piece;

        LargeBuffer(CleanableDirectBuffer piece, int bytes) {
            super(CellAllocator.this, piece.buffer().slice(0, bytes), bytes);
            this.piece = piece;
            largeBytes.addAndGet(bytes);
            clear();
        }

        @Override
        protected void deallocate() {
            super.deallocate();
            largeBytes.addAndGet(-maxCapacity());
            memory.give(piece);
        }
    }
}
