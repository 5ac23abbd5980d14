package io.ecfs.client.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.ChunkSet;
import io.ecfs.layout.GroupId;
import io.ecfs.message.VolumeId;
import io.ecfs.plan.BlockNeed;
import io.ecfs.plan.Candidate;
import io.netty.util.collection.IntObjectHashMap;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PlanCacheTest {
    private final PlanCache cache = new PlanCache(100);

    private static BlockKey key(long group) {
        return BlockKey.of(new GroupId(group), need(0));
    }

    private static List<BlockKey> keys(long... groups) {
        return LongStream.of(groups).mapToObj(PlanCacheTest::key).toList();
    }

    /** Some that tell the group. */
    private static ChunkSet chunks(long group) {
        return ChunkSet.of((int) (group % 4), (int) ((group + 1) % 4));
    }

    static BlockNeed need(int firstVolume) {
        return BlockNeed.anyOf(
                2,
                IntStream.range(0, 4)
                        .mapToObj(i -> new Candidate(i, firstVolume + i, 1000))
                        .toList());
    }

    private static PlanCache.CachedPlan plan(boolean exact, long... groups) {
        List<ChunkSet> chunks =
                LongStream.of(groups).mapToObj(PlanCacheTest::chunks).toList();
        CostSnapshot costs = new CostSnapshot(
                new IntObjectHashMap<>(), new CostSnapshot.Cost(1, 1), new CostSnapshot.Cost(1, 1), false);
        return new PlanCache.CachedPlan(keys(groups), chunks, exact, new PlanWork(List.of(), List.of(), costs));
    }

    private List<PlanCache.CachedPlan> find(long... groups) {
        return find(cache, groups);
    }

    private static List<PlanCache.CachedPlan> find(PlanCache cache, long... groups) {
        return cache.find(keys(groups), kept -> true).map(PlanCache.Found::plan).stream()
                .toList();
    }

    @Test
    void aPlanServesEveryRequestThatItCovers() {
        PlanCache.CachedPlan plan = plan(false, 1, 2, 3, 4);
        cache.put(plan);

        assertThat(find(1, 2, 3, 4)).containsExactly(plan);
        assertThat(find(3)).containsExactly(plan);
        assertThat(find(4, 5)).isEmpty();
    }

    @Test
    void anExactPlanServesRatherThanANewerOne() {
        PlanCache.CachedPlan exact = plan(true, 1, 2, 3);
        PlanCache.CachedPlan newer = plan(false, 2, 3, 4);
        cache.put(exact);
        cache.put(newer);

        assertThat(find(2, 3)).containsExactly(exact);
        assertThat(find(3, 4)).containsExactly(newer);
        assertThat(find(1, 4)).as("none has both").isEmpty();
    }

    @Test
    void aBlockThatIsRequestedSeveralTimesIsCachedOnce() {
        PlanCache small = new PlanCache(3);
        PlanCache.CachedPlan other = plan(false, 1, 2);
        PlanCache.CachedPlan thrice = plan(false, 3, 3, 3);
        small.put(other);
        small.put(thrice);

        assertThat(find(small, 3, 3, 3)).containsExactly(thrice);
        assertThat(find(small, 1, 2)).as("there is room for three blocks").containsExactly(other);
        PlanCache tiny = new PlanCache(1);
        tiny.put(thrice);
        assertThat(find(tiny, 3, 3, 3)).as("no larger than the table").hasSize(1);
    }

    @Test
    void eachBlockHasTheChunksOfItsOwn() {
        cache.put(plan(false, 1, 2, 3, 4));

        assertThat(cache.find(keys(4, 2), kept -> true).orElseThrow().chunks()).containsExactly(chunks(4), chunks(2));
    }

    @Test
    void theExactPlanTakesThePlaceOfTheGreedyOne() {
        PlanCache.CachedPlan other = plan(false, 3, 4);
        PlanCache.CachedPlan exact = plan(true, 1, 2);
        PlanCache small = new PlanCache(4);
        small.put(other);
        small.put(plan(false, 1, 2));
        small.put(exact);

        assertThat(find(small, 1, 2)).containsExactly(exact);
        assertThat(find(small, 3, 4)).containsExactly(other);
    }

    @Test
    void aPlanThatDoesNotFitTheCostsIsLetGoAndMakesRoomForTheNext() {
        PlanCache.CachedPlan other = plan(false, 3, 4);
        PlanCache.CachedPlan next = plan(false, 1, 2, 5);
        PlanCache small = new PlanCache(5);
        small.put(other);
        small.put(plan(true, 1, 2));

        assertThat(small.find(keys(1), kept -> false)).isEmpty();
        assertThat(find(small, 1)).isEmpty();
        assertThat(find(small, 1, 2)).isEmpty();
        small.put(next);
        assertThat(find(small, 1, 2, 5)).containsExactly(next);
        assertThat(find(small, 3, 4)).containsExactly(other);
    }

    @Test
    void whatIsUsedStaysAndWhatIsUnusedForLongestIsPushedOut() {
        PlanCache small = new PlanCache(6);
        PlanCache.CachedPlan used = plan(true, 1, 2, 3);
        small.put(used);
        for (int i = 0; i < 1000; i++) {
            PlanCache.CachedPlan next = plan(false, 1000 + 2 * i, 1001 + 2 * i);
            small.put(next);
            assertThat(find(small, 1, 2, 3)).containsExactly(used);
            assertThat(find(small, 1001 + 2 * i, 1000 + 2 * i)).containsExactly(next);
        }
        assertThat(find(small, 2)).as("found by what it was used for").isEmpty();
        assertThat(find(small, 1990)).isEmpty();
        small.put(plan(false, LongStream.range(1, 8).toArray()));
        assertThat(find(small, 5)).as("a plan larger than the cache").isEmpty();
    }

    @Test
    void holdsNoMoreThanTwiceAsManyBlocksAsItHasEntries() {
        PlanCache small = new PlanCache(16);
        for (int i = 1; i <= 12; i++) {
            small.put(plan(true, 10L * i, 10L * i + 1, 10L * i + 2, 10L * i + 3));
            for (int each = 1; each <= i; each++) {
                find(small, 10L * each); // one entry of each plan stays
            }
        }

        assertThat(IntStream.rangeClosed(1, 12)
                        .filter(i -> !find(small, 10L * i).isEmpty()))
                .hasSizeBetween(4, 2 * 16 / 4);
    }

    @Test
    void aRingThatTurnsMakesAnotherBlock() {
        GroupId group = new GroupId(1);
        List<Candidate> candidates = new ArrayList<>(need(1).candidates());
        candidates.set(1, new Candidate(1, CostSnapshot.site(new VolumeId(2), true), 1000));

        assertThat(BlockKey.of(group, need(1))).isNotEqualTo(BlockKey.of(group, BlockNeed.anyOf(2, candidates)));
    }

    @Test
    void aChunkThatMovedOrFellIntoDoubtMakesAnotherBlock() {
        GroupId group = new GroupId(1);
        BlockNeed doubted = new BlockNeed(
                2,
                ChunkSet.empty(),
                need(0).candidates().stream()
                        .map(c -> new Candidate(c.index(), c.site(), c.bytes(), c.index() == 1 ? 1e9 : 0))
                        .toList());

        assertThat(BlockKey.of(group, need(0)))
                .isEqualTo(key(1))
                .isNotEqualTo(BlockKey.of(group, need(1)))
                .isNotEqualTo(BlockKey.of(group, doubted))
                .isNotEqualTo(key(2));
    }
}
