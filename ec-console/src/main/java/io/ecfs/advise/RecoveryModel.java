package io.ecfs.advise;

import java.util.EnumMap;
import java.util.Map;

/**
 * Time from the death of a datanode until all that it had is rebuilt elsewhere. With L bytes in C chunks lost, b bytes
 * read for each, D datanodes left, and w, r, net the bytes a second of a datanode:
 *
 * <pre>
 *   T = notice + grace + check + max of
 *
 *     disk     L b / (D r)                          x skew        sources are read
 *     net      L b / (D net)                        x skew        sent and received
 *     cpu      L c / (D cores)                      x skew        c processor seconds a byte
 *     target   L (1/w + 1/r) / min(D, C)                          written and read back
 *     slots    ceil(C / min(atOnce, D perDatanode)) t             t of one chunk
 *
 *   skew = 1 + sqrt(2 ln D / max(1, C b / D)), at most D
 * </pre>
 *
 * The skew is that of the fullest of D bins when C b chunks are thrown into them: sources are where the groups were
 * placed, and the busiest ends last. Only sources send: a target writes what it computes. Targets have no skew: the
 * leader gives the next chunk to one that has a free slot.
 *
 * <p>Left out: that disks are sources and targets at once, users' requests, pacing ({@code repair.limit}), and the
 * fixed cost of a read, of which Clay codes make many short ones.
 */
final class RecoveryModel {
    /** Declared dead to the first byte read: measured, docs/benchmarks.md, recovery. */
    static final double CHECK_SECONDS = 0.2;

    /** Orders, two entries of the log and syncs of one chunk: assumed. */
    static final double CHUNK_SECONDS = 0.05;

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
        double read = loss.bytes() * loss.readPerByte();
        double skew = skew(left, loss.chunks() * loss.readPerByte());
        Map<Bottleneck, Double> work = new EnumMap<>(Bottleneck.class);
        work.put(Bottleneck.DISK, skew * read / (left * disk));
        work.put(Bottleneck.NET, skew * read / (left * net));
        work.put(Bottleneck.CPU, skew * loss.bytes() * loss.cpuSecondsPerByte() / ((double) left * machines.cores()));
        work.put(Bottleneck.TARGET, loss.bytes() * 2 / disk / Math.max(1, Math.min(left, loss.chunks())));
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

    /** One chunk alone: slices are received, computed and written at the same time, then all of it is read back. */
    private static double chunkSeconds(Loss loss, Machines machines) {
        double bytes = loss.bytes() / loss.chunks();
        double received = bytes * loss.readPerByte() / machines.netBytesPerSecond();
        double written = bytes / machines.diskBytesPerSecond();
        double computed = bytes * loss.cpuSecondsPerByte();
        return Math.max(received, Math.max(written, computed)) + written + CHUNK_SECONDS;
    }
}
