package io.ecfs.client.access;

import io.ecfs.client.base.PlanConfig;
import io.ecfs.env.Environment;
import io.ecfs.env.Scheduler;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.layout.GroupId;
import io.ecfs.plan.BlockNeed;
import io.ecfs.plan.Candidate;
import io.ecfs.plan.GreedyPlanner;
import io.ecfs.plan.SiteCosts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Choosing the chunks of one request, rs-2-2 over 32 sites: what the reader waits for, by where the plan comes from.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class PlanBenchmark {
    private static final int SITES = 32;
    private static final int KNOWN_BLOCKS = 2000;

    @Param({"2", "10", "50"})
    public int blocks;

    private Scheduler owner;
    private ReadPlans plans;
    private List<List<Candidate>> candidates;
    private List<ReadPlans.Block> request;
    private SiteCosts costs;

    @Setup
    public void prepare() {
        Random random = new Random(7);
        candidates = IntStream.range(0, KNOWN_BLOCKS)
                .mapToObj(block -> candidates(random))
                .toList();
        costs = SiteCosts.uniform(1_000_000, 4);
        Environment environment = RealEnvironment.open();
        owner = environment.threads().scheduler("owner");
        PlanConfig config = new PlanConfig(
                true, false, 65_536, Duration.ofMillis(500), 64, Duration.ofHours(1), 1.5, PlanConfig.Choice.COST);
        plans = new ReadPlans(
                config,
                new MeasuredCosts(environment.clock(), owner, null, config),
                owner,
                environment.threads(),
                environment.clock(),
                environment.randomness(),
                limit -> (some, unused) -> Optional.empty());
        for (int from = 0; from + blocks <= KNOWN_BLOCKS; from += blocks) {
            Optional<ReadPlans.Planned> kept = plans.plan(request(from), 0);
            assert kept.isPresent();
        }
        request = request(0);
    }

    @TearDown
    public void close() {
        plans.close();
        owner.close();
    }

    private static List<Candidate> candidates(Random random) {
        List<Integer> sites = new ArrayList<>(IntStream.range(0, SITES).boxed().toList());
        Collections.shuffle(sites, random);
        return IntStream.range(0, 4)
                .mapToObj(i -> new Candidate(i, sites.get(i), 51_200))
                .toList();
    }

    private List<ReadPlans.Block> request(int from) {
        return IntStream.range(from, from + blocks)
                .mapToObj(block -> {
                    BlockNeed need = BlockNeed.anyOf(2, candidates.get(block));
                    return new ReadPlans.Block(BlockKey.of(new GroupId(block + 1), need), need);
                })
                .toList();
    }

    /** With the keys, as a reader makes them. */
    @Benchmark
    public Object cached() {
        return plans.plan(request(0), 0).orElseThrow();
    }

    @Benchmark
    public Object greedy() {
        return new GreedyPlanner()
                .plan(request.stream().map(ReadPlans.Block::need).toList(), costs)
                .orElseThrow();
    }
}
