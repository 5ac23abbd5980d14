package io.ecfs.client.access;

import io.ecfs.client.base.PlanConfig;
import io.ecfs.client.solver.ExactPlanner;
import io.ecfs.code.ChunkSet;
import io.ecfs.env.Clock;
import io.ecfs.env.Randomness;
import io.ecfs.env.Scheduler;
import io.ecfs.env.Threads;
import io.ecfs.env.Workers;
import io.ecfs.plan.AccessCost;
import io.ecfs.plan.BlockNeed;
import io.ecfs.plan.GreedyPlanner;
import io.ecfs.plan.JointPlan;
import io.ecfs.plan.JointPlanner;
import io.ecfs.plan.Spares;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the chunks that a request for several blocks reads (EC-Store, section V.B).
 *
 * <pre>
 *   blocks --> cache --miss--> greedy plan, cached ------------> plan
 *                `--hit---------------------------------------> plan
 *                     `--of a greedy plan, solver ready--> exact plan in its place
 *   a cached plan whose cost grew relative to the median is dropped: a miss
 * </pre>
 *
 * The solver takes longer than most reads. So it gets no blocks that are read together once, by a scan for example, and
 * rests nine times as long as it worked: greedy plans are hardly worse, and the processor is the application's.
 *
 * With {@link PlanConfig.Choice#RANDOM} chunks are chosen at random for each request, without cache and solver.
 *
 * The solver has one thread, made when it is first needed. Owned by the client's owner thread, except {@link #counts}.
 */
public final class ReadPlans implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReadPlans.class);
    /** Least blocks for the solver: the greedy plan of one block is optimal. */
    private static final int FOR_THE_SOLVER = 2;

    /** Of the time that a plan took, how long the solver rests after it. */
    private static final int RESTS_OF_A_PLAN = 9;

    private final PlanConfig config;
    private final MeasuredCosts costs;
    private final Scheduler owner;
    private final Threads threads;
    private final Clock clock;
    private final Function<Duration, JointPlanner> solvers;
    private final PlanCache cache;
    private final JointPlanner greedy = new GreedyPlanner();
    private final JointPlanner random;
    private boolean solving;
    private Workers solverThread; // null until it is needed
    private JointPlanner solver; // on the solver's thread only; null until it is needed
    private volatile long solverRestsUntil; // nanoseconds
    private boolean closed;
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder solved = new LongAdder();
    private final LongAdder unsolved = new LongAdder();
    private final LongAdder planningNanos = new LongAdder();
    private final LongAdder solvingNanos = new LongAdder();

    /** A block and the need of it. */
    public record Block(BlockKey key, BlockNeed need) {}

    /** Origin of a plan. */
    public enum Origin {
        /** There was no choice. */
        NONE,
        GREEDY,
        RANDOM,
        CACHED_GREEDY,
        CACHED_EXACT
    }

    /**
     * @param spares for each block the chunks that late binding requests beside those of the plan, in case some of
     *     these are late
     * @param nanos taken to make the plan
     */
    public record Planned(JointPlan plan, List<ChunkSet> spares, Origin origin, long nanos) {}

    /**
     * Input of one plan.
     *
     * @param needs of each block
     * @param delta chunks of each block that late binding asks for
     * @param costs at the present time
     * @param began when it was requested, in nanoseconds
     */
    private record Request(List<BlockNeed> needs, List<BlockKey> keys, int delta, CostSnapshot costs, long began) {}

    /**
     * Counts since the client began.
     *
     * @param hits requests that a cached plan served
     * @param misses requests without a cached plan
     * @param solved exact plans made
     * @param unsolved not solved: no solver, no time, or too many explanations waited
     * @param planningNanos of requests, on the owner thread
     * @param solvingNanos in the background
     */
    public record Counts(long hits, long misses, long solved, long unsolved, long planningNanos, long solvingNanos) {}

    public ReadPlans(
            PlanConfig config,
            MeasuredCosts costs,
            Scheduler owner,
            Threads threads,
            Clock clock,
            Randomness randomness) {
        this(config, costs, owner, threads, clock, randomness, ExactPlanner::open);
    }

    /** @param solvers makes the exact planner, on the thread that uses it */
    ReadPlans(
            PlanConfig config,
            MeasuredCosts costs,
            Scheduler owner,
            Threads threads,
            Clock clock,
            Randomness randomness,
            Function<Duration, JointPlanner> solvers) {
        this.config = config;
        this.costs = costs;
        this.owner = owner;
        this.threads = threads;
        this.clock = clock;
        this.solvers = solvers;
        this.random = new RandomPlanner(randomness);
        this.cache = new PlanCache(config.cachedBlocks());
        this.solverRestsUntil = clock.nanos();
    }

    public Counts counts() {
        return new Counts(
                hits.sum(), misses.sum(), solved.sum(), unsolved.sum(), planningNanos.sum(), solvingNanos.sum());
    }

    /** The costs that plans are made with at present. */
    public CostSnapshot costs() {
        return costs.snapshot();
    }

    /**
     * Chooses the chunks of each block.
     *
     * @param delta chunks of each block that late binding asks for; those {@link #plannedBeyond} are in the blocks'
     *     needs
     * @return empty when some block has too few candidates, or planning is off
     */
    public Optional<Planned> plan(List<Block> blocks, int delta) {
        if (!config.on() || blocks.isEmpty()) {
            return Optional.empty();
        }
        long began = clock.nanos();
        Request request = new Request(needs(blocks), keys(blocks), delta, costs.snapshot(), began);
        Optional<Planned> plan =
                config.choice() == PlanConfig.Choice.RANDOM ? planned(random, request, Origin.RANDOM) : byCost(request);
        plan.ifPresent(p -> planningNanos.add(p.nanos()));
        return plan;
    }

    private Optional<Planned> byCost(Request request) {
        Optional<Planned> plan = cached(request);
        if (plan.isPresent()) {
            hits.increment();
        } else {
            plan = planned(greedy, request, Origin.GREEDY);
            plan.ifPresent(made -> missed(request, made.plan()));
        }
        return plan;
    }

    private Optional<Planned> planned(JointPlanner planner, Request request, Origin origin) {
        return planner.plan(request.needs(), request.costs()).map(plan -> planned(request, plan, origin));
    }

    private Planned planned(Request request, JointPlan plan, Origin origin) {
        long nanos = clock.nanos() - request.began();
        int beside = request.delta() - plannedBeyond(request.delta());
        return new Planned(plan, Spares.beside(request.needs(), plan.chunks(), beside, request.costs()), origin, nanos);
    }

    /**
     * Number of the delta chunks of late binding that are planned like the needed ones: all of them with random
     * choices, as in the paper's baseline; otherwise none, and they are {@link Planned#spares}.
     */
    public int plannedBeyond(int delta) {
        return config.choice() == PlanConfig.Choice.RANDOM ? delta : 0;
    }

    /** The best chunks for one block that is read on its own: neither cached nor counted. */
    public Optional<JointPlan> alone(BlockNeed need) {
        return config.on() ? greedy.plan(List.of(need), costs.snapshot()) : Optional.empty();
    }

    private static List<BlockNeed> needs(List<Block> blocks) {
        List<BlockNeed> needs = new ArrayList<>(blocks.size());
        blocks.forEach(block -> needs.add(block.need()));
        return needs;
    }

    private static List<BlockKey> keys(List<Block> blocks) {
        List<BlockKey> keys = new ArrayList<>(blocks.size());
        blocks.forEach(block -> keys.add(block.key()));
        return keys;
    }

    private Optional<Planned> cached(Request request) {
        Optional<PlanCache.Found> found =
                cache.find(request.keys(), each -> each.serves(request.costs(), config.change()));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        PlanCache.CachedPlan cached = found.get().plan();
        double cost = AccessCost.of(request.needs(), found.get().chunks(), request.costs());
        JointPlan plan = new JointPlan(found.get().chunks(), cost);
        cached.use();
        if (cached.isDueForComparison() && otherSitesAreIdle(cost, request)) {
            cache.evict(cached);
            return Optional.empty();
        }
        if (solverIsReady() && cached.isForTheSolver(request.keys())) {
            cached.submitted();
            solve(request, plan);
        }
        return Optional.of(planned(request, plan, cached.exact() ? Origin.CACHED_EXACT : Origin.CACHED_GREEDY));
    }

    private boolean otherSitesAreIdle(double cost, Request request) {
        return greedy.plan(request.needs(), request.costs())
                .filter(plan -> plan.cost() * config.change() < cost)
                .isPresent();
    }

    private void missed(Request request, JointPlan plan) {
        misses.increment();
        keep(request, plan, request.needs().size() < FOR_THE_SOLVER);
    }

    private void keep(Request request, JointPlan plan, boolean exact) {
        PlanWork work = new PlanWork(request.needs(), plan.chunks(), request.costs());
        cache.put(new PlanCache.CachedPlan(request.keys(), plan.chunks(), exact, work));
    }

    /** Nothing waits for it: what came meanwhile would follow without a rest. */
    private boolean solverIsReady() {
        return config.exact() && !closed && !solving && clock.nanos() - solverRestsUntil >= 0;
    }

    private void solve(Request request, JointPlan greedyPlan) {
        solving = true;
        onSolver(request.needs(), request.costs())
                .whenComplete((plan, failure) -> owner.execute(() -> {
                    solving = false;
                    if (failure != null || plan.isEmpty()) {
                        unsolved.increment();
                        LOG.debug(
                                "event=plan_unsolved blocks={} reason={}",
                                request.keys().size(),
                                String.valueOf(failure));
                        return;
                    }
                    solved.increment();
                    // Within the time limit it may be worse than the greedy one.
                    keep(request, plan.get().cost() <= greedyPlan.cost() ? plan.get() : greedyPlan, true);
                }));
    }

    /** The exact plan, for explanations, made on the solver's thread; empty when there is none. */
    public CompletableFuture<Optional<JointPlan>> exactly(List<Block> blocks, CostSnapshot now) {
        return onSolver(needs(blocks), now);
    }

    private CompletableFuture<Optional<JointPlan>> onSolver(List<BlockNeed> needs, CostSnapshot now) {
        if (closed) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        if (solverThread == null) {
            solverThread = threads.workers("ecfs-client-planner", 1, config.solveQueue());
        }
        return solverThread.submit(() -> {
            long began = clock.nanos();
            if (solver == null) {
                solver = solvers.apply(config.solveLimit());
            }
            try {
                return solver.plan(needs, now);
            } finally {
                long end = clock.nanos();
                solvingNanos.add(end - began);
                solverRestsUntil = end + RESTS_OF_A_PLAN * (end - began);
            }
        });
    }

    /** Waits for the plan that is being solved. Called on the owner thread. */
    @Override
    public void close() {
        closed = true;
        if (solverThread != null) {
            solverThread.close();
        }
    }
}
