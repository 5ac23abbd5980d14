package io.ecfs.namenode.rebalance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.env.Randomness;
import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.namespace.AccessSet;
import io.ecfs.namenode.settings.MoverWeights;
import io.ecfs.namenode.stats.AccessWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Algorithm 1 on small clusters, without a namenode. */
class MoveChoiceTest {
    private static final long BYTES = 50_000;
    private static final double OVERHEAD = 1_000_000;
    private static final double PER_BYTE = OVERHEAD / 5 / BYTES;

    private static final MoveChoice.Limits NO_LIMITS = new NoLimits();

    private final TreeMap<GroupId, Block> blocks = new TreeMap<>();
    private final List<MoverSite> sites = new ArrayList<>();
    private final AccessWindow window = new AccessWindow(1000);
    private final Randomness random = Randomness.over(new Random(3));

    private static final class NoLimits implements MoveChoice.Limits {
        @Override
        public boolean forbids(GroupId group, int index, MoverSite from, MoverSite to) {
            return false;
        }

        @Override
        public boolean refuses(Relocation move) {
            return false;
        }

        @Override
        public boolean rests(GroupId group) {
            return false;
        }

        @Override
        public void nothingToGain(GroupId group) {}
    }

    private static DatanodeId dn(int number) {
        return new DatanodeId("dn" + number);
    }

    private static GroupId group(int number) {
        return new GroupId(number);
    }

    private void sites(double... loads) {
        for (int i = 0; i < loads.length; i++) {
            sites.add(new MoverSite(dn(i), "/rack" + i, true, OVERHEAD, loads[i], 1e6 * loads[i]));
        }
    }

    private void block(int number, int... places) {
        TreeMap<Integer, DatanodeId> at = new TreeMap<>();
        for (int index = 0; index < places.length; index++) {
            at.put(index, dn(places[index]));
        }
        blocks.put(group(number), new Block(group(number), 2, BYTES, at));
    }

    /** Eight sites that are alike, and all chunks of two blocks on sites of their own. */
    private void twoBlocksApart() {
        sites(1, 1, 1, 1, 1, 1, 1, 1);
        block(1, 0, 1, 2, 3);
        block(2, 4, 5, 6, 7);
    }

    private void readTogether(int times, int... groups) {
        List<GroupId> set =
                Arrays.stream(groups).mapToObj(MoveChoiceTest::group).toList();
        for (int i = 0; i < times; i++) {
            window.add(new AccessSet(set, 1), 0);
        }
    }

    private MoveChoice choice() {
        return choice(MoverWeights.PAPER);
    }

    private MoveChoice choice(MoverWeights weights) {
        return new MoveChoice(
                new PlacementSnapshot(sites, OVERHEAD, PER_BYTE),
                window,
                100,
                id -> Optional.ofNullable(blocks.get(id)),
                weights,
                MoveChoice.Effort.USUAL);
    }

    private void apply(Relocation move) {
        blocks.computeIfPresent(move.group(), (id, block) -> block.with(move.index(), move.to()));
    }

    @Test
    void whatIsReadTogetherComesTogetherAndThenRests() {
        twoBlocksApart();
        readTogether(100, 1, 2);
        PlacementSnapshot before = new PlacementSnapshot(sites, OVERHEAD, PER_BYTE);
        double cost = before.cost(blocks.get(new GroupId(1)), blocks.get(new GroupId(2)));
        int moves = 0;
        for (List<Relocation> best = best(); !best.isEmpty(); best = best()) {
            apply(best.get(0));
            assertThat(++moves).as("moves end").isLessThanOrEqualTo(4);
        }
        assertThat(before.cost(blocks.get(new GroupId(1)), blocks.get(new GroupId(2))))
                .as("two of four sites are asked")
                .isEqualTo(cost - 2 * OVERHEAD, within(1.0));
        assertThat(moves).isEqualTo(2);
        blocks.values().forEach(block -> assertThat(block.places().values()).doesNotHaveDuplicates());
    }

    /** Where loads do not count. */
    private List<Relocation> ofAccess() {
        return choice(new MoverWeights(1, 0)).best(random, new MoveChoice.Least(0.1, 3), NO_LIMITS);
    }

    private List<Relocation> best() {
        return choice().best(random, new MoveChoice.Least(0.01, 3), NO_LIMITS);
    }

    @Test
    void theFirstSharedSiteGainsTheWholeOverhead() {
        twoBlocksApart();
        readTogether(100, 1, 2);
        Relocation best = best().get(0);
        assertThat(best.access()).as("o_j is 5 units").isEqualTo(5, within(1e-6));
        assertThat(best.gain()).isEqualTo(best.access() + 3 * best.balance(), within(1e-9));
    }

