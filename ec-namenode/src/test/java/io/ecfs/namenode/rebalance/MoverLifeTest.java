package io.ecfs.namenode.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.ChunkSet;
import io.ecfs.env.Randomness;
import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.datanode.DatanodeLoad;
import io.ecfs.message.namespace.AccessSet;
import io.ecfs.namenode.settings.MoverSettings;
import io.ecfs.namenode.stats.AccessWindow;
import io.ecfs.namenode.stats.SiteLoads;
import io.ecfs.namenode.stats.Statistics;
import io.ecfs.plan.BlockNeed;
import io.ecfs.plan.Candidate;
import io.ecfs.plan.GreedyPlanner;
import io.ecfs.plan.JointPlan;
import io.ecfs.plan.SiteCosts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Statistics, choice, memory and pace over minutes of simulated time, with clients that plan their reads: second after
 * second.
 */
class MoverLifeTest {
    private static final int SITES = 16;
    private static final int BLOCKS = 400;
    private static final int TOGETHER = 5;
    private static final int REQUESTS_A_SECOND = 50;
    private static final int WINDOW_SECONDS = AccessWindow.REQUESTS / REQUESTS_A_SECOND;
    private static final long BYTES = 50_000;
    private static final double OVERHEAD = 1_000_000;
    private static final double BUSY = 20 * OVERHEAD;
    private static final double PER_BYTE = OVERHEAD / 5 / BYTES;

    private final Random random = new Random(11);
    private final Statistics statistics = new Statistics();
    private final Mover mover = new Mover(MoverSettings.defaults().withCosts((long) OVERHEAD, PER_BYTE));
    private final TreeMap<GroupId, Block> blocks = new TreeMap<>();
    private final List<DatanodeId> datanodes = new ArrayList<>();
    private final List<Relocation> moves = new ArrayList<>();
    private final Map<List<Object>, Long> left = new HashMap<>();
    private int hotFrom;
    private double access = BUSY;
    private double slow; // at a quarter of the datanodes, if more
    private long second;
    private double sitesAsked;

    MoverLifeTest() {
        for (int site = 0; site < SITES; site++) {
            datanodes.add(new DatanodeId("dn" + site));
        }
        for (int number = 1; number <= BLOCKS; number++) {
            TreeMap<Integer, DatanodeId> places = new TreeMap<>();
            while (places.size() < 4) {
                DatanodeId datanode = datanodes.get(random.nextInt(SITES));
                if (!places.containsValue(datanode)) {
                    places.put(places.size(), datanode);
                }
            }
            blocks.put(new GroupId(number), new Block(new GroupId(number), 2, BYTES, places));
        }
    }

    /** @return sites that a request turned to, on average */
    private double live(int seconds) {
        sitesAsked = 0;
        for (int i = 0; i < seconds; i++) {
            oneSecond(REQUESTS_A_SECOND, TOGETHER);
        }
        return sitesAsked / seconds / REQUESTS_A_SECOND;
    }

    private void oneSecond(int requests, int together) {
        second++;
        long[] bytes = new long[SITES];
        for (int i = 0; i < requests; i++) {
            read(bytes, together);
        }
        for (int site = 0; site < SITES; site++) {
            statistics.loads().told(datanodes.get(site), new DatanodeLoad(-1, bytes[site], 0, 0, 0), second * 1000);
        }
        Mover.Sight sight = sight();
        if (mover.waits(sight).isEmpty() && mover.may(second * 1000)) {
            move(sight);
        }
    }

    private Mover.Sight sight() {
        long now = second * 1000;
        SiteLoads loads = statistics.siteLoads(datanodes, now);
        List<MoverSite> sites = datanodes.stream()
                .flatMap(datanode -> MoverSite.of(datanode, "/" + datanode, true, loads, 0).stream())
                .map(site -> new MoverSite(
                        site.datanode(), site.rack(), true, access(site), site.load(), site.bytesPerSecond()))
                .toList();
        return new Mover.Sight(sites, statistics.window(now), group -> Optional.ofNullable(blocks.get(group)), now);
    }

