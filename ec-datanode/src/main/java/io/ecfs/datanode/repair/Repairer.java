package io.ecfs.datanode.repair;

import io.ecfs.buffer.BufferPool;
import io.ecfs.code.CodeSpec;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.ErasureCodes;
import io.ecfs.code.GaloisKernel;
import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.VolumeQueue;
import io.ecfs.env.Threads;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.Policy;
import io.ecfs.message.BadChunk;
import io.ecfs.message.DatanodeOrder;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.wire.Caller;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Rebuilds chunks for the leader, a few at a time, with memory and threads of its own. Safe for use by several threads. */
public final class Repairer implements AutoCloseable {
    /** A slice has the sources, one more, and the chunk twice. */
    private static final int REGIONS_BESIDE_DATA = 3;

    private static final int QUEUE_BOUND = 1000;

    private final ChunkClient client;
    private final GaloisKernel kernel;
    private final RepairSettings settings;
    private final BufferPool buffers;
    private final Workers workers;
    private final Map<CodeSpec, ErasureCode> codes = new ConcurrentHashMap<>();

    /**
     * @param name of the datanode, for thread dumps and messages
     * @param caller to the datanodes that hold the sources; stays the caller's
     */
    public Repairer(String name, Caller caller, GaloisKernel kernel, Threads threads, RepairSettings settings) {
        this.client = new ChunkClient(caller, settings.readTimeout());
        this.kernel = kernel;
        this.settings = settings;
        this.buffers = new BufferPool("repairs of " + name, settings.bufferBytes());
        this.workers = threads.workers("repair-" + name, settings.threads(), QUEUE_BOUND);
    }

    /** How many rebuilds should run at the same time. */
    public int atOnce() {
        return settings.atOnce();
    }

    /** Buffers that are lent at the moment. */
    public long loans() {
        return buffers.loans();
    }

    /**
     * Rebuilds one chunk on a volume.
     *
     * @param queue of the volume
     * @param badChunks is told of sources that are corrupt or missing; must not block
     * @return completes when the chunk is published, verified and on disk, also when it was before; fails with {@link EcfsException}:
     *     {@code GROUP_UNREADABLE} when too few sources can be read, and nothing of the chunk is left then
     */
    public CompletableFuture<Void> rebuild(
            DatanodeOrder.Rebuild order, Volume volume, VolumeQueue queue, Consumer<BadChunk> badChunks) {
        Policy policy = order.policy();
        ErasureCode code = codes.computeIfAbsent(policy.code(), spec -> ErasureCodes.create(spec, kernel));
        long share = settings.bufferBytes() / settings.atOnce() / (policy.dataChunks() + REGIONS_BESIDE_DATA);
        int sliceBytes = (int) Math.min(settings.sliceBytes(), share);
        return new Rebuild(order, volume, queue, client, code, buffers, workers, badChunks, sliceBytes).run();
    }

    @Override
    public void close() {
        workers.close();
    }
}
