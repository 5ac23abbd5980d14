package io.ecfs.bench.bed.erails;

import io.ecfs.bench.bed.hardware.Station;
import io.ecfs.layout.Ring;
import io.ecfs.sim.time.VirtualTime;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Reads and writes objects. It takes a volume for a reader by the ring's position, and for a writer for a second after
 * an answer that says so, or until the next turn. Where volumes return early it knows at once who reads.
 */
final class RingClient implements RequestStreams.Requests {
    private static final long BELIEVED_NANOS = 1_000_000_000L;

    private final RingPlan plan;
    private final VirtualTime time;
    private final List<RingVolume> volumes;
    private final Station cpu;
    private final SplittableRandom random;
    private final ReadChoice choice;
    private final long[] writesUntil;
    private final long chunkBytes;
    private Ring ring;
    private int position;
    private long reads;
    private long decoded;
    private long besideWriters;

    RingClient(RingPlan plan, VirtualTime time, List<RingVolume> volumes, Station cpu, SplittableRandom random) {
        this.plan = plan;
        this.time = time;
        this.writesUntil = new long[volumes.size()];
        this.volumes = volumes;
        this.cpu = cpu;
        this.random = random;
        this.ring = plan.ring();
        this.choice = new ReadChoice(plan.code());
        this.chunkBytes = plan.chunkBytes();
    }

    /** Its clock says that it is another position. */
    void turn(Ring now, int newPosition) {
        ring = now;
        position = newPosition;
        Arrays.fill(writesUntil, 0);
    }

    private boolean reads(int volume) {
        if (!plan.windows().separated() || plan.windows() == Windows.RETURNING) {
            return volumes.get(volume).reading();
        }
        return !ring.writes(plan.colourOf().get(volume), position) && writesUntil[volume] <= time.nanos();
    }

    /** Objects. */
    long reads() {
        return reads;
    }

    /** Data chunks that were computed. */
    long decoded() {
        return decoded;
    }

    /** Chunks that were read from volumes that write. */
    long besideWriters() {
        return besideWriters;
    }

    private RingGroup group() {
        List<RingGroup> groups = plan.groups();
        return groups.get(groups.size() == 1 ? 0 : random.nextInt(groups.size()));
    }

    @Override
    public void read(Runnable done) {
        reads++;
        RingGroup group = group();
        ReadChoice.Chosen chosen = choice.of(
                        group,
                        this::reads,
                        volume -> volumes.get(volume).failed(),
                        volume -> volumes.get(volume).waitingReads())
                .orElseThrow(() -> new IllegalArgumentException("too many volumes failed to read " + plan.code()));
        int[] left = {chosen.chunks().length};
        for (int index : chosen.chunks()) {
            int volume = group.volumes().get(index);
            if (plan.windows().separated() && !volumes.get(volume).reading()) {
                besideWriters++;
            }
            volumes.get(volume).read(chunkBytes, () -> {
                answered(volume);
                left[0]--;
                if (left[0] == 0) {
                    decode(chosen.lost(), done);
                }
            });
        }
    }

    private void answered(int volume) {
        if (!volumes.get(volume).reading()) {
            writesUntil[volume] = time.nanos() + BELIEVED_NANOS;
        }
    }

    private void decode(int lost, Runnable done) {
        int computed = plan.alwaysDecodes()
                ? Math.min(plan.code().dataChunks(), plan.code().parityChunks())
                : lost;
        decoded += computed;
        if (computed == 0) {
            done.run();
        } else {
            cpu.use(plan.coding().decodeNanos(plan.code(), computed, chunkBytes), done);
        }
    }

    @Override
    public void write(Runnable accepted) {
        RingGroup group = group();
        cpu.use(plan.coding().encodeNanos(plan.code(), chunkBytes), () -> {
            List<RingVolume> to = group.volumes().stream()
                    .map(volumes::get)
                    .filter(volume -> !volume.failed())
                    .toList();
            int[] left = {to.size()};
            for (RingVolume volume : to) {
                volume.write(chunkBytes, () -> {
                    left[0]--;
                    if (left[0] == 0) {
                        accepted.run();
                    }
                });
            }
        });
    }
}
