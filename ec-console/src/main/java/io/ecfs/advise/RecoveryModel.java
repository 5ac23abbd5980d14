package io.ecfs.advise;

import java.util.EnumMap;
import java.util.Map;

/**
 * Time from the death of a datanode until all that it had is rebuilt elsewhere. With L bytes in C chunks lost, b bytes
 * and u runs read for each byte and chunk, D datanodes left, and r, net the bytes a second of a datanode and o the time
 * of its disk for a run:
 *
 * <pre>
 *   T = notice + grace + check + max of
 *
 *     disk     (skew (L b / r + C u o) + L 2 / r + C 2 o) / D     sources, and targets: written, read back, synced
 *     net      skew L b / (D net)                                 sent and received
 *     cpu      L c / (D cores)                                    c processor seconds a byte
 *     slots    ceil(C / min(atOnce, D perDatanode)) t             t of one chunk
 *
 *   skew = 1 + sqrt(2 ln D / max(1, C b / D)), at most D
 * </pre>
 *
 * The skew is that of the fullest of D bins when C b chunks are thrown into them: sources are where the groups were
 * placed, and the busiest ends last. Only sources send: a target writes what it computes. Targets have no skew: the
 * leader gives the next chunk to one that has a free slot. The disk term is called {@link Bottleneck#TARGET} where
 * targets have the larger part in it.
 *
 * <p>Left out: users' requests, pacing ({@code repair.limit}), and cross-checks.
 */
final class RecoveryModel {
    /** Declared dead to the first byte read: measured, docs/benchmarks.md, recovery. */
    static final double CHECK_SECONDS = 0.2;

    /** Orders and reports of one chunk, and two entries of the log of 4 ms each: assumed. */
    static final double CHUNK_SECONDS = 0.01;

    private static final double NANOS = 1e9;

    private final RecoveryTuning tuning;

    RecoveryModel(RecoveryTuning tuning) {
        this.tuning = tuning;
    }

    /**
     * Forecasts the recovery of one datanode.
     *
     * @param machines the lost one included; at least two
     */
    RecoveryForecast forecast(Loss loss, Machines machines) {
        int left = machines.datanodes() - 1;
        if (left < 1) {
            throw new IllegalArgumentException("nothing is rebuilt without a datanode that is left");
        }
        double disk = machines.diskBytesPerSecond();
        double net = machines.netBytesPerSecond();
        double access = machines.accessSeconds();
        double read = loss.bytes() * loss.readPerByte();
        double skew = skew(left, loss.chunks() * loss.sources());
        double source = skew * (read / disk + loss.chunks() * loss.runsPerChunk() * access) / left;
        double target = loss.chunks() * targetSeconds(loss, machines) / left;
        Map<Bottleneck, Double> work = new EnumMap<>(Bottleneck.class);
        work.put(Bottleneck.DISK, source < target ? source : source + target);
        work.put(Bottleneck.TARGET, source < target ? source + target : target);
        work.put(Bottleneck.NET, skew * read / (left * net));
        work.put(Bottleneck.CPU, loss.bytes() * loss.cpuSecondsPerByte() / ((double) left * machines.cores()));
        work.put(Bottleneck.SLOTS, rounds(loss, left) * chunkSeconds(loss, machines));
        return new RecoveryForecast(waitSeconds(), skew, work);
    }

    /** From the death of a datanode until the first byte of a source is read. */
    double waitSeconds() {
        return tuning.notice().toNanos() / NANOS + tuning.grace().toNanos() / NANOS + CHECK_SECONDS;
    }

    private static double skew(int left, double reads) {
        return Math.min(left, 1 + Math.sqrt(2 * Math.log(left) / Math.max(1, reads / left)));
    }

    private double rounds(Loss loss, int left) {
        double slots = Math.min(tuning.atOnce(), (double) left * tuning.perDatanode());
        return Math.ceil(loss.chunks() / slots);
    }

    /** Of the target's disk for one chunk: written, read back and synced, file and directory. */
    private static double targetSeconds(Loss loss, Machines machines) {
        return 2 * (loss.bytes() / loss.chunks() / machines.diskBytesPerSecond() + machines.accessSeconds());
    }

    /** One chunk alone: slices are read, received, computed and written at the same time, then all is read back. */
    private static double chunkSeconds(Loss loss, Machines machines) {
        double bytes = loss.bytes() / loss.chunks();
        double read = (bytes * loss.readPerByte() / machines.diskBytesPerSecond()
                        + loss.runsPerChunk() * machines.accessSeconds())
                / loss.sources();
        double received = bytes * loss.readPerByte() / machines.netBytesPerSecond();
        double written = bytes / machines.diskBytesPerSecond();
        double computed = bytes * loss.cpuSecondsPerByte();
        return Math.max(Math.max(read, received), Math.max(written, computed))
                + written
                + 2 * machines.accessSeconds()
                + CHUNK_SECONDS;
    }
}
