package io.ecfs.bench.bed.cluster;

import io.ecfs.client.EcfsClient;
import io.ecfs.client.blocks.BlockStore;
import io.ecfs.client.read.batch.FileRange;
import io.ecfs.client.read.batch.RangeResult;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The blocks of a run: files whose bytes lie at a place of one random pool that depends on the block, so that each can
 * be checked.
 */
public final class StoredBlocks {
    private static final int PUT_AT_ONCE = 32;
    private static final int POOL_SPARE = 8 << 20;
    private static final int STRIDE = 4099; // a prime: blocks begin at different places
    private static final long SEED = 42;
    private static final FilePath DIRECTORY = new FilePath("/blocks");

    private final int[] blockBytes;
    private final ByteBuffer pool;
    private final List<FileRange> ranges = new ArrayList<>();

    private StoredBlocks(int[] blockBytes, ByteBuffer pool) {
        this.blockBytes = blockBytes;
        this.pool = pool;
    }

    /**
     * Stores blocks.
     *
     * @param blockBytes of each
     */
    public static StoredBlocks put(EcfsClient client, int[] blockBytes) throws IOException {
        int longest = 0;
        for (int bytes : blockBytes) {
            longest = Math.max(longest, bytes);
        }
        byte[] random = new byte[longest + POOL_SPARE];
        new SplittableRandom(SEED).nextBytes(random);
        StoredBlocks blocks = new StoredBlocks(
                blockBytes, ByteBuffer.allocateDirect(random.length).put(random).flip());
        blocks.put(BlockStore.in(client, DIRECTORY));
        return blocks;
    }

    private void put(BlockStore store) throws IOException {
        Semaphore places = new Semaphore(PUT_AT_ONCE);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        for (int block = 0; block < blockBytes.length && failure.get() == null; block++) {
            String key = "block" + block;
            ranges.add(FileRange.whole(store.path(key)));
            places.acquireUninterruptibly();
            store.put(key, content(block)).whenComplete((done, failed) -> {
                failure.compareAndSet(null, failed);
                places.release();
            });
        }
        places.acquireUninterruptibly(PUT_AT_ONCE);
        if (failure.get() != null) {
            throw EcfsException.of(failure.get());
        }
    }

    private ByteBuffer content(int block) {
        int from = (int) ((long) block * STRIDE % (pool.capacity() - blockBytes[block]));
        return pool.slice(from, blockBytes[block]);
    }

    /** Reads blocks as one request. */
    public CompletableFuture<List<RangeResult>> read(EcfsClient client, int[] blocks, int delta) {
        List<FileRange> wanted = new ArrayList<>(blocks.length);
        for (int block : blocks) {
            wanted.add(ranges.get(block));
        }
        return client.readAll(wanted, delta);
    }

    /**
     * @throws EcfsException for one that could not be read, {@code CHUNK_CORRUPT} for one with other bytes than were
     *     stored
     */
    public void check(int[] blocks, List<RangeResult> results) throws EcfsException {
        for (int i = 0; i < blocks.length; i++) {
            if (results.get(i) instanceof RangeResult.Failed failed) {
                throw failed.failure();
            }
            ByteBuffer read = ((RangeResult.Read) results.get(i)).bytes();
            int wrong = read.duplicate().mismatch(content(blocks[i]));
            if (wrong >= 0) {
                throw new EcfsException(
                        ErrorCode.CHUNK_CORRUPT,
                        "block " + blocks[i] + " was read with other bytes than were stored, from byte " + wrong
                                + " on, or another length: " + read.remaining() + " of " + blockBytes[blocks[i]]);
            }
        }
    }
}
