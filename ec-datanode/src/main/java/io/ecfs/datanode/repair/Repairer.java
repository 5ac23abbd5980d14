package io.ecfs.datanode.repair;

import io.ecfs.buffer.BufferPool;
import io.ecfs.buffer.MemoryBudget;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.ParityCheck.Verdict;
import io.ecfs.code.construction.Codes;
import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.env.Clock;
import io.ecfs.env.Scheduler;
import io.ecfs.env.Threads;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Policy;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.RebuildWork;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.wire.Caller;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Rebuilds chunks for the leader, a few at a time, with memory and threads of its own; with the same it completes open
 * chunks of lost writers, compares chunks and checks parity. Safe for use by several threads.
 */
public final class Repairer implements AutoCloseable {
    /** Slice of a move: small, so that requests of users wait little, and one at a time. */
    private static final int CALM_SLICE_BYTES = 256 << 10;

    /** Regions of a slice beside those of the sources: one more, and the chunk twice. */
    private static final int REGIONS_BESIDE_DATA = 3;

    /** Copies of a source's bytes: as received, and in the region where they are assembled. */
    private static final int COPIES = 2;

    private static final int QUEUE_BOUND = 1000;

    private final RepairSettings settings;
    private final BufferPool buffers;
    private final MemoryBudget memory;
    private final Workers workers;
    private final Scheduler pacing;
    private final RepairResources shared;
    private final Clock clock;
    private final UserRate rate;
    private final LongAdder running = new LongAdder();
    private final LongAdder rebuilt = new LongAdder();
    private final LongAdder unchecked = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder bytesRepaired = new LongAdder();
    private final Codes codes;

    /**
     * @param name of the datanode, for thread dumps and messages
     * @param caller to the datanodes that have the sources; not closed here
     * @param userBytes that this datanode exchanged with clients so far; called by any thread
     * @param idle share of the machine's processors that was idle since the last call, NaN when that is not known;
     *     called by any thread
     */
    public Repairer(
            String name,
            Caller caller,
            Codes codes,
            Clock clock,
            Threads threads,
            RepairSettings settings,
            LongSupplier userBytes,
            DoubleSupplier idle) {
        this.clock = clock;
        this.codes = codes;
        this.settings = settings;
        this.buffers = new BufferPool("repairs of " + name, settings.bufferBytes());
        this.memory = new MemoryBudget("repairs of " + name, settings.bufferBytes());
        this.workers = threads.workers("repair-" + name, settings.threads(), QUEUE_BOUND);
        this.pacing = threads.scheduler("repair-pace-" + name);
        this.rate = new UserRate(settings.limit(), userBytes);
        this.shared = new RepairResources(
                new ChunkClient(caller, settings.readTimeout()),
                memory,
                buffers,
                workers,
                new RepairPace(clock, pacing, rate),
                new RepairPace(clock, pacing, new YieldingRate(settings.limit().yieldingBytesPerSecond(), idle)),
                settings);
    }

    /**
     * Sets an operator's limit, which replaces {@code repair.limit.bytesPerSecond} within a second.
     *
     * @param bytesPerSecond of sources; 0: no limit; empty: as configured
     */
    public void throttle(Optional<Long> bytesPerSecond) {
        rate.setOperatorLimit(bytesPerSecond);
    }

    /** Completes when work that is not urgent may read so many bytes more: at the pace of moves. */
    public CompletableFuture<Void> calmly(long bytes) {
        return shared.yielding().take(bytes).thenCompose(may -> shared.pace().take(bytes));
    }

    /** Number of rebuilds that should run at the same time. */
    public int atOnce() {
        return settings.atOnce();
    }

    /** Number of buffers that are lent at the moment. */
    public long loans() {
        return buffers.loans();
    }

    /** Memory of all slices under way, at most {@link RepairSettings#bufferBytes}. */
    public long usedBytes() {
        return memory.usedBytes();
    }

    /**
     * Totals of this datanode's rebuilds and fills since its start.
     *
     * @param running at the moment
     * @param unchecked rebuilt without a cross-check, since no chunk beside the sources was left
     * @param bytesRead of sources to rebuild chunks and to fill their stripes, also by attempts that failed
     */
    public record Totals(long running, long rebuilt, long unchecked, long failed, long bytesRead, long bytesRepaired) {}

    public Totals totals() {
        return new Totals(
                running.sum(), rebuilt.sum(), unchecked.sum(), failed.sum(), bytesRead.sum(), bytesRepaired.sum());
    }

