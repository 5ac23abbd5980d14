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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which chunks a request for several blocks reads (EC-Store, section V.B).
 *
 * <pre>
 *   blocks --> cache --hit--------------------------------------> plan
 *                `--miss--> greedy plan, kept -----------------> plan
 *                              `--> solver's queue --> exact plan in its place, for later requests
 *   a kept plan costs more than it did, compared with what is usual: it is dropped, and that is a miss
 * </pre>
 *
 * With {@link PlanConfig.Choice#RANDOM} there is nothing of that: chance chooses, each time.
 *
 * The solver has one thread, made when it is first needed. Owned by the client's owner thread, but for {@link #counts}.
 */
public final class ReadPlans implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReadPlans.class);
    /** One block has no other to share a site with: its greedy plan is the best one. */
    private static final int FOR_THE_SOLVER = 2;

    private final PlanConfig config;
    private final MeasuredCosts costs;
    private final Scheduler owner;
    private final Threads threads;
    private final Clock clock;
    private final Function<Duration, JointPlanner> solvers;
    private final PlanCache cache;
    private final JointPlanner greedy = new GreedyPlanner();
    private final JointPlanner random;
    private final Set<Set<BlockKey>> solving = new HashSet<>();
    private Workers solverThread; // null until it is needed
    private JointPlanner solver; // on the solver's thread only; null until it is needed
    private boolean closed;
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder solved = new LongAdder();
    private final LongAdder unsolved = new LongAdder();
    private final LongAdder planningNanos = new LongAdder();
    private final LongAdder solvingNanos = new LongAdder();

    /** A block and what is needed of it. */
    public record Block(BlockKey key, BlockNeed need) {}

    /** Where a plan comes from. */
    public enum Origin {
        /** Nothing was to be chosen. */
        NONE,
        GREEDY,
        RANDOM,
        CACHED_GREEDY,
        CACHED_EXACT
    }

    /** @param nanos that it took to come to it */
    public record Planned(JointPlan plan, Origin origin, long nanos) {}

    /**
     * Since the client began.
     *
     * @param hits requests that a kept plan served
     * @param misses those that it did not
     * @param solved exact plans made
     * @param unsolved given up: no solver, no time, or too many waited
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
    }

    public Counts counts() {
        return new Counts(
                hits.sum(), misses.sum(), solved.sum(), unsolved.sum(), planningNanos.sum(), solvingNanos.sum());
    }

    /** The costs that plans are made with at the moment. */
    public CostSnapshot costs() {
        return costs.snapshot();
    }

    /** @return empty when some block has too few candidates, or plans are not wanted */
    public Optional<Planned> plan(List<Block> blocks) {
        if (!config.on() || blocks.isEmpty()) {
            return Optional.empty();
        }
        long began = clock.nanos();
        CostSnapshot now = costs.snapshot();
        Optional<Planned> plan = config.choice() == PlanConfig.Choice.RANDOM
                ? planned(random, blocks, now, Origin.RANDOM, began)
                : byCost(blocks, now, began);
        plan.ifPresent(p -> planningNanos.add(p.nanos()));
        return plan;
    }

    private Optional<Planned> byCost(List<Block> blocks, CostSnapshot now, long began) {
        Optional<Planned> plan = cached(blocks, now, began);
        if (plan.isPresent()) {
            hits.increment();
        } else {
            plan = planned(greedy, blocks, now, Origin.GREEDY, began);
            plan.ifPresent(made -> missed(blocks, made.plan(), now));
        }
        return plan;
    }

    private Optional<Planned> planned(
            JointPlanner planner, List<Block> blocks, CostSnapshot now, Origin origin, long began) {
        return planner.plan(needs(blocks), now).map(made -> new Planned(made, origin, clock.nanos() - began));
    }

    /**
     * How many of the delta chunks that late binding asks for are needed like others, and planned with them: all of them where choices are
     * random, as the paper's baseline has it; otherwise none, see {@link #spares}.
     */
    public int plannedBeyond(int delta) {
        return config.choice() == PlanConfig.Choice.RANDOM ? delta : 0;
    }

    /** For each block the chunks that late binding asks for as spares, beside those that a plan reads. */
    public List<ChunkSet> spares(List<Block> blocks, JointPlan plan, int delta) {
        return Spares.beside(needs(blocks), plan.chunks(), delta - plannedBeyond(delta), costs.snapshot());
    }

    /** The best chunks for one block that is read on its own: not kept, and not counted. */
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

    private Optional<Planned> cached(List<Block> blocks, CostSnapshot now, long began) {
        Optional<PlanCache.Found> found = cache.find(keys(blocks), each -> each.serves(now, config.change()));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        PlanCache.Kept kept = found.get().plan();
        List<BlockNeed> needs = needs(blocks);
        double cost = AccessCost.of(needs, found.get().chunks(), now);
        if (kept.use() && otherSitesAreIdle(cost, needs, now)) {
            cache.letGo(kept);
            return Optional.empty();
        }
        return Optional.of(new Planned(
                new JointPlan(found.get().chunks(), cost),
                kept.exact() ? Origin.CACHED_EXACT : Origin.CACHED_GREEDY,
                clock.nanos() - began));
    }

    private boolean otherSitesAreIdle(double cost, List<BlockNeed> needs, CostSnapshot now) {
        return greedy.plan(needs, now)
                .filter(plan -> plan.cost() * config.change() < cost)
                .isPresent();
    }

    private void missed(List<Block> blocks, JointPlan plan, CostSnapshot now) {
        misses.increment();
        boolean exact = blocks.size() < FOR_THE_SOLVER;
        keep(blocks, plan, exact, now);
        if (!exact && config.exact() && !closed) {
            solve(blocks, plan, now);
        }
    }

    private void keep(List<Block> blocks, JointPlan plan, boolean exact, CostSnapshot now) {
        PlanWork work = new PlanWork(needs(blocks), plan.chunks(), now);
        cache.keep(new PlanCache.Kept(keys(blocks), plan.chunks(), exact, work));
    }

    private void solve(List<Block> blocks, JointPlan greedyPlan, CostSnapshot now) {
        Set<BlockKey> keys = new HashSet<>(keys(blocks));
        if (!solving.add(keys)) {
            return;
        }
        exactly(blocks, now)
                .whenComplete((plan, failure) -> owner.execute(() -> {
                    solving.remove(keys);
                    if (failure != null || plan.isEmpty()) {
                        unsolved.increment();
                        LOG.debug("event=plan_unsolved blocks={} reason={}", keys.size(), String.valueOf(failure));
                        return;
                    }
                    solved.increment();
                    // Within the time limit it may be worse than the greedy one.
                    keep(blocks, plan.get().cost() <= greedyPlan.cost() ? plan.get() : greedyPlan, true, now);
                }));
    }

    /** The exact plan, made on the solver's thread; empty when there is none. For those who explain, and for {@link #plan}. */
    public CompletableFuture<Optional<JointPlan>> exactly(List<Block> blocks, CostSnapshot now) {
        if (closed) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        if (solverThread == null) {
            solverThread = threads.workers("ecfs-client-planner", 1, config.solveQueue());
        }
        List<BlockNeed> needs = needs(blocks);
        return solverThread.submit(() -> {
            long began = clock.nanos();
            if (solver == null) {
                solver = solvers.apply(config.solveLimit());
            }
            Optional<JointPlan> plan = solver.plan(needs, now);
            solvingNanos.add(clock.nanos() - began);
            return plan;
        });
    }

    /** To be called on the owner thread. Waits for the plan that is being solved. */
    @Override
    public void close() {
        closed = true;
        if (solverThread != null) {
            solverThread.close();
        }
    }
}
