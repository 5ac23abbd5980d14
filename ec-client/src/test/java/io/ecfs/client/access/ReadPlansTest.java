package io.ecfs.client.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ecfs.client.base.PlanConfig;
import io.ecfs.code.ChunkSet;
import io.ecfs.env.Environment;
import io.ecfs.env.ManualTime;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
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
        plans = new ReadPlans(
                config,
                costs,
                owner,
                environment.threads(),
                environment.clock(),
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

    private static List<ReadPlans.Block> blocks(long... groups) {
        return LongStream.of(groups)
                .mapToObj(group -> {
                    BlockNeed need = PlanCacheTest.need((int) group);
                    return new ReadPlans.Block(BlockKey.of(new GroupId(group), need), need);
                })
                .toList();
    }

    private ReadPlans.Planned planned(int delta, long... groups) {
        return onOwner(() -> plans.plan(blocks(groups), delta).orElseThrow());
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
        ManualTime time = new ManualTime(1);
        List<Long> solves = startOn(time, Duration.ZERO);
        for (long group = 1; group <= 20; group++) {
            assertThat(originNow(group, group + 100)).isEqualTo(ReadPlans.Origin.GREEDY);
        }
        time.advance(Duration.ofMinutes(1));
        assertThat(solves).isEmpty();
        for (int use = 1; use <= 3; use++) {
            assertThat(originNow(7, 107)).isEqualTo(ReadPlans.Origin.CACHED_GREEDY);
            time.advance(Duration.ofMinutes(1));
        }
        assertThat(solves).as("once, at its first hit").hasSize(1);
    }

    /** After a plan that took a second it gives the processor back for nine. */
    @Test
    void theSolverRestsLongerThanItWorks() {
        ManualTime time = new ManualTime(1);
        List<Long> solves = startOn(time, Duration.ofSeconds(1));
        for (long group = 1; group <= 3; group++) {
            assertThat(originNow(group, group + 100)).isEqualTo(ReadPlans.Origin.GREEDY);
        }
        long began = time.nanos();
        assertThat(originNow(1, 101)).isEqualTo(ReadPlans.Origin.CACHED_GREEDY);
        time.advance(Duration.ofMillis(9_999));
        assertThat(originNow(2, 102)).isEqualTo(ReadPlans.Origin.CACHED_GREEDY);
        time.advance(Duration.ofMillis(1));
        assertThat(originNow(3, 103)).isEqualTo(ReadPlans.Origin.CACHED_GREEDY);
        time.advance(Duration.ofMinutes(1));
        assertThat(solves).containsExactly(began, began + Duration.ofSeconds(10).toNanos());
    }

    /** Everything runs on the test's thread; the solver finds nothing. Returns when it was asked. */
    private List<Long> startOn(ManualTime time, Duration plan) {
        List<Long> solves = new ArrayList<>();
        plans = new ReadPlans(config, costs, time.scheduler("owner"), time, time, time.randomness(), limit -> {
            return (blocks, costs) -> {
                solves.add(time.nanos());
                time.advance(plan);
                return Optional.empty();
            };
        });
        return solves;
    }

    private ReadPlans.Origin originNow(long... groups) {
        return plans.plan(blocks(groups), 0).orElseThrow().origin();
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
                IntStream.range(0, 100).forEach(i -> costs.answered(on, 0, time.toNanos(), false));
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
    void neitherReadsNorPlansQueueBehindASlowSolver() {
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
}
