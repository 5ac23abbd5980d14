package io.ecfs.datanode.repair;

import io.ecfs.buffer.BufferPool;
import io.ecfs.buffer.MemoryBudget;
import io.ecfs.code.CodeSpec;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.ParityCheck.Verdict;
import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.kernel.GaloisKernel;
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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Rebuilds chunks for the leader, a few at a time, with memory and threads of its own; with the same it brings up open
 * chunks of lost writers, compares chunks and checks parity. Safe for use by several threads.
 */
public final class Repairer implements AutoCloseable {
    /** Of moves: small, so that users who come meanwhile wait little, and one at a time. */
    private static final int CALM_SLICE_BYTES = 256 << 10;

    /** A slice has the sources, one more, and the chunk twice. */
    private static final int REGIONS_BESIDE_DATA = 3;

    /** What a source sends is kept beside the region that it is put together in. */
    private static final int COPIES = 2;

    private static final int QUEUE_BOUND = 1000;

    private final GaloisKernel kernel;
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
    private final Map<CodeSpec, ErasureCode> codes = new ConcurrentHashMap<>();

    /**
     * @param name of the datanode, for thread dumps and messages
     * @param caller to the datanodes that hold the sources; stays the caller's
     * @param userBytes that this datanode exchanged with clients so far; asked by any thread
     * @param idle share of the machine's processors that was idle since it was last asked, NaN when that is not known;
     *     so too
     */
    public Repairer(
            String name,
            Caller caller,
            GaloisKernel kernel,
            Clock clock,
            Threads threads,
            RepairSettings settings,
            LongSupplier userBytes,
            DoubleSupplier idle) {
        this.clock = clock;
        this.kernel = kernel;
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
     * What an operator set, within a second in place of {@code repair.limit.bytesPerSecond}.
     *
     * @param bytesPerSecond of sources; 0: no limit; empty: as configured
     */
    public void throttle(Optional<Long> bytesPerSecond) {
        rate.told(bytesPerSecond);
    }

    /** How many rebuilds should run at the same time. */
    public int atOnce() {
        return settings.atOnce();
    }

    /** Buffers that are lent at the moment. */
    public long loans() {
        return buffers.loans();
    }

    /** Of all slices under way at the moment, at most {@link RepairSettings#bufferBytes}. */
    public long usedBytes() {
        return memory.usedBytes();
    }

    /**
     * What this datanode rebuilt and filled since it started.
     *
     * @param running at the moment
     * @param unchecked of those rebuilt, what nothing but their sources speaks for: no chunk was left to cross-check
     *     them with
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
     * @param work what it took so far; all of it once {@code done} has completed
     * @param disputed once {@code done} has failed: the chunk on disk that the rebuilt one differs from, or the rebuilt
     *     one when different sources give different bytes, though all match their checksums
     */
    public record Rebuilding(
            CompletableFuture<Void> done, Supplier<RebuildWork> work, Supplier<Optional<ChunkId>> disputed) {}

    /**
     * Rebuilds one chunk on a volume.
     *
     * @param queue of the volume
     * @param badChunks is told of sources that are corrupt or missing; must not block
     */
    public Rebuilding rebuild(
            DatanodeOrder.Rebuild order, Volume volume, VolumeQueue queue, Consumer<BadChunk> badChunks) {
        Policy policy = order.policy();
        ErasureCode code = codes.computeIfAbsent(policy.code(), spec -> ErasureCodes.create(spec, kernel));
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
     * @param badChunks is told of chunks that are corrupt or missing; must not block
     */
    public CompletableFuture<Verdict> check(DatanodeOrder.CheckParity order, Consumer<BadChunk> badChunks) {
        ErasureCode code = codes.computeIfAbsent(order.policy().code(), spec -> ErasureCodes.create(spec, kernel));
        int sliceBytes =
                (int) Math.min(settings.sliceBytes(), share(order.policy().chunks()));
        return new GroupCheck(order, code, shared, badChunks, sliceBytes).run();
    }

    /**
     * Compares a chunk with the one that it stands in for; fails with {@link EcfsException} when one of them cannot be
     * read.
     *
     * @param badChunks is told of chunks that are corrupt or missing; must not block
     */
    public CompletableFuture<Boolean> compare(DatanodeOrder.Compare order, Consumer<BadChunk> badChunks) {
        int sliceBytes = (int) Math.min(Math.min(settings.sliceBytes(), CALM_SLICE_BYTES), share(1));
        return new ChunkComparison(order, shared, badChunks, sliceBytes).run();
    }

    /**
     * Gives an open chunk its cell of the tail, from the tail records of its group.
     *
     * @return the chunk as it is then, on disk; fails with {@link EcfsException} when the records or the chunk do not
     *     allow it
     */
    public CompletableFuture<ChunkRecord> fillTail(DatanodeOrder.FillTail order, Volume volume, VolumeQueue queue) {
        ErasureCode code = codes.computeIfAbsent(order.policy().code(), spec -> ErasureCodes.create(spec, kernel));
        return new TailFill(order, volume, queue, code, shared).run();
    }

    /**
     * Gives an open chunk the cells of full stripes that it lacks, computed from others of its group.
     *
     * @param badChunks is told of sources that are corrupt or missing; must not block
     * @return the chunk as it is then, on disk; fails with {@link EcfsException} when the sources or the chunk do not
     *     allow it
     */
    public CompletableFuture<ChunkRecord> fillStripes(
            DatanodeOrder.FillStripes order, Volume volume, VolumeQueue queue, Consumer<BadChunk> badChunks) {
        Policy policy = order.policy();
        ErasureCode code = codes.computeIfAbsent(policy.code(), spec -> ErasureCodes.create(spec, kernel));
        int sliceBytes = (int) Math.min(settings.sliceBytes(), share(policy.dataChunks() + REGIONS_BESIDE_DATA));
        WorkMeter meter = new WorkMeter(clock);
        return new StripeFill(order, volume, queue, code, shared, badChunks, sliceBytes, meter)
                .run()
                .whenComplete((filled, failure) -> bytesRead.add(meter.work().bytesRead()));
    }

    /** Of one of so many regions of a slice. */
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
