package io.ecfs.console.bed;

import io.ecfs.code.ChunkSet;
import io.ecfs.console.sim.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** One configuration in simulated time: a warm-up, then the skew. Everything is drawn from the seed, so a run can be repeated. */
final class BedRun {
    private static final int DIGITS = 3;

    private final BedSettings settings;
    private final VirtualTime time;
    private final Requests requests;
    private final ChunkMap map;
    private final List<QueuedSite> sites;
    private final ReadStrategy strategy;
    private final Watcher watcher;
    private final SplittableRandom random;
    private final Histogram latencies = new Histogram(DIGITS);
    private final List<List<Integer>> asked = new ArrayList<>(); // positions in the request, by site
    private boolean measured;
    private long accesses;

    BedRun(
            BedSettings settings,
            VirtualTime time,
            Requests requests,
            ChunkMap map,
            List<QueuedSite> sites,
            ReadStrategy strategy,
            Watcher watcher) {
        this.settings = settings;
        this.time = time;
        this.requests = requests;
        this.map = map;
        this.sites = sites;
        this.strategy = strategy;
        this.watcher = watcher;
        this.random = new SplittableRandom(settings.seed());
        sites.forEach(site -> asked.add(new ArrayList<>()));
    }

    BedResult run() {
        for (int client = 0; client < settings.clients(); client++) {
            time.after(client, this::turn);
        }
        time.pass(seconds(settings.warmSeconds()));
        requests.skew();
        fail();
        long[] before = bytesRead();
        long moved = watcher.moves();
        measured = true;
        time.pass(seconds(settings.seconds()));
        long[] after = bytesRead();
        return new BedResult(
                latencies,
                IntStream.range(0, after.length)
                        .filter(site -> !sites.get(site).failed())
                        .mapToLong(site -> after[site] - before[site])
                        .toArray(),
                accesses,
                watcher.moves() - moved,
                settings.seconds());
    }

    private static Duration seconds(double seconds) {
        return Duration.ofNanos(Math.round(seconds * Duration.ofSeconds(1).toNanos()));
    }

    /** One client reads, and reads again when it has everything. */
    private void turn() {
        long now = time.nanos();
        long done = read(now);
        if (measured) {
            latencies.recordValue(done - now);
        }
        time.at(done, this::turn);
    }

    /** @return when the request has all its blocks */
    private long read(long now) {
        int[] blocks = requests.next(random);
        watcher.read(blocks);
        List<ChunkSet> chunks = strategy.choose(blocks);
        for (int i = 0; i < blocks.length; i++) {
            for (int chunk : chunks.get(i)) {
                asked.get(map.site(blocks[i], chunk)).add(i);
            }
        }
        long[][] arrivals = new long[blocks.length][settings.chunks()];
        int[] arrived = new int[blocks.length];
        for (int site = 0; site < sites.size(); site++) {
            if (!asked.get(site).isEmpty()) {
                serve(site, blocks, now, arrivals, arrived);
            }
        }
        long done = now;
        for (int i = 0; i < blocks.length; i++) {
            Arrays.sort(arrivals[i], 0, arrived[i]);
            done = Math.max(done, arrivals[i][settings.dataChunks() - 1]);
        }
        return done + BedSettings.NETWORK_NANOS;
    }

    private void serve(int number, int[] blocks, long now, long[][] arrivals, int[] arrived) {
        QueuedSite site = sites.get(number);
        accesses += measured ? 1 : 0;
        site.begin(now);
        long bytes = 0;
        long done = 0;
        for (int i : asked.get(number)) {
            done = site.read(map.chunkBytes(blocks[i]));
            bytes += map.chunkBytes(blocks[i]);
            arrivals[i][arrived[i]++] = done;
        }
        asked.get(number).clear();
        long took = done + BedSettings.NETWORK_NANOS - now;
        long read = bytes;
        time.at(now + took, () -> strategy.answered(number, read, took));
    }

    private void fail() {
        List<QueuedSite> order = new ArrayList<>(sites);
        for (int i = 0; i < settings.failed(); i++) {
            order.remove(random.nextInt(order.size())).fail();
        }
    }

    private long[] bytesRead() {
        return sites.stream().mapToLong(QueuedSite::bytesRead).toArray();
    }
}