    private void waits(int site, double overheads) {
        MoverSite known = sites.get(site);
        sites.set(
                site,
                new MoverSite(
                        known.datanode(),
                        known.rack(),
                        true,
                        overheads * OVERHEAD,
                        known.load(),
                        known.bytesPerSecond()));
    }

    @Test
    void oneDatanodeThatIsVerySlowChangesNothingForOthers() {
        sites(1, 1, 1, 1, 1, 1, 1, 1, 1);
        block(1, 0, 1, 2, 3);
        block(2, 4, 5, 6, 7);
        readTogether(100, 1, 2);
        waits(8, 100);
        assertThat(ofAccess().get(0).access()).isEqualTo(5, within(1e-6));
    }

    @Test
    void whatIsReadTogetherDoesNotComeTogetherWhereEverybodyWaits() {
        sites(1, 1, 1, 1, 1, 1, 1, 1);
        block(1, 0, 1, 2, 3);
        block(2, 0, 1, 6, 7);
        readTogether(100, 1, 2);
        waits(0, 1.5);
        waits(1, 1.5);
        Relocation best = ofAccess().get(0);
        assertThat(best.to())
                .as("a reader would rather turn to a shared site at 1.5 than to two at 1; everybody pays 2.25 for it")
                .isNotIn(dn(0), dn(1));
        assertThat(best.access()).as("a shared site that nobody waits at").isEqualTo(5, within(1e-6));
    }

