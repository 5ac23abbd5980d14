package io.ecfs.datanode.rewrite;

import io.ecfs.buffer.BufferPool;
import io.ecfs.code.construction.Codes;
import io.ecfs.env.Clock;
import io.ecfs.env.Environment;
import io.ecfs.env.Randomness;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.stripe.write.WriteTimes;
import io.ecfs.transfer.ChunkClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Fills groups with bytes of others for the leader, {@value #AT_ONCE} at a time, each with 4 MiB of its target, or two
 * stripes, and as much of its sources as a stripe has in memory. Safe for use by several threads.
 */
public final class Rewriter implements AutoCloseable {
    /** Rewrites that run at the same time. */
    public static final int AT_ONCE = 2;

    private static final int QUEUE_BOUND = 1000;

    private final ChunkClient client;
    private final Codes codes;
    private final Randomness randomness;
    private final WriteTimes times;
    private final Clock clock;
    private final BufferPool buffers;
    private final Workers workers;
    private final Pace pace;

    /** Completes when so many bytes more may be read. */
    public interface Pace {
        CompletableFuture<Void> take(long bytes);
    }

    /**
     * @param name of the datanode, for thread dumps and messages
     * @param client calls other datanodes
     */
    public Rewriter(String name, ChunkClient client, Codes codes, Environment environment, Pace pace) {
        this.client = client;
        this.codes = codes;
        this.randomness = environment.randomness();
        this.times = new WriteTimes();
        this.clock = environment.clock();
        this.buffers = new BufferPool("rewrites of " + name, Long.MAX_VALUE);
        this.workers = environment.threads().workers("rewrite-" + name, AT_ONCE, QUEUE_BOUND);
        this.pace = pace;
    }

    /**
     * Fills a group, encodes it, puts its chunks on disk and compares them with the sources.
     *
     * @param owner of the rewrite's state
     * @param badChunks receives sources that are corrupt or missing; must not block
     * @return the group with all its chunks; fails with {@link EcfsException} when a source could not be read or a
     *     chunk not be written, and what was written is given up then
     */
    public CompletableFuture<SealedGroup> rewrite(
            DatanodeOrder.Rewrite order, Executor owner, Consumer<BadChunk> badChunks) {
        return new GroupRewrite(order, randomness.nextLong(), this, owner, badChunks).run();
    }

    ChunkClient client() {
        return client;
    }

    Codes codes() {
        return codes;
    }

    Clock clock() {
        return clock;
    }

    WriteTimes times() {
        return times;
    }

    BufferPool buffers() {
        return buffers;
    }

    Workers workers() {
        return workers;
    }

    Pace pace() {
        return pace;
    }

    @Override
    public void close() {
        workers.close();
    }
}
