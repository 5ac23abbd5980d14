package io.ecfs.bench.bed;

import io.ecfs.client.access.BlockKey;
import io.ecfs.client.access.MeasuredCosts;
import io.ecfs.client.access.ReadPlans;
import io.ecfs.client.read.batch.BatchPlanner;
import io.ecfs.env.Clock;
import io.ecfs.env.Randomness;
import io.ecfs.env.Scheduler;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.VolumeLoad;
import io.ecfs.plan.BlockNeed;
import io.ecfs.plan.Candidate;
import io.ecfs.sim.time.VirtualTime;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * The chunks that a program with one {@code EcfsClient} reads, by that client's own code: the costs it measures and
 * asks for, its cache of plans, its planners. All clients of the bed are threads of that program. A site has one
 * volume, numbered from 1.
 */
final class ClientReads implements BedStrategy {
    private static final int TEN = 10;
    private static final int DIGITS = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final VirtualTime time;
    private final ChunkMap map;
    private final List<QueuedSite> sites;
    private final int needed;
    private final int delta;
    private final boolean timed;
    private final Clock stopwatch;
    private final LongSupplier processor;
    private final List<ChunkLocation> volumes = new ArrayList<>();
    private final MeasuredCosts costs;
    private final ReadPlans plans;
    private final Histogram ofTenBlocks = new Histogram(DIGITS);
    private ReadPlans.Counts before;
    private long requests;
    private long processorNanos;

    /**
     * @param machine times planning where the plan asks for that; otherwise the bed's clock does, on which it takes no
     *     time
     * @param processor nanoseconds that this thread has run
     */
    ClientReads(
            VirtualTime time,
            ChunkMap map,
            List<QueuedSite> sites,
            BedPlan plan,
            Configuration configuration,
            Clock machine,
            LongSupplier processor,
            SplittableRandom random) {
        this.time = time;
        this.map = map;
        this.sites = sites;
        this.needed = configuration.dataChunks();
        this.delta = configuration.delta();
        this.timed = plan.timed();
        this.processor = timed ? processor : () -> 0;
        for (int site = 0; site < sites.size(); site++) {
            volumes.add(volume(site));
        }
        BedThreads threads = new BedThreads(time);
        this.stopwatch = timed ? machine : time;
        Scheduler owner = threads.scheduler("client");
        costs = new MeasuredCosts(time, owner, new ChunkClient(new Datanodes(), PATIENCE), plan.planner());
        plans = new ReadPlans(plan.planner(), costs, owner, threads, stopwatch, Randomness.over(random));
        before = plans.counts();
    }

    private static ChunkLocation volume(int site) {
        String name = "dn" + site;
        return new ChunkLocation(
                new ChunkId(new GroupId(1), 0, 0),
                new VolumeId(site + 1),
                new DatanodeId(name),
                new Address(name, 1),
                "",
                ChunkLocation.State.LIVE);
    }

    /** They say how busy they are when their queue comes to it. */
    private final class Datanodes implements Caller {
        @Override
        public CompletableFuture<Envelope> call(Address to, Message request, ByteBuf payload, Duration timeout) {
            payload.release();
            VolumeId volume = ((VolumeLoad.Ask) request).volume();
            CompletableFuture<Envelope> reply = new CompletableFuture<>();
            Envelope answer = Envelope.of(new VolumeLoad.Reply(volume, 0));
            sites.get(volume.value() - 1)
                    .visit()
                    .read(0, () -> time.after(QueuedSite.NETWORK_NANOS, () -> reply.complete(answer)));
            return reply;
        }

        @Override
        public void close() {}
    }

    @Override
    public List<Choice> choose(int[] blocks) {
        long asked = processor.getAsLong();
        long ran = processor.getAsLong();
        long began = stopwatch.nanos();
        long solving = plans.counts().solvingNanos();
        List<Choice> chosen = new ArrayList<>(blocks.length);
        for (int from = 0; from < blocks.length; from += BatchPlanner.SPANS_A_PLAN) {
            List<ReadPlans.Block> part = new ArrayList<>();
            for (int i = from; i < Math.min(blocks.length, from + BatchPlanner.SPANS_A_PLAN); i++) {
                part.add(block(blocks[i]));
            }
            chosen.addAll(choose(part));
        }
        long took = stopwatch.nanos() - began - (plans.counts().solvingNanos() - solving);
        requests++;
        long asking = ran - asked; // it takes longer than a plan from the cache
        processorNanos += processor.getAsLong() - ran - asking;
        if (blocks.length == TEN) {
            ofTenBlocks.recordValue(took);
        }
        return chosen;
    }

    private List<Choice> choose(List<ReadPlans.Block> blocks) {
        ReadPlans.Planned planned = plans.plan(blocks, delta).orElseThrow();
        List<Choice> chosen = new ArrayList<>(blocks.size());
        for (int i = 0; i < blocks.size(); i++) {
            chosen.add(
                    new Choice(planned.plan().chunks().get(i), planned.spares().get(i)));
        }
        return chosen;
    }

    private ReadPlans.Block block(int block) {
        List<Candidate> candidates = new ArrayList<>(map.chunks());
        List<ChunkLocation> places = new ArrayList<>(map.chunks());
        for (int chunk = 0; chunk < map.chunks(); chunk++) {
            int site = map.site(block, chunk);
            if (!sites.get(site).failed()) {
                ChunkLocation place = volumes.get(site);
                places.add(place);
                candidates.add(new Candidate(chunk, place.volume().value(), map.chunkBytes(block)));
            }
        }
        costs.considered(places);
        BlockNeed need = BlockNeed.anyOf(needed, candidates);
        return new ReadPlans.Block(BlockKey.of(new GroupId(block + 1L), need), need);
    }

    @Override
    public void answered(int site, long through, long took) {
        costs.answered(volumes.get(site), through, took, false);
    }

    @Override
    public void calledOff(int site, long through, long took) {
        costs.calledOff(volumes.get(site), through, took, false);
    }

    @Override
    public void measure() {
        before = plans.counts();
        requests = 0;
        processorNanos = 0;
        ofTenBlocks.reset();
    }

    @Override
    public Optional<CacheUse> cacheUse() {
        return Optional.of(CacheUse.between(before, plans.counts()));
    }

    @Override
    public Optional<PlanningTimes> planningTimes() {
        return timed ? Optional.of(new PlanningTimes(requests, processorNanos, ofTenBlocks)) : Optional.empty();
    }
}
