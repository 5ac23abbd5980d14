package io.ecfs.bench.bed.erails;

import io.ecfs.bench.bed.hardware.Station;
import io.ecfs.layout.Ring;
import io.ecfs.sim.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/** Runs a {@link RingPlan} in virtual time. A single use of one thread. */
public final class RingBed {
    private static final Duration STEP = Duration.ofMillis(50);
    private static final double SECOND = 1e9;

    private final RingPlan plan;
    private final VirtualTime time = new VirtualTime();
    private final List<RingVolume> volumes = new ArrayList<>();
    private final List<Long> skews = new ArrayList<>();
    private final Station cpu;
    private final RingClient client;
    private final RequestStreams streams;
    private final AdaptiveWriters adaptive;
    private Ring ring;
    private long writtenWarm;
    private long writtenEnd = -1;
    private long writesDoneAtRotation;

    private RingBed(RingPlan plan) {
        this.plan = plan;
        SplittableRandom random = new SplittableRandom(plan.seed());
        this.ring = plan.ring();
        this.adaptive = new AdaptiveWriters(
                ring,
                Math.max(ring.writers(), Ring.mostWriters(plan.code(), ring.colours())),
                plan.device().writeRate(plan.chunkBytes()),
                plan.turn().toMillis());
        RingVolume.Bounds bounds = new RingVolume.Bounds(
                plan.windows().separated(),
                plan.windows() == Windows.RETURNING,
                plan.journalBytes(),
                plan.chunkBytes(),
                plan.device().writeNanos(plan.chunkBytes()));
        for (int i = 0; i < plan.volumes(); i++) {
            FlashStation device = new FlashStation(time, plan.device(), random.split());
            volumes.add(new RingVolume(
                    time, device, bounds, ring.writes(plan.colourOf().get(i), 0)));
            skews.add(plan.skewNanos() == 0 ? 0 : random.nextLong(-plan.skewNanos(), plan.skewNanos() + 1));
        }
        volumes.subList(0, plan.failed()).forEach(RingVolume::fail);
        this.cpu = new Station(time, plan.clients() * plan.cores());
        this.client = new RingClient(plan, time, volumes, cpu, random.split());
        this.streams = new RequestStreams(time::nanos, plan.load(), client);
    }

    public static RingOutcome run(RingPlan plan) {
        return new RingBed(plan).run();
    }

    private RingOutcome run() {
        long most = plan.load().mostNanos();
        time.at(plan.load().warmNanos(), () -> writtenWarm = written());
        if (plan.windows().separated()) {
            settleBefore(1);
            time.at(plan.turn().toNanos(), () -> turn(1));
        }
        streams.dispatch();
        OptionalLong over = OptionalLong.empty();
        while (over.isEmpty() && time.nanos() < most) {
            time.pass(STEP, this::noteWritten);
            over = streams.over();
        }
        return outcome(over.orElse(time.nanos()));
    }

    /** What is drained when no more writes come does not belong to the rate of writes. */
    private void noteWritten() {
        if (writtenEnd < 0 && streams.writesAreOver()) {
            writtenEnd = written();
        }
    }

    private long written() {
        return volumes.stream().mapToLong(RingVolume::bytesWritten).sum();
    }

    private void turn(int position) {
        Ring before = ring;
        if (plan.windows().adaptive() && position % ring.colours() == 0) {
            rotated();
        }
        client.turn(ring, position);
        for (int i = 0; i < volumes.size(); i++) {
            int colour = plan.colourOf().get(i);
            boolean wrote = before.writes(colour, position - 1);
            boolean writes = ring.writes(colour, position);
            RingVolume volume = volumes.get(i);
            if (writes && !wrote) {
                time.at(byClockOf(i, time.nanos()), volume::beginWriting);
            } else if (wrote && !writes) {
                time.at(byClockOf(i, time.nanos()), volume::beginReading);
            }
        }
        settleBefore(position + 1);
        time.after(plan.turn().toNanos(), () -> turn(position + 1));
    }

    private void settleBefore(int position) {
        if (plan.guard().isZero()) {
            return;
        }
        long at = position * plan.turn().toNanos() - plan.guard().toNanos();
        for (int i = 0; i < volumes.size(); i++) {
            int colour = plan.colourOf().get(i);
            if (ring.writes(colour, position - 1) && !ring.writes(colour, position)) {
                time.at(byClockOf(i, at), volumes.get(i)::settle);
            }
        }
    }

    private long byClockOf(int volume, long nanos) {
        return Math.max(time.nanos(), nanos + skews.get(volume));
    }

    private void rotated() {
        long written = streams.writesDone() - writesDoneAtRotation;
        writesDoneAtRotation = streams.writesDone();
        double seconds = ring.colours() * plan.turn().toNanos() / SECOND;
        adaptive.rotated((double) written * plan.code().chunks() * plan.chunkBytes() / (plan.volumes() * seconds));
        ring = adaptive.ring();
    }

    private RingOutcome outcome(long end) {
        long warm = plan.load().warmNanos();
        double writeSeconds = (streams.writesEnded() - warm) / SECOND;
        long written = (writtenEnd < 0 ? written() : writtenEnd) - writtenWarm;
        double userBytes = (double) written
                / (plan.chunkBytes() * (plan.code().chunks() - failedOfGroup()))
                * plan.load().objectBytes();
        double chunks = Math.max(1, (double) client.reads() * plan.code().dataChunks());
        boolean writes = plan.load().writes() > 0;
        return new RingOutcome(
                plan.load().objectBytes() * streams.reads().rate(warm, streams.readsEnded()),
                writes ? userBytes / writeSeconds : 0,
                writes ? streams.writeNanos().getTotalCount() * plan.load().objectBytes() / writeSeconds : 0,
                RingOutcome.Percentiles.of(streams.readNanos()),
                RingOutcome.Percentiles.of(streams.writeNanos()),
                streams.reads().dipAtTurns(plan.turn().toNanos(), plan.turn(), warm, streams.readsEnded()),
                volumes.stream().mapToLong(RingVolume::spilledBytes).sum(),
                volumes.stream().mapToLong(RingVolume::late).sum(),
                volumes.stream().mapToLong(RingVolume::mostStaged).max().orElse(0),
                client.besideWriters() / chunks,
                client.decoded() / chunks,
                cpu.busyNanos() / (double) (end * cpu.servers()),
                ring.writers(),
                streams.reads(),
                streams.writes(),
                end / SECOND,
                time.events());
    }

    /** Chunks that a group lacks; the failed volumes of a bed of several groups are few. */
    private int failedOfGroup() {
        return plan.volumes() == plan.code().chunks() ? plan.failed() : 0;
    }
}
