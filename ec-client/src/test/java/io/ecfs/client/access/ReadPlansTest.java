package io.ecfs.client.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.client.base.PlanConfig;
import io.ecfs.code.ChunkSet;
import io.ecfs.env.Clock;
import io.ecfs.env.Environment;
import io.ecfs.env.Scheduler;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.plan.BlockNeed;
import io.ecfs.plan.ExhaustivePlanner;
import io.ecfs.plan.JointPlanner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ReadPlansTest {
    private final Environment environment = RealEnvironment.open();
    private final Scheduler owner = environment.threads().scheduler("owner");
    private final PlanConfig config = new PlanConfig(
            true, true, 1000, Duration.ofSeconds(1), 2, Duration.ofHours(1), 1.5, PlanConfig.Choice.COST);
    private final MeasuredCosts costs = new MeasuredCosts(environment.clock(), owner, null, config);
    private ReadPlans plans;

    private void start(JointPlanner solver) {
        start(solver, environment.clock());
    }

    private void start(JointPlanner solver, Clock clock) {
        plans = new ReadPlans(
                config,
                costs,
                owner,
                environment.threads(),
                clock,
                environment.randomness(),
                limit -> solver);
    }

    @AfterEach
    void close() {
        onOwner(() -> {
            plans.close();
            return 0;
        });
        owner.close();
    }

    private <T> T onOwner(Supplier<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        owner.execute(() -> result.complete(work.get()));
        return result.join();
    }

    private ReadPlans.Planned planned(int delta, long... groups) {
        List<ReadPlans.Block> blocks = LongStream.of(groups)
                .mapToObj(group -> {
                    BlockNeed need = PlanCacheTest.need((int) group);
                    return new ReadPlans.Block(BlockKey.of(new GroupId(group), need), need);
                })
                .toList();
        return onOwner(() -> plans.plan(blocks, delta).orElseThrow());
    }

    private ReadPlans.Origin origin(long... groups) {
        return planned(0, groups).origin();
    }

    @Test
    void theGreedyPlanServesAtOnceAndTheExactOneLater() {
        start(new ExhaustivePlanner());

        assertThat(origin(1, 2, 3)).isEqualTo(ReadPlans.Origin.GREEDY);
        assertThat(origin(1, 2, 3)).isEqualTo(ReadPlans.Origin.CACHED_GREEDY);
        await().until(() -> origin(1, 2, 3) == ReadPlans.Origin.CACHED_EXACT);
        assertThat(origin(2, 3)).isEqualTo(ReadPlans.Origin.CACHED_EXACT);
        assertThat(plans.counts().misses()).isEqualTo(1);
        assertThat(plans.counts().solved()).isEqualTo(1);
    }

    @Test
    void blocksThatAreReadTogetherOnceNeedNoSolver() {
        AtomicInteger asked = new AtomicInteger();
        start((blocks, costs) -> {
            asked.incrementAndGet();
            return Optional.empty();
        });

        for (long group = 1; group <= 20; group++) {
            assertThat(origin(group, group + 100)).isEqualTo(ReadPlans.Origin.GREEDY);
        }
        assertThat(onOwner(plans::counts).solved()).isZero();
        assertThat(asked).hasValue(0);
        for (int use = 1; use <= 3; use++) {
            assertThat(origin(7, 107)).isEqualTo(ReadPlans.Origin.CACHED_GREEDY);
        }
        await().until(() -> plans.counts().unsolved() == 1);
        assertThat(asked).as("for its first hit").hasValue(1);
    }

    @Test
    void aBlockAloneNeedsNoSolver() {
        AtomicInteger asked = new AtomicInteger();
        start((blocks, costs) -> {
            asked.incrementAndGet();
            return Optional.empty();
        });

        assertThat(origin(1)).isEqualTo(ReadPlans.Origin.GREEDY);
        assertThat(origin(1)).isEqualTo(ReadPlans.Origin.CACHED_EXACT);
        assertThat(asked).hasValue(0);
    }

    private void answersTake(Duration time, int firstVolume, int lastVolume) {
        for (int volume = firstVolume; volume <= lastVolume; volume++) {
            ChunkLocation on = new ChunkLocation(
                    new ChunkId(new GroupId(1), 0, 0),
                    new VolumeId(volume),
                    new DatanodeId("dn" + volume),
                    new Address("dn" + volume, 1),
                    "/rack",
                    ChunkLocation.State.LIVE);
            onOwner(() -> {
                costs.asked(on);
                IntStream.range(0, 100).forEach(i -> costs.answered(on, 0, time.toNanos()));
                return 0;
            });
        }
        await().until(() -> onOwner(() -> costs.snapshot().access(lastVolume)) < 2 * time.toNanos()
                && onOwner(() -> costs.snapshot().access(lastVolume)) > 0.5 * time.toNanos());
    }

    @Test
    void aCachedPlanIsReplacedWhenOtherSitesBecomeIdle() {
        start((blocks, costs) -> Optional.empty());
        answersTake(Duration.ofMillis(20), 1, 20);
        answersTake(Duration.ofMillis(10), 1, 2);

        assertThat(origin(1)).isEqualTo(ReadPlans.Origin.GREEDY);
        answersTake(Duration.ofMillis(1), 3, 4);
        for (int use = 1; use < 16; use++) {
            assertThat(origin(1)).as("use %d", use).isEqualTo(ReadPlans.Origin.CACHED_EXACT);
        }
        assertThat(origin(1)).as("chunks 2 and 3 are ten times cheaper").isEqualTo(ReadPlans.Origin.GREEDY);
    }

    @Test
    void sparesAreTheCheapestChunksBesideThosePlanned() {
        start((blocks, costs) -> Optional.empty());
        answersTake(Duration.ofMillis(1), 1, 2);
        answersTake(Duration.ofMillis(20), 3, 3);
        answersTake(Duration.ofMillis(10), 4, 4);

        for (ReadPlans.Origin origin : List.of(ReadPlans.Origin.GREEDY, ReadPlans.Origin.CACHED_EXACT)) {
            ReadPlans.Planned planned = planned(1, 1);
            assertThat(planned.origin()).isEqualTo(origin);
            assertThat(planned.plan().chunks()).containsExactly(ChunkSet.of(0, 1));
            assertThat(planned.spares()).containsExactly(ChunkSet.of(3));
        }
        assertThat(planned(0, 1).spares()).containsExactly(ChunkSet.empty());
    }

    @Test
    void aSolverThatGivesUpLeavesTheGreedyPlan() {
        start((blocks, costs) -> Optional.empty());

        assertThat(origin(1, 2)).isEqualTo(ReadPlans.Origin.GREEDY);
        assertThat(origin(1, 2)).isEqualTo(ReadPlans.Origin.CACHED_GREEDY);
        await().until(() -> plans.counts().unsolved() == 1);
        assertThat(origin(1, 2)).isEqualTo(ReadPlans.Origin.CACHED_GREEDY);
    }

    @Test
    void aSolverThatFailsLeavesTheGreedyPlan() {
        start((blocks, costs) -> {
            throw new IllegalStateException("no memory");
        });

        assertThat(origin(1, 2)).isEqualTo(ReadPlans.Origin.GREEDY);
        assertThat(origin(1, 2)).isEqualTo(ReadPlans.Origin.CACHED_GREEDY);
        await().until(() -> plans.counts().unsolved() == 1);
        assertThat(origin(1, 2)).isEqualTo(ReadPlans.Origin.CACHED_GREEDY);
    }

    @Test
    void noReadWaitsForASlowSolverAndNoPlan() {
        AtomicInteger asked = new AtomicInteger();
        CountDownLatch solves = new CountDownLatch(1);
        start((blocks, costs) -> {
            asked.incrementAndGet();
            try {
                solves.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Optional.empty();
        });
        for (long group = 1; group <= 20; group++) {
            assertThat(origin(group, group + 100)).isEqualTo(ReadPlans.Origin.GREEDY);
            assertThat(origin(group, group + 100)).isEqualTo(ReadPlans.Origin.CACHED_GREEDY);
        }
        solves.countDown();
        await().until(() -> plans.counts().unsolved() == 1);
        assertThat(asked).as("the others came while it worked").hasValue(1);
    }

    @Test
    void aPartOfAPlanIsNoWorkForTheSolver() {
        start(new ExhaustivePlanner());

        assertThat(origin(1, 2, 3)).isEqualTo(ReadPlans.Origin.GREEDY);
        assertThat(origin(1)).isEqualTo(ReadPlans.Origin.CACHED_GREEDY);
        assertThat(origin(2, 3)).isEqualTo(ReadPlans.Origin.CACHED_GREEDY);
        assertThat(origin(1, 2, 3)).isEqualTo(ReadPlans.Origin.CACHED_GREEDY);
        await().until(() -> origin(1, 2, 3) == ReadPlans.Origin.CACHED_EXACT);
        assertThat(plans.counts().solved()).isEqualTo(1);
    }

    /** After a plan that took a second it gives the processor back for nine. */
    @Test
    void theSolverRestsLongerThanItWorks() {
        AtomicLong time = new AtomicLong();
        AtomicInteger asked = new AtomicInteger();
        start(
                (blocks, costs) -> {
                    asked.incrementAndGet();
                    time.addAndGet(Duration.ofSeconds(1).toNanos());
                    return Optional.empty();
                },
                new Clock() {
                    @Override
                    public long nanos() {
                        return time.get();
                    }

                    @Override
                    public long epochMillis() {
                        return Duration.ofNanos(time.get()).toMillis();
                    }
                });
        for (long group = 1; group <= 3; group++) {
            assertThat(origin(group, group + 100)).isEqualTo(ReadPlans.Origin.GREEDY);
        }
        assertThat(origin(1, 101)).isEqualTo(ReadPlans.Origin.CACHED_GREEDY);
        await().until(() -> plans.counts().unsolved() == 1);
        time.addAndGet(Duration.ofMillis(8_999).toNanos());
        assertThat(origin(2, 102)).isEqualTo(ReadPlans.Origin.CACHED_GREEDY);
        assertThat(onOwner(plans::counts).unsolved()).isEqualTo(1);
        time.addAndGet(Duration.ofMillis(1).toNanos());
        assertThat(origin(3, 103)).isEqualTo(ReadPlans.Origin.CACHED_GREEDY);
        await().until(() -> plans.counts().unsolved() == 2);
        assertThat(asked).hasValue(2);
    }
}