    /**
     * A rebuild under way.
     *
     * @param done completes when the chunk is published, verified and on disk, also when it was before; fails with
     *     {@link EcfsException}: {@code GROUP_UNREADABLE} when too few sources can be read, and nothing of the chunk is
     *     left then
     * @param work work done so far; all of it once {@code done} has completed
     * @param disputed once {@code done} has failed: the chunk on disk that the rebuilt one differs from, or the rebuilt
     *     one when different sources give different bytes, though all match their checksums
     */
    public record Rebuilding(
            CompletableFuture<Void> done, Supplier<RebuildWork> work, Supplier<Optional<ChunkId>> disputed) {}

    /**
     * Rebuilds one chunk on a volume.
     *
     * @param queue of the volume
     * @param badChunks receives sources that are corrupt or missing; must not block
     */
    public Rebuilding rebuild(
            DatanodeOrder.Rebuild order, Volume volume, VolumeQueue queue, Consumer<BadChunk> badChunks) {
        Policy policy = order.policy();
        ErasureCode code = codes.of(policy.code());
        int most = order.calm() ? Math.min(settings.sliceBytes(), CALM_SLICE_BYTES) : settings.sliceBytes();
        int sliceBytes = (int) Math.min(most, share(policy.dataChunks() + REGIONS_BESIDE_DATA));
        WorkMeter meter = new WorkMeter(clock);
        running.increment();
        Rebuild rebuild = new Rebuild(order, volume, queue, code, shared, badChunks, sliceBytes, meter);
        CompletableFuture<Void> done = rebuild.run().whenComplete((published, failure) -> {
            count(meter.work(), failure == null);
            unchecked.add(failure == null && !rebuild.evidence().speaksForIt() ? 1 : 0);
        });
        return new Rebuilding(done, meter::work, rebuild::disputed);
    }

    /**
     * Compares the parity of a group with its data; fails with {@link EcfsException} when a chunk cannot be read.
     *
     * @param badChunks receives chunks that are corrupt or missing; must not block
     */
    public CompletableFuture<Verdict> check(DatanodeOrder.CheckParity order, Consumer<BadChunk> badChunks) {
        ErasureCode code = codes.of(order.policy().code());
        int sliceBytes =
                (int) Math.min(settings.sliceBytes(), share(order.policy().chunks()));
        return new GroupCheck(order, code, shared, badChunks, sliceBytes).run();
    }

    /**
     * Compares a chunk with the one that it replaces; fails with {@link EcfsException} when one of them cannot be read.
     *
     * @param badChunks receives chunks that are corrupt or missing; must not block
     */
    public CompletableFuture<Boolean> compare(DatanodeOrder.Compare order, Consumer<BadChunk> badChunks) {
        int sliceBytes = (int) Math.min(Math.min(settings.sliceBytes(), CALM_SLICE_BYTES), share(1));
        return new ChunkComparison(order, shared, badChunks, sliceBytes).run();
    }

    /**
     * Writes to an open chunk its cell of the tail, from the tail records of its group.
     *
     * @return the chunk as it is then, on disk; fails with {@link EcfsException} when the records or the chunk do not
     *     allow it
     */
    public CompletableFuture<ChunkRecord> fillTail(DatanodeOrder.FillTail order, Volume volume, VolumeQueue queue) {
        ErasureCode code = codes.of(order.policy().code());
        return new TailFill(order, volume, queue, code, shared).run();
    }

    /**
     * Writes to an open chunk the cells of full stripes that it lacks, computed from others of its group.
     *
     * @param badChunks receives sources that are corrupt or missing; must not block
     * @return the chunk as it is then, on disk; fails with {@link EcfsException} when the sources or the chunk do not
     *     allow it
     */
    public CompletableFuture<ChunkRecord> fillStripes(
            DatanodeOrder.FillStripes order, Volume volume, VolumeQueue queue, Consumer<BadChunk> badChunks) {
        Policy policy = order.policy();
        ErasureCode code = codes.of(policy.code());
        int sliceBytes = (int) Math.min(settings.sliceBytes(), share(policy.dataChunks() + REGIONS_BESIDE_DATA));
        WorkMeter meter = new WorkMeter(clock);
        return new StripeFill(order, volume, queue, code, shared, badChunks, sliceBytes, meter)
                .run()
                .whenComplete((filled, failure) -> bytesRead.add(meter.work().bytesRead()));
    }

    /** Bytes of one of so many regions of a slice. */
    private long share(int regions) {
        return settings.bufferBytes() / settings.atOnce() / settings.slicesAtOnce() / COPIES / regions;
    }

    private void count(RebuildWork work, boolean done) {
        running.decrement();
        (done ? rebuilt : failed).increment();
        bytesRead.add(work.bytesRead());
        bytesRepaired.add(done ? work.bytesRepaired() : 0);
    }

    @Override
    public void close() {
        pacing.close();
        workers.close();
    }
}
