package io.ecfs.client.access;

import io.ecfs.client.base.PlanConfig;
import io.ecfs.env.Clock;
import io.ecfs.env.Scheduler;
import io.ecfs.message.Address;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.transfer.ChunkClient;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * Costs of reading from each volume, as this client measures them: every answer to a read is a sample of o_j and m_j
 * ({@link VolumeCost}); volumes that reads could use and that have no recent sample are probed for their load. A volume
 * of a ring has another cost while it writes, from reads alone: a probe waits for other reads, not for the device.
 *
 * <pre>
 *   read answered, cancelled late -----------------------------------------.
 *   could be read, no sample for probeEvery --> VolumeLoad.Ask --answer--+--> o_j, m_j --> snapshot
 *                                                                                      for the next plan
 * </pre>
 *
 * A snapshot is a few milliseconds old at most. If it were a second old, as with periodic probes alone, all requests of
 * that second would go to the volumes that were idle at its begin. A client that reads nothing sends no probes. Owned
 * by the client's owner thread, but for {@link #lastSnapshot}.
 */
public final class MeasuredCosts {
    private static final int MOST_VOLUMES = 4096;
    private static final int MOST_PROBES = 64;
    /** Excess over the median cost from which on even single reads choose by cost. */
    private static final double UNEVEN_NANOS = 2_000_000;
    /**
     * Least age of a snapshot that is replaced; more with many volumes, so that making it takes about a hundredth of
     * the time.
     */
    private static final long SNAPSHOT_NANOS = 2_000_000;

    private static final long SNAPSHOT_NANOS_PER_VOLUME = 20_000;
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(2);

    /** Excess over the median cost that is expected of volumes that write, before reads of some are known. */
    private static final double WRITER_NANOS = 20_000_000;

    /** Age from which on a cost of a volume that writes is forgotten: too few reads would find out that it fell. */
    private static final long WRITER_FORGOTTEN = Duration.ofMinutes(1).toNanos();

    private static final class Volume {
        final Address address;
        final VolumeCost cost = new VolumeCost();
        Optional<VolumeCost> whileWriting = Optional.empty();
        boolean wanted;
        boolean probing;

        Volume(Address address) {
            this.address = address;
        }

        VolumeCost cost(boolean writing) {
            if (!writing) {
                return cost;
            }
            if (whileWriting.isEmpty()) {
                whileWriting = Optional.of(new VolumeCost());
            }
            return whileWriting.get();
        }
    }

