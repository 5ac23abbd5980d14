package io.ecfs.bench.bed;

import io.ecfs.sim.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * One configuration in simulated time: a warm-up, then the skew. Everything is drawn from the seed, so a run can be
 * repeated.
 */
final class BedRun {
    private final BedPlan plan;
    private final BedPlan.Run run;
    private final VirtualTime time;
    private final Requests requests;
    private final List<QueuedSite> sites;
    private final BedStrategy strategy;
    private final Optional<BedMover> mover;
    private final BedRequest.Scene scene;
    private final SplittableRandom random;
    private Optional<LatencyLog> latencies = Optional.empty(); // from the end of the warm-up on

    BedRun(
            BedPlan plan,
            BedPlan.Run run,
            VirtualTime time,
            Requests requests,
            ChunkMap map,
            List<QueuedSite> sites,
            BedStrategy strategy,
            Optional<BedMover> mover) {
        this.plan = plan;
        this.run = run;
        this.time = time;
        this.requests = requests;
        this.sites = sites;
        this.strategy = strategy;
        this.mover = mover;
        this.scene = new BedRequest.Scene(
                time, map, sites, strategy, run.configuration().dataChunks(), plan.callsOff());
        this.random = new SplittableRandom(plan.seed(run));
    }

    BedResult run() {
        for (int client = 0; client < plan.clients(); client++) {
            time.after(client, this::turn);
        }
        time.pass(plan.warmUp());
        requests.skew();
        fail();
        long[] before = bytesRead();
        long visitsBefore = visits();
        long moved = moves();
        latencies = Optional.of(new LatencyLog(time.nanos(), plan.measured()));
        strategy.measure();
        time.pass(plan.measured());
        long[] after = bytesRead();
        return new BedResult(
                latencies.orElseThrow(),
                IntStream.range(0, after.length)
                        .filter(site -> !sites.get(site).failed())
                        .mapToLong(site -> after[site] - before[site])
                        .toArray(),
                visits() - visitsBefore,
                moves() - moved,
                mover.map(moving -> OptionalLong.of(moving.statisticsBytes())).orElse(OptionalLong.empty()),
                scene.map().storedBytes(),
                plan.seconds(),
                strategy.cacheUse(),
                strategy.planningTimes());
    }

    /** One client reads, and reads again when it has everything. */
    private void turn() {
        long began = time.nanos();
        Optional<LatencyLog> log = latencies;
        int[] blocks = requests.next(random);
        mover.ifPresent(moving -> moving.read(blocks));
        BedRequest request = new BedRequest(scene, blocks, () -> {
            log.ifPresent(counts -> counts.add(time.nanos(), time.nanos() - began));
            turn();
        });
        request.ask(strategy.choose(blocks));
    }

    private void fail() {
        List<QueuedSite> order = new ArrayList<>(sites);
        for (int i = 0; i < run.failed(); i++) {
            order.remove(random.nextInt(order.size())).fail();
        }
    }

    private long moves() {
        return mover.map(BedMover::moves).orElse(0L);
    }

    private long[] bytesRead() {
        return sites.stream().mapToLong(QueuedSite::bytesRead).toArray();
    }

    /** Of sites that go on; which those are is settled before anything is measured. */
    private long visits() {
        return sites.stream()
                .filter(site -> !site.failed())
                .mapToLong(QueuedSite::visits)
                .sum();
    }
}
