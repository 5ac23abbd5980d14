package io.ecfs.bench.bed.recovery;

import io.ecfs.advise.RepairCpu;
import io.ecfs.bench.bed.recovery.RebuildSlices.Slice;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.chunk.RebuildWork;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.sim.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One chunk being rebuilt on its target, with the steps of a datanode: a few slices at a time are read and computed and
 * appended in order, then the chunk is read back and synced.
 */
final class ChunkRebuild {
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;

    private final VirtualTime time;
    private final DatanodeOrder.Rebuild order;
    private final BedDatanode target;
    private final Map<Integer, BedDatanode> sources;
    private final Map<Integer, DatanodeId> names;
    private final List<Slice> slices;
    private final int slicesAtOnce;
    private final Consumer<RebuildWork> done;
    private final long begunNanos;
    private final boolean[] computed;
    private int next;
    private int written;
    private boolean writing;
    private long readNanos;
    private long computeNanos;
    private long writeNanos;
    private long verifyNanos;
    private long readEnd;
    private long computeEnd;
    private long writeEnd;

    /**
     * @param sources by index
     * @param names of their datanodes
     * @param done gets what the target reports of its work
     */
    ChunkRebuild(
            VirtualTime time,
            DatanodeOrder.Rebuild order,
            BedDatanode target,
            Map<Integer, BedDatanode> sources,
            Map<Integer, DatanodeId> names,
            List<Slice> slices,
            int slicesAtOnce,
            Consumer<RebuildWork> done) {
        this.time = time;
        this.order = order;
        this.target = target;
        this.sources = sources;
        this.names = names;
        this.slices = slices;
        this.slicesAtOnce = slicesAtOnce;
        this.done = done;
        this.begunNanos = time.nanos();
        this.computed = new boolean[slices.size()];
    }

    void begin() {
        for (int i = 0; i < slicesAtOnce && next < slices.size(); i++) {
            read(next++);
        }
        if (slices.isEmpty()) {
            readBack();
        }
    }

    private void read(int number) {
        Slice slice = slices.get(number);
        long since = time.nanos();
        int[] left = {slice.reads().size()};
        if (left[0] == 0) {
            compute(number);
        }
        for (SourceReads reads : slice.reads()) {
            sources.get(reads.index()).send(target, reads, () -> {
                if (--left[0] == 0) {
                    readNanos += time.nanos() - since;
                    readEnd = time.nanos();
                    compute(number);
                }
            });
        }
    }

    private void compute(int number) {
        Slice slice = slices.get(number);
        long since = time.nanos();
        double seconds = RepairCpu.seconds(
                order.policy().code(), (double) slice.readBytes(), (double) slice.repairedBytes());
        target.compute(seconds, () -> {
            computeNanos += time.nanos() - since;
            computeEnd = time.nanos();
            computed[number] = true;
            append();
        });
    }

    private void append() {
        if (writing || written == slices.size() || !computed[written]) {
            return;
        }
        writing = true;
        long since = time.nanos();
        target.write(slices.get(written).repairedBytes(), () -> {
            writing = false;
            writeNanos += time.nanos() - since;
            writeEnd = time.nanos();
            written++;
            if (next < slices.size()) {
                read(next++);
            }
            if (written == slices.size()) {
                readBack();
            } else {
                append();
            }
        });
    }

    private void readBack() {
        long since = time.nanos();
        target.readBack(repairedBytes(), () -> {
            verifyNanos = time.nanos() - since;
            done.accept(work());
        });
    }

    private long repairedBytes() {
        return slices.stream().mapToLong(Slice::repairedBytes).sum();
    }

    private RebuildWork work() {
        Map<Integer, Long> read = new TreeMap<>();
        slices.forEach(slice -> slice.reads().forEach(one -> read.merge(one.index(), one.bytes(), Long::sum)));
        List<RebuildWork.Source> of = new ArrayList<>();
        read.forEach((index, bytes) -> of.add(new RebuildWork.Source(index, names.get(index), bytes)));
        long ran = time.nanos() - begunNanos;
        return new RebuildWork(
                ran / MILLI,
                phase(readNanos, readEnd),
                phase(computeNanos, computeEnd),
                phase(verifyNanos, time.nanos()),
                phase(writeNanos, writeEnd),
                read.values().stream().mapToLong(Long::longValue).sum(),
                repairedBytes(),
                of);
    }

    private RebuildWork.Phase phase(long busyNanos, long end) {
        return new RebuildWork.Phase(busyNanos / MICRO, Math.max(0, end - begunNanos) / MILLI);
    }
}