    private final Clock clock;
    private final Scheduler owner;
    private final ChunkClient datanodes;
    private final PlanConfig config;
    private final long silence;
    private final Predicate<VolumeId> writing;
    private final Map<VolumeId, Volume> volumes = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<VolumeId, Volume> eldest) {
            return size() > MOST_VOLUMES;
        }
    };
    private volatile CostSnapshot snapshot = snapshotOf(List.of(), List.of(), new IntObjectHashMap<>());
    private long snapshotAt;
    private boolean learned;
    private boolean ticking;

    public MeasuredCosts(Clock clock, Scheduler owner, ChunkClient datanodes, PlanConfig config) {
        this(clock, owner, datanodes, config, volume -> false);
    }

    /** @param writing whether a volume writes at present, in its ring's turn */
    public MeasuredCosts(
            Clock clock, Scheduler owner, ChunkClient datanodes, PlanConfig config, Predicate<VolumeId> writing) {
        this.writing = writing;
        this.clock = clock;
        this.owner = owner;
        this.datanodes = datanodes;
        this.config = config;
        this.silence = config.probeEvery().toNanos();
        this.snapshotAt = clock.nanos();
    }

    /** The present costs to plan with. */
    public CostSnapshot snapshot() {
        if (learned) {
            long now = clock.nanos();
            if (now - snapshotAt >= SNAPSHOT_NANOS + volumes.size() * SNAPSHOT_NANOS_PER_VOLUME) {
                publish(now);
            }
        }
        return snapshot;
    }

    /** The costs as they were when they were asked for last. Safe for use by several threads. */
    public CostSnapshot lastSnapshot() {
        return snapshot;
    }

    /** Registers chunks that reads could use, whose costs should be known. */
    public void considered(Collection<ChunkLocation> chunks) {
        chunks.forEach(this::asked);
    }

    /** Counts a read that is sent to a volume. */
    public void asked(ChunkLocation location) {
        if (!config.on()) {
            return;
        }
        Volume volume = volumes.get(location.volume());
        if (volume == null || !volume.address.equals(location.address())) {
            volume = new Volume(location.address());
            volumes.put(location.volume(), volume);
        }
        volume.wanted = true;
        if (!ticking) {
            ticking = true;
            owner.schedule(config.probeEvery(), this::tick);
        }
    }

    /**
     * Adds the sample of an answered read.
     *
     * @param writing whether the volume writes, in its ring's turn
     */
    public void answered(ChunkLocation location, long bytes, long nanos, boolean writing) {
        Volume volume = volumes.get(location.volume());
        if (volume != null) {
            volume.cost(writing).answered(bytes, nanos, clock.nanos(), silence);
            learned = true;
        }
    }

    /** Adds a read that was cancelled without an answer; parameters as of {@link #answered}. */
    public void calledOff(ChunkLocation location, long bytes, long nanos, boolean writing) {
        Volume volume = volumes.get(location.volume());
        if (volume != null) {
            volume.cost(writing).calledOff(bytes, nanos, clock.nanos(), silence);
            learned = true;
        }
    }

    /** Probes the volumes without a sample since the last tick; ends when nothing was read in between. */
    private void tick() {
        long now = clock.nanos();
        List<Map.Entry<VolumeId, Volume>> probes = new ArrayList<>();
        ticking = false;
        for (Map.Entry<VolumeId, Volume> one : volumes.entrySet()) {
            Volume volume = one.getValue();
            ticking |= volume.wanted;
            boolean silent = !volume.cost.known() || now - volume.cost.measuredAt() >= silence;
            boolean due = volume.wanted && silent && !volume.probing && !writing.test(one.getKey());
            if (due && probes.size() < MOST_PROBES) {
                probes.add(one);
            }
            volume.wanted = false;
        }
        probes.forEach(one -> probe(one.getKey(), one.getValue()));
        if (ticking) {
            owner.schedule(config.probeEvery(), this::tick);
        }
    }

    /** Probes these volumes at once, to know their costs before anything is read. */
    public CompletableFuture<Void> measure(Collection<ChunkLocation> chunks) {
        considered(chunks);
        List<CompletableFuture<Void>> probes = new ArrayList<>();
        for (VolumeId id : chunks.stream().map(ChunkLocation::volume).distinct().toList()) {
            Volume volume = volumes.get(id);
            if (volume != null && !volume.probing) {
                probes.add(probe(id, volume));
            }
        }
        return CompletableFuture.allOf(probes.toArray(CompletableFuture[]::new)).thenRun(() -> publish(clock.nanos()));
    }

    /** @return complete, on the owner thread, when the answer counts */
    private CompletableFuture<Void> probe(VolumeId id, Volume volume) {
        volume.probing = true;
        CompletableFuture<Void> done = new CompletableFuture<>();
        long began = clock.nanos();
        datanodes.load(volume.address, id, PROBE_TIMEOUT).whenComplete((load, failure) -> {
            long now = clock.nanos();
            long took = failure == null ? now - began : PROBE_TIMEOUT.toNanos();
            owner.execute(() -> {
                volume.probing = false;
                if (!writing.test(id)) { // it waited for the volume's writes
                    volume.cost.probed(took, now, silence);
                    learned = true;
                }
                done.complete(null);
            });
        });
        return done;
    }

    private void publish(long now) {
        List<VolumeCost> known = new ArrayList<>(volumes.size());
        List<VolumeCost> writers = new ArrayList<>();
        IntObjectMap<CostSnapshot.Cost> costs = new IntObjectHashMap<>(2 * volumes.size() + 1);
        volumes.forEach((id, volume) -> {
            if (volume.cost.known()) {
                known.add(volume.cost);
                costs.put(CostSnapshot.site(id, false), CostSnapshot.Cost.of(volume.cost));
            }
            volume.whileWriting
                    .filter(cost -> cost.known() && now - cost.measuredAt() < WRITER_FORGOTTEN)
                    .ifPresent(cost -> {
                        writers.add(cost);
                        costs.put(CostSnapshot.site(id, true), CostSnapshot.Cost.of(cost));
                    });
        });
        snapshot = snapshotOf(known, writers, costs);
        snapshotAt = now;
        learned = false;
    }

    private static CostSnapshot snapshotOf(
            List<VolumeCost> known, List<VolumeCost> writers, IntObjectMap<CostSnapshot.Cost> costs) {
        double access = median(known, VolumeCost::accessNanos, VolumeCost.FIRST_ACCESS_NANOS);
        double perByte = median(known, VolumeCost::nanosPerByte, VolumeCost.FIRST_NANOS_PER_BYTE);
        double standsOut = Math.max(2 * access, access + UNEVEN_NANOS);
        boolean uneven = known.stream().anyMatch(cost -> cost.leastOfLateNanos() > standsOut);
        CostSnapshot.Cost writer = new CostSnapshot.Cost(
                median(writers, VolumeCost::accessNanos, access + WRITER_NANOS),
                median(writers, VolumeCost::nanosPerByte, perByte));
        return new CostSnapshot(costs, new CostSnapshot.Cost(access, perByte), writer, uneven);
    }

    private static double median(List<VolumeCost> known, ToDoubleFunction<VolumeCost> of, double unknown) {
        double[] sorted = known.stream().mapToDouble(of).toArray();
        Arrays.sort(sorted);
        return sorted.length == 0 ? unknown : sorted[(sorted.length - 1) / 2];
    }
}
