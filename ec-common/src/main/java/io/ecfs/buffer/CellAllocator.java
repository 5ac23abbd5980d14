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
 * memory comes from {@link KeptMemory}, because Netty's own arenas hold few buffers of that size in one piece of memory
 * and give the piece back to the system whenever all of it is free, so that a busy process would forever fault in and
 * zero the same pages.
 */
public final class CellAllocator extends PooledByteBufAllocator {
    /** From this size on buffers are large; smaller ones Netty keeps per thread, or packs by the dozen. */
    static final int LARGE_BYTES = 64 << 10;

    /**
     * Arenas grow by 2^6 pages, half a MiB, instead of four: they serve only small buffers here.
     */
    private static final int SMALL_CHUNK_ORDER = 6;

    /**
     * Those that nobody uses. Netty binds an allocator's arenas to each thread that ever allocated from it, for as long
     * as the thread lives: a process that opens and closes clients all day would keep the arenas of all of them.
     */
    private static final Deque<CellAllocator> IDLE = new ConcurrentLinkedDeque<>();

    private final KeptMemory memory;
    private final AtomicLong largeBytes = new AtomicLong();

    /** An allocator that takes large buffers from what the process keeps. */
    CellAllocator() {
        this(KeptMemory.OF_PROCESS);
    }

    CellAllocator(KeptMemory memory) {
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

    /** One that nobody else uses until it is given back. */
    public static CellAllocator take() {
        CellAllocator idle = IDLE.pollFirst();
        return idle == null ? new CellAllocator() : idle;
    }

    /** Once, after {@link #take}. Buffers that are still held stay valid, and count for whoever takes it next. */
    public void giveBack() {
        IDLE.addFirst(this);
    }

    /** Bytes of buffers that somebody holds at the moment. */
    public long heldBytes() {
        return pinnedDirectMemory() + pinnedHeapMemory() + largeBytes.get();
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        if (initialCapacity < LARGE_BYTES || initialCapacity != maxCapacity) {
            return super.newDirectBuffer(initialCapacity, maxCapacity);
        }
        return toLeakAwareBuffer(new LargeBuffer(memory.take(initialCapacity), initialCapacity));
    }

    /** A buffer over kept memory, which its last release gives back. */
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