    @Test
    void aRequestOfManyBlocksSavesASiteOnce() {
        sites(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
        block(1, 0, 1, 2, 3);
        block(2, 4, 5, 6, 7);
        block(3, 4, 8, 9, 10);
        readTogether(100, 1, 2, 3);
        Relocation best = choice(new MoverWeights(1, 0)).best(random, new MoveChoice.Least(0.1, 0), NO_LIMITS).stream()
                .filter(move -> move.group().equals(group(1)) && move.to().equals(dn(4)))
                .findFirst()
                .orElseThrow();
        assertThat(best.access()).as("not 10, once for each partner").isEqualTo(5, within(1e-6));
    }

    @Test
    void aVisitThatIsSavedIsWorthTheLessTheLargerChunksAre() {
        twoBlocksApart();
        blocks.replaceAll((id, block) -> new Block(id, 2, 25 * BYTES, block.places()));
        readTogether(100, 1, 2);
        assertThat(ofAccess().get(0).access())
                .as("5 of 6 for the paper's chunk; here 5 of 5 + 25")
                .isEqualTo(1, within(1e-6));
    }

    @Test
    void aHandfulOfRequestsCarriesNoMove() {
        twoBlocksApart();
        readTogether(9, 1, 2);
        assertThat(best()).as("a gain of 5 with a standard error of 5/3").isEmpty();
        readTogether(1, 1, 2);
        Relocation best = best().get(0);
        assertThat(best.error()).isEqualTo(5 / Math.sqrt(10), within(0.01));
    }

    @Test
    void whatIsRarelyReadTogetherNeedsManyRequests() {
        twoBlocksApart();
        readTogether(120, 1);
        readTogether(120, 2);
        readTogether(13, 1, 2);
        assertThat(ofAccess()).as("one request in ten has both").isEmpty();
        readTogether(4, 1, 2);
        assertThat(ofAccess()).isNotEmpty();
    }

    @Test
    void aHotChunkLeavesTheBusiestDatanode() {
        sites(3, 0.6, 0.6, 0.6, 0.6, 0.6);
        block(1, 0, 1, 2, 3);
        readTogether(2000, 1);
        Relocation best = best().get(0);
        assertThat(best.from()).isEqualTo(dn(0));
        assertThat(best.to()).isIn(dn(4), dn(5));
        assertThat(best.balance()).isPositive();
    }

    @Test
    void nothingIsMovedWhereAllIsEven() {
        sites(1, 1, 1, 1, 1, 1);
        block(1, 0, 1, 2, 3);
        readTogether(100, 1);
        assertThat(best()).isEmpty();
    }

    @Test
    void noDatanodeGetsTwoChunksOfABlockAndNoRackMore() {
        sites(5, 0.2, 0.2, 0.2, 0.2, 0.2);
        sites.replaceAll(site -> new MoverSite(
                site.datanode(),
                site.datanode().equals(dn(4)) || site.datanode().equals(dn(1)) ? "/one" : "/" + site.datanode(),
                !site.datanode().equals(dn(5)),
                OVERHEAD,
                site.load(),
                site.bytesPerSecond()));
        block(1, 0, 1, 2, 3);
        readTogether(1000, 1);
        assertThat(best())
                .as("4 is in the rack of 1, 5 takes nothing, all others have a chunk")
                .isEmpty();
    }

    @Test
    void aBlockWithAChunkOnADatanodeThatTellsNothingStaysAsItIs() {
        twoBlocksApart();
        readTogether(100, 1, 2);
        assertThat(best()).extracting(Relocation::group).contains(group(1));
        sites.remove(3);
        assertThat(best())
                .as("of block 1 nobody knows how many chunks a rack has")
                .extracting(Relocation::group)
                .containsExactly(group(2));
    }

    @Test
    void whatWasGainedIsWhatIsSavedNow() {
        twoBlocksApart();
        readTogether(100, 1, 2);
        Relocation move = best().get(0);
        apply(move);
        assertThat(choice().realised(move).orElseThrow()).isEqualTo(move.gain(), within(0.2));
        for (int i = 0; i < 1000; i++) {
            readTogether(1, 1);
        }
        assertThat(choice().realised(move).orElseThrow())
                .as("they are read together no more")
                .isEqualTo(0, within(0.2));
        blocks.remove(group(1));
        assertThat(choice().realised(move)).isEmpty();
    }

    @Test
    void aChunkDoesNotComeBackWithinAnHourUnlessLoadsChange() {
        sites(1, 1, 1, 1, 1);
        MoveMemory memory = new MoveMemory();
        Relocation move = new Relocation(group(1), 2, dn(0), dn(4), BYTES, 1, 0, 1, 0, 0.1, 0);
        memory.began(move, Optional.of(sites.get(0)), Optional.of(sites.get(4)), 0);
        long soon = MoveMemory.REST.toMillis();
        assertThat(memory.rests(group(1), soon - 1)).isTrue();
        assertThat(memory.rests(group(1), soon)).isFalse();
        assertThat(memory.forbids(group(1), 3, sites.get(1), sites.get(3), soon))
                .isFalse();
        assertThat(memory.forbids(group(1), 2, sites.get(4), sites.get(0), soon))
                .isTrue();
        MoverSite busier = sites.get(4).withLoad(1.5);
        assertThat(memory.forbids(group(1), 2, busier, sites.get(0), soon)).isTrue();
        long later = Duration.ofMinutes(10).toMillis();
        assertThat(memory.forbids(group(1), 2, sites.get(4), sites.get(0), later))
                .isTrue();
        assertThat(memory.forbids(group(1), 2, busier, sites.get(0), later))
                .as("the load has changed")
                .isFalse();
        assertThat(memory.forbids(
                        group(1),
                        2,
                        sites.get(4),
                        sites.get(0),
                        Duration.ofHours(1).toMillis()))
                .isFalse();
        assertThat(memory.foreseen(sites.get(4), 1000).load()).isEqualTo(1.1, within(1e-9));
        assertThat(memory.foreseen(sites.get(4), MoveMemory.SHOWS.toMillis()).load())
                .isEqualTo(1);
    }

    @Test
    void recentMovesAreNotReversedWithinAnHour() {
        sites(1, 1, 1, 1, 9);
        MoveMemory memory = new MoveMemory();
        memory.earlier(group(1), 2, dn(0), 0);
        for (Duration soon : List.of(Duration.ofMinutes(1), Duration.ofMinutes(59))) {
            assertThat(memory.forbids(group(1), 2, sites.get(4), sites.get(0), soon.toMillis()))
                    .isTrue();
            assertThat(memory.forbids(group(1), 2, sites.get(4), sites.get(1), soon.toMillis()))
                    .isFalse();
        }
        assertThat(memory.forbids(group(1), 2, sites.get(4), sites.get(0), MoveMemory.BACK.toMillis()))
                .isFalse();
        assertThat(memory.rests(group(1), MoveMemory.REST.toMillis() - 1)).isTrue();
    }

    @Test
    void thePaceHoldsBothLimits() {
        MovePace pace = new MovePace(0.5, 0.1, 1000);
        int begun = 0;
        for (long now = 0; now < 100_000; now += 1000) {
            if (pace.may(now)) {
                pace.moved(10, 0, now);
                begun++;
            }
        }
        assertThat(begun).isBetween(49, 51);
        MovePace slow = new MovePace(1, 0.1, 1000);
        slow.moved(100_000, 20_000, 0);
        assertThat(slow.may(48_000)).isFalse();
        assertThat(slow.may(50_000)).isTrue();
    }
}
