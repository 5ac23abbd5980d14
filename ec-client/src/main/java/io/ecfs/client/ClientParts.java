package io.ecfs.client;

import io.ecfs.buffer.BufferPool;
import io.ecfs.buffer.MemoryBudget;
import io.ecfs.client.access.MeasuredCosts;
import io.ecfs.client.access.ReadPlans;
import io.ecfs.client.base.AccessSamples;
import io.ecfs.client.base.ChunkSource;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.base.LocalConfig;
import io.ecfs.client.base.NamenodeCaller;
import io.ecfs.client.base.Pending;
import io.ecfs.client.base.RequestIds;
import io.ecfs.client.base.WriteReports;
import io.ecfs.client.health.BadChunkReports;
import io.ecfs.client.health.DatanodeHealth;
import io.ecfs.client.health.HedgeTimer;
import io.ecfs.client.local.LocalReads;
import io.ecfs.client.location.OpenGroupProbes;
import io.ecfs.client.plan.DataFirstPlanner;
import io.ecfs.client.read.batch.BatchPlanner;
import io.ecfs.client.read.batch.BatchReader;
import io.ecfs.client.read.batch.JointReads;
import io.ecfs.client.read.gather.GatheredReads;
import io.ecfs.client.read.span.GroupReader;
import io.ecfs.client.read.span.ReadTimes;
import io.ecfs.client.read.span.SpanDecoder;
import io.ecfs.client.read.span.SpanFetches;
import io.ecfs.client.read.span.SpanPlanner;
import io.ecfs.client.read.span.SpanReads;
import io.ecfs.client.read.stream.FileReaders;
import io.ecfs.client.ring.ExpectedRole;
import io.ecfs.client.ring.RingView;
import io.ecfs.client.update.PatchReads;
import io.ecfs.client.update.Updates;
import io.ecfs.client.write.WriteServices;
import io.ecfs.client.write.route.RelayRoute;
import io.ecfs.client.write.route.StripeRoutes;
import io.ecfs.code.construction.Codes;
import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.env.Environment;
import io.ecfs.env.Scheduler;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.RelayFallbacks;
import io.ecfs.message.ring.RingState;
import io.ecfs.stripe.write.WriteTimes;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.wire.Caller;
import io.ecfs.wire.file.FileReceiver;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Components of a client: threads, memory, and what its reads and writes share. Owned by its {@link EcfsClient}.
 *
 * <pre>
 *   EcfsClient --> reads, writes --> datanodes, local files --> caller
 *        `-------> namenode ----------------------------------> caller
 * </pre>
 */
final class ClientParts {
    /** Most decodes, rewrites and reads of files that may wait; the memory budgets allow far fewer. */
    private static final int WORK_QUEUE = 65_536;

    /** Threads for continuations that may block. */
    private static final int ANSWER_THREADS = 4;

    private static final int UPDATE_THREADS = 4;

    /**
     * Most steps of a call that ends, one after the other on the owner's thread. Buffers of a stream that is never
     * closed are not returned in any case.
     */
    private static final int MOST_STEPS = 100;

    final RequestIds requests;
    final Scheduler owner;
    final Workers answers;
    /** Writes to packs, which may wait for their memory: a thread for each open one, and one for those evicted. */
    final Workers packers;

    /** Batches of files that are updated in place, which may wait for their memory. */
    final Workers updaters;

    final BufferPool updatedCells = new BufferPool("cells of updated files", Long.MAX_VALUE);
    final BufferPool packedCells = new BufferPool("cells of packs", Long.MAX_VALUE);

    final NamenodeCaller namenode;
    final MemoryBudget demand;
    final MemoryBudget ahead;
    final Optional<LocalReads> local;
    final AccessSamples accesses;
    final ChunkClient datanodes;
    final DatanodeHealth health;
    final ReadPlans plans;
    final ReadTimes readTimes;
    final FileReaders files;
    final JointReads joint;
    final WriteServices writes;
    final Updates updates;
    private final Workers codecs;
    private final BufferPool scratch;
    private final Runnable disconnect;
    private final Pending pending = new Pending();

    /**
     * Makes the components.
     *
     * @param caller connections to namenodes and datanodes
     * @param receiver receives open files from datanodes of this machine; empty when the system does not support it
     * @param disconnect closes the caller's resources, if the client owns them
     */
    ClientParts(
            ClusterUri cluster,
            ClientConfig config,
            Environment environment,
            Caller caller,
            Optional<FileReceiver> receiver,
            GaloisKernel kernel,
            Runnable disconnect) {
        this.disconnect = disconnect;
        requests = new RequestIds("client-" + environment.randomness().uuid());
        owner = environment.threads().scheduler("ecfs-client");
        codecs = environment.threads().workers("ecfs-client-codec", config.codecThreads(), WORK_QUEUE);
        answers = environment.threads().workers("ecfs-client-answer", ANSWER_THREADS, WORK_QUEUE);
        packers =
                environment.threads().workers("ecfs-client-pack", config.pack().open() + 1, WORK_QUEUE);
        updaters = environment.threads().workers("ecfs-client-update", UPDATE_THREADS, WORK_QUEUE);
        namenode = new NamenodeCaller(cluster.namenodes(), caller, environment, owner, pending, config, requests);
        demand = new MemoryBudget("reads", config.readBudgetBytes());
        ahead = new MemoryBudget("read-ahead", config.readAheadBudgetBytes());
        datanodes = new ChunkClient(caller, config.callTimeout());
        Codes codes = new Codes(kernel);
        scratch = new BufferPool("decoded bytes", Long.MAX_VALUE);
        local = config.local().on()
                ? Optional.of(localReads(datanodes, receiver, config.local(), environment, scratch))
                : Optional.empty();
        RingView rings = new RingView(environment.clock(), this::rings);
        MeasuredCosts costs = new MeasuredCosts(
                environment.clock(),
                owner,
                datanodes,
                config.plan(),
                volume -> rings.role(volume) == ExpectedRole.WRITES);
        accesses = new AccessSamples(environment.clock(), owner, namenode::tellAll);
        health = new DatanodeHealth(
                environment.clock(),
                config,
                costs,
                new BadChunkReports(report -> namenode.call(report, NamespaceReply.Done.class)),
                rings);
        plans = new ReadPlans(
                config.plan(), costs, owner, environment.threads(), environment.clock(), environment.randomness());
        readTimes = new ReadTimes(environment.clock());
        ChunkSource chunks = local.isPresent() ? local.get() : ChunkSource.network(datanodes);
        SpanReads spans = new SpanReads(
                new SpanPlanner(codes, new DataFirstPlanner(), costs, plans),
                chunks,
                new SpanDecoder(codecs, scratch, readTimes),
                health,
                new HedgeTimer(owner, environment.clock(), config),
                owner,
                environment.clock());
        SpanFetches fetches = new SpanFetches(spans, owner, pending, config);
        joint = new JointReads(
                new BatchPlanner(codes, health, costs, plans, accesses::together, readTimes),
                new BatchReader(fetches, chunks, owner, config.budgetWait(), readTimes),
                readTimes,
                owner,
                pending,
                config);
        OpenGroupProbes openGroups =
                new OpenGroupProbes(datanodes, codes, owner, pending, codecs, scratch, config.lateAfter());
        PatchReads patches = new PatchReads(fetches, openGroups, demand, environment.clock());
        GatheredReads gathered = new GatheredReads(fetches, chunks, owner, pending, demand, config);
        files = new FileReaders(
                fetches, gathered, joint, openGroups, patches, environment.clock(), demand, ahead, config);
        WriteTimes times = new WriteTimes();
        StripeRoutes routes = new StripeRoutes(
                new RelayRoute.Services(datanodes, codecs, environment.clock()), codes, config.master());
        WriteReports reports =
                new WriteReports(owner, times::shares, () -> RelayFallbacks.of(routes.fallbacks()), namenode::tellAll);
        writes = new WriteServices(
                datanodes,
                namenode,
                requests,
                codes,
                owner,
                environment.clock(),
                pending,
                codecs,
                environment.randomness(),
                new MemoryBudget("open stripes", config.writeBudgetBytes()),
                new BufferPool("cells", config.writeBudgetBytes()),
                new MemoryBudget("rewritten stripes", 1),
                new BufferPool("rewritten cells", Long.MAX_VALUE),
                new GroupReader(spans, config.hedge().delta()),
                health,
                times,
                routes,
                reports,
                config);
        updates = new Updates(writes, files, openGroups, patches, updaters, updatedCells);
    }

    private CompletableFuture<List<RingState>> rings() {
        return namenode.call(new NamespaceRequest.GetRings(), NamespaceReply.Rings.class)
                .thenApply(NamespaceReply.Rings::rings);
    }

    private LocalReads localReads(
            ChunkClient datanodes,
            Optional<FileReceiver> receiver,
            LocalConfig config,
            Environment environment,
            BufferPool buffers) {
        return new LocalReads(
                ChunkSource.network(datanodes),
                datanodes,
                receiver,
                config,
                environment.clock(),
                owner,
                environment.threads().workers("ecfs-client-files", config.threads(), WORK_QUEUE),
                buffers);
    }

    /** Number of buffers that reads and writes use at the moment. */
    long loanedBuffers() {
        return scratch.loans()
                + writes.pool().loans()
                + writes.rewritePool().loans()
                + packedCells.loans()
                + updatedCells.loans();
    }

    /** Bytes reserved by reads and writes at the moment. */
    long reservedBytes() {
        return demand.usedBytes()
                + ahead.usedBytes()
                + writes.budget().usedBytes()
                + writes.rewritePermit().usedBytes();
    }

    /**
     * Call once, when all writers have ended.
     *
     * @param reason failure of the calls that still wait
     */
    void close(EcfsException reason) {
        local.ifPresent(LocalReads::close);
        disconnect.run();
        onOwner(() -> {
            pending.end(reason);
            plans.close();
        });
        packers.close();
        updaters.close();
        codecs.close();
        // Calls that fail by this need some more steps to release their buffers.
        for (int step = 0; loanedBuffers() > 0 && step < MOST_STEPS; step++) {
            onOwner(() -> {});
        }
        owner.close();
        answers.close();
    }

    /** Runs a step behind all that waits for the owner. */
    private void onOwner(Runnable step) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        owner.execute(() -> Workers.run(
                () -> {
                    step.run();
                    return null;
                },
                done));
        done.join();
    }
}