    /** Some of five neighbours of a hot set of forty. */
    private void read(long[] bytes, int together) {
        int first = hotFrom + TOGETHER * random.nextInt(8) + 1;
        List<GroupId> groups = new ArrayList<>();
        List<BlockNeed> needs = new ArrayList<>();
        for (int number = first; number < first + together; number++) {
            groups.add(new GroupId(number));
            List<Candidate> candidates = new ArrayList<>();
            blocks.get(new GroupId(number))
                    .places()
                    .forEach((index, datanode) ->
                            candidates.add(new Candidate(index, datanodes.indexOf(datanode), BYTES)));
            needs.add(BlockNeed.anyOf(2, candidates));
        }
        JointPlan plan = new GreedyPlanner()
                .plan(needs, SiteCosts.uniform(OVERHEAD, PER_BYTE))
                .orElseThrow();
        Set<Integer> asked = new HashSet<>();
        for (int i = 0; i < needs.size(); i++) {
            ChunkSet chosen = plan.chunks().get(i);
            needs.get(i).candidates().stream()
                    .filter(candidate -> chosen.contains(candidate.index()))
                    .forEach(candidate -> {
                        bytes[candidate.site()] += BYTES;
                        asked.add(candidate.site());
                    });
        }
        sitesAsked += asked.size();
        statistics.accessed(List.of(new AccessSet(groups, 1)), second * 1000);
    }

    private double access(MoverSite site) {
        return datanodes.indexOf(site.datanode()) < SITES / 4 ? Math.max(access, slow) : access;
    }

    private void move(Mover.Sight sight) {
        long now = second * 1000;
        List<Relocation> best = mover.best(sight, Randomness.over(random));
        if (best.isEmpty()) {
            mover.nothingBegun(now);
            return;
        }
        Relocation move = best.get(0);
        mover.began(move, sight.sites(), now);
        mover.ended(move, true);
        blocks.computeIfPresent(move.group(), (group, block) -> block.with(move.index(), move.to()));
        moves.add(move);
        assertThat(second - left.getOrDefault(List.of(move.group(), move.index(), move.to()), -10_000L))
                .as("second %d: %s goes back", second, move)
                .isGreaterThanOrEqualTo(600);
        left.put(List.of(move.group(), move.index(), move.from()), second);
        assertThat(blocks.get(move.group()).places().values()).doesNotHaveDuplicates();
    }

    @Test
    void whoOnlyLooksLeavesNoTrace() {
        AccessWindow window = statistics.window(0);
        List<MoverSite> sites = datanodes.stream()
                .map(datanode -> new MoverSite(datanode, "/" + datanode, true, OVERHEAD, 1, 1 << 30))
                .toList();
        Mover.Sight sight =
                new Mover.Sight(sites, window, group -> Optional.ofNullable(blocks.get(group)), second * 1000);
        List<AccessSet> few = List.of(new AccessSet(
                LongStream.rangeClosed(1, 8).mapToObj(GroupId::new).toList(), 1));
        statistics.accessed(few, 0);
        assertThat(mover.dryRun(sight, Randomness.over(random)))
                .as("one request")
                .isEmpty();
        for (int i = 0; i < 200; i++) {
            statistics.accessed(few, 0);
        }
        assertThat(mover.dryRun(sight, Randomness.over(random))).isNotEmpty();
        assertThat(mover.best(sight, Randomness.over(random)))
                .as("a look that found nothing gives no group a rest")
                .isNotEmpty();
    }

    @Test
    void clientsThatReadNowAndThenMoveNothing() {
        for (int minute = 0; minute < 60; minute++) {
            second += 57;
            oneSecond(3, TOGETHER);
        }
        assertThat(mover.waits(sight()).orElseThrow()).contains("leastRequestsPerSecond");
        assertThat(moves).isEmpty();
    }

    @Test
    void whereReadsDoNotWaitNothingMoves() {
        access = 1.9 * OVERHEAD;
        live(2 * WINDOW_SECONDS);
        assertThat(moves).isEmpty();
        assertThat(mover.waits(sight()).orElseThrow()).contains("mover.leastWaitNanos");
        slow = 5 * OVERHEAD;
        live(10);
        assertThat(mover.waits(sight()))
                .as("a quarter of the datanodes lets wait")
                .isPresent();
        access = 2 * OVERHEAD;
        live(10);
        assertThat(moves).isNotEmpty();
    }

    @Test
    void loadsOfAQuietClusterMoveNothing() {
        for (int i = 0; i < 120; i++) {
            oneSecond(2, 1);
        }
        assertThat(moves).isEmpty();
    }

    @Test
    void aNewHotSetIsFollowedWithinAWindowAndMovesEnd() {
        double first = live(10);
        live(5 * WINDOW_SECONDS);
        double learned = live(30);
        assertThat(learned).as("sites a request turns to").isLessThan(0.75 * first);
        int made = moves.size();
        live(3 * WINDOW_SECONDS);
        assertThat(moves.size() - made).as("moves when all is gained").isLessThanOrEqualTo(made / 5);

        hotFrom = 200;
        int before = moves.size();
        double shifted = live(10);
        live(WINDOW_SECONDS);
        assertThat(moves.subList(before, moves.size()))
                .as("moves within one window of the shift")
                .filteredOn(move -> move.group().value() > 200)
                .hasSizeGreaterThan(30);
        assertThat(live(30)).isLessThan(0.9 * shifted);
    }
}
