package io.ecfs.buffer;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.error.Invariant;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lends direct buffers against a {@link MemoryBudget}. A loan begins when the buffer is handed out and ends with the
 * last {@code release()} of it, wherever that happens; then its bytes return to the budget. The budget counts requested
 * bytes; the allocator below rounds up by at most a quarter. Safe for use by several threads.
 */
public final class BufferPool implements AutoCloseable {
    /** Value that fills a poisoned buffer when its loan ends. */
    public static final byte POISON = (byte) 0xDB;

    private static final long POISON_EIGHT = 0xDBDB_DBDB_DBDB_DBDBL;

    /**
     * One for all pools: each allocator keeps megabytes of its own for small buffers, and a process may make very many
     * pools.
     */
    private static final CellAllocator ALLOCATOR = new CellAllocator();

    private final String name;
    private final MemoryBudget budget;
    private final boolean poison;
    private final AtomicLong loans = new AtomicLong();

    /** Poisons returned memory where Java's assertions are on, as they are in tests. */
    public BufferPool(String name, long budgetBytes) {
        this(name, budgetBytes, BufferPool.class.desiredAssertionStatus());
    }

    /** @param poison overwrite returned memory, so that tests see a use after the release */
    public BufferPool(String name, long budgetBytes, boolean poison) {
        this.name = name;
        this.budget = new MemoryBudget(name, budgetBytes);
        this.poison = poison;
    }

    /**
     * An empty buffer of exactly this capacity, when its turn has come. Cancel the future to stop waiting; a buffer
     * that was granted at the same moment is released.
     *
     * @return fails with {@code INVALID_ARGUMENT} when the whole budget is smaller
     */
    public CompletableFuture<ByteBuf> acquire(int bytes) {
        CompletableFuture<Void> granted = budget.acquire(bytes);
        CompletableFuture<ByteBuf> result = new CompletableFuture<>();
        granted.whenComplete((nothing, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
                return;
            }
            ByteBuf buffer;
            try {
                buffer = lend(bytes);
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
                return;
            }
            if (!result.complete(buffer)) {
                buffer.release();
            }
        });
        result.whenComplete((buffer, failure) -> {
            if (failure != null) {
                granted.cancel(false);
            }
        });
        return result;
    }

    /**
     * As {@link #acquire}, but does not wait.
     *
     * @throws EcfsException {@code BUSY} when the budget has not that much left, {@code INVALID_ARGUMENT} when the
     *     whole budget is smaller
     */
    public ByteBuf allocate(int bytes) throws EcfsException {
        if (bytes <= budget.totalBytes() && budget.tryAcquire(bytes)) {
            return lend(bytes);
        }
        boolean never = bytes > budget.totalBytes();
        throw new EcfsException(
                never ? ErrorCode.INVALID_ARGUMENT : ErrorCode.BUSY,
                "pool " + name + " cannot lend " + bytes + " bytes: " + budget.usedBytes() + " of "
                        + budget.totalBytes() + " bytes are out"
                        + (never ? "; raise its budget or ask for less" : ""));
    }

    /** Number of lent buffers. */
    public long loans() {
        return loans.get();
    }

    /** Bytes of lent buffers. */
    public long loanedBytes() {
        return budget.usedBytes();
    }

    public long totalBytes() {
        return budget.totalBytes();
    }

    static long lentByAllPools() {
        return ALLOCATOR.usedBytes();
    }

    /** Checks that every loan has ended. The memory itself goes back to the process's allocator with each loan. */
    @Override
    public void close() {
        Invariant.check(
                loans.get() == 0, "pool %s closed with %d loans of %d bytes out", name, loans.get(), loanedBytes());
    }

    private ByteBuf lend(int bytes) {
        ByteBuf memory;
        try {
            memory = ALLOCATOR.directBuffer(bytes, bytes);
        } catch (RuntimeException | Error e) {
            budget.release(bytes);
            throw e;
        }
        loans.incrementAndGet();
        return new LoanedBuffer(this, ALLOCATOR, memory, bytes);
    }

    void ended(ByteBuf memory, int bytes) {
        if (poison) {
            ByteBuffer all = memory.nioBuffer(0, bytes);
            while (all.remaining() >= Long.BYTES) {
                all.putLong(POISON_EIGHT);
            }
            while (all.hasRemaining()) {
                all.put(POISON);
            }
        }
        memory.release();
        loans.decrementAndGet();
        budget.release(bytes);
    }
}
