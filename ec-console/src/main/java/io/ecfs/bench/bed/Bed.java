package io.ecfs.bench.bed;

import io.ecfs.bench.report.Figure;
import io.ecfs.env.Clock;
import io.ecfs.sim.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Runs a plan: every configuration on the same requests, the same disks and the same draw of places. */
public final class Bed {
    private final BedPlan plan;
    private final Clock machine;
    private final LongSupplier processor;

    /**
     * @param machine clock that times planning where configured
     * @param processor nanoseconds that this thread has run, for the same
     */
    public Bed(BedPlan plan, Clock machine, LongSupplier processor) {
        this.plan = plan;
        this.machine = machine;
        this.processor = processor;
    }

    /** Notified of each step that begins. */
    public interface Progress {
        /** @param share of all that is over */
        void begins(double share, String doing);
    }

    /** @param figures get every value as soon as it is there */
    public void run(Consumer<Figure> figures, Progress progress) {
        List<BedPlan.Run> runs = plan.runs();
        for (int i = 0; i < runs.size(); i++) {
            BedPlan.Run run = runs.get(i);
            progress.begins((double) i / runs.size(), plan.words(run));
            BedFigures.of(plan, "sim", run, result(run)).forEach(figures);
        }
    }

    private BedResult result(BedPlan.Run run) {
        Configuration configuration = run.configuration();
        SplittableRandom random = new SplittableRandom(plan.seed(run));
        Requests requests = plan.requests(random.split());
        int k = configuration.dataChunks();
        VirtualTime time = new VirtualTime();
        ChunkMap map =
                new ChunkMap(plan.sites(), k + Configuration.PARITY_CHUNKS, chunkBytes(requests, k), random.split());
        List<QueuedSite> sites = new ArrayList<>();
        for (int i = 0; i < plan.sites(); i++) {
            sites.add(new QueuedSite(time, Device.OF_THE_PAPER));
        }
        BedStrategy strategy = configuration.planned()
                ? new ClientReads(time, map, sites, plan, configuration, machine, processor, random.split())
                : new RandomChoice(map, sites, k + configuration.delta(), random.split());
        Optional<BedMover> mover = configuration.moved()
                ? Optional.of(BedMover.started(time, map, sites, Device.OF_THE_PAPER, random.split()))
                : Optional.empty();
        return new BedRun(plan, run, time, requests, map, sites, strategy, mover).run();
    }

    private static int[] chunkBytes(Requests requests, int k) {
        int[] bytes = requests.blockBytes().clone();
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (bytes[i] + k - 1) / k;
        }
        return bytes;
    }
}
