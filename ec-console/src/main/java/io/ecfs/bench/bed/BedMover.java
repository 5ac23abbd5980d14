package io.ecfs.bench.bed;

import io.ecfs.client.base.AccessSamples;
import io.ecfs.env.Randomness;
import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.datanode.DatanodeLoad;
import io.ecfs.namenode.rebalance.Block;
import io.ecfs.namenode.rebalance.Mover;
import io.ecfs.namenode.rebalance.MoverSite;
import io.ecfs.namenode.rebalance.Relocation;
import io.ecfs.namenode.settings.MoverSettings;
import io.ecfs.namenode.stats.SiteLoads;
import io.ecfs.namenode.stats.Statistics;
import io.ecfs.sim.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The namenode's statistics and mover on the bed's sites. A move is a read at one site and a write at another, which
 * wait in the queues like any request; then the map changes.
 */
final class BedMover {
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Duration LOADS = Duration.ofSeconds(3);
    private static final long NANOS_OF_MICRO = 1_000;
    private static final long NANOS_OF_MILLI = 1_000_000;

    private final VirtualTime time;
    private final ChunkMap map;
    private final List<QueuedSite> sites;
    private final MoverSettings settings;
    private final Randomness randomness;
    private final List<DatanodeId> ids = new ArrayList<>();
    private final Map<DatanodeId, Integer> numbers = new HashMap<>();
    private final Statistics statistics = new Statistics();
    private final AccessSamples samples;
    private final Mover mover;
    private final long[] bytesReported;
    private long moves;

    private BedMover(VirtualTime time, ChunkMap map, List<QueuedSite> sites, Device device, SplittableRandom random) {
        this.time = time;
        this.map = map;
        this.sites = sites;
        this.settings = MoverSettings.defaults().withCosts(device.overheadNanos(), device.nanosPerByte());
        this.mover = new Mover(settings);
        this.randomness = Randomness.over(random);
        BedThreads threads = new BedThreads(time);
        this.samples = new AccessSamples(
                time, threads.scheduler("client"), report -> statistics.accessed(report.sets(), nowMillis()));
        this.bytesReported = new long[sites.size()];
        for (int i = 0; i < sites.size(); i++) {
            ids.add(new DatanodeId("dn" + i));
            numbers.put(ids.get(i), i);
        }
    }

    /** A mover that starts now. */
    static BedMover started(
            VirtualTime time, ChunkMap map, List<QueuedSite> sites, Device device, SplittableRandom random) {
        BedMover mover = new BedMover(time, map, sites, device, random);
        time.after(LOADS.toNanos(), mover::reportLoads);
        time.after(TICK.toNanos(), mover::tick);
        return mover;
    }

    /** Number of moved chunks. */
    long moves() {
        return moves;
    }

    /** Memory of the statistics on a namenode. */
    long statisticsBytes() {
        return statistics.bytes();
    }

    /** A client reads these blocks together. */
    void read(int[] blocks) {
        samples.together(Arrays.stream(blocks).mapToObj(BedMover::group).toList());
    }

    private void reportLoads() {
        time.after(LOADS.toNanos(), this::reportLoads);
        for (int i = 0; i < sites.size(); i++) {
            QueuedSite site = sites.get(i);
            if (!site.failed()) {
                long bytes = (site.bytesRead() - bytesReported[i]) / LOADS.toSeconds();
                bytesReported[i] = site.bytesRead();
                long wait = site.takeTimes().meanWaitNanos() / NANOS_OF_MICRO;
                DatanodeLoad load = new DatanodeLoad(DatanodeLoad.CPU_UNKNOWN, bytes, 0, wait, 0);
                statistics.loads().onReport(ids.get(i), load, nowMillis());
            }
        }
    }

    private void tick() {
        time.after(TICK.toNanos(), this::tick);
        long now = nowMillis();
        Mover.Sight sight = new Mover.Sight(seen(now), statistics.window(now), this::block, now);
        if (mover.waits(sight).isPresent() || !mover.may(now)) {
            return;
        }
        Optional<Relocation> best = mover.best(sight, randomness).stream().findFirst();
        best.ifPresentOrElse(move -> begin(move, sight.sites(), now), () -> mover.nothingBegun(now));
    }

    private List<MoverSite> seen(long now) {
        SiteLoads loads = statistics.siteLoads(ids, now);
        return loads.reported().keySet().stream()
                .flatMap(id ->
                        MoverSite.of(id, "", !sites.get(numbers.get(id)).failed(), loads, settings.overheadNanos())
                                .stream())
                .toList();
    }

    private Optional<Block> block(GroupId group) {
        int block = number(group);
        TreeMap<Integer, DatanodeId> places = new TreeMap<>();
        for (int chunk = 0; chunk < map.chunks(); chunk++) {
            if (!sites.get(map.site(block, chunk)).failed()) {
                places.put(chunk, ids.get(map.site(block, chunk)));
            }
        }
        return places.size() < map.chunks()
                ? Optional.empty()
                : Optional.of(new Block(group, Configuration.DATA_CHUNKS, map.chunkBytes(block), places));
    }

    private void begin(Relocation move, List<MoverSite> seen, long now) {
        mover.began(move, seen, now);
        QueuedSite from = sites.get(numbers.get(move.from()));
        QueuedSite to = sites.get(numbers.get(move.to()));
        from.visit().read(move.bytes(), () -> to.visit().write(move.bytes(), () -> end(move)));
    }

    private void end(Relocation move) {
        int to = numbers.get(move.to());
        boolean moved = !sites.get(to).failed();
        mover.ended(move, moved);
        if (moved) {
            map.move(number(move.group()), move.index(), to);
            moves++;
        }
    }

    private long nowMillis() {
        return time.nanos() / NANOS_OF_MILLI;
    }

    private static GroupId group(int block) {
        return new GroupId(block + 1L);
    }

    private static int number(GroupId group) {
        return (int) (group.value() - 1);
    }
}
